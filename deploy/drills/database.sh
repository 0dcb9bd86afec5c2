# To be read by other scripts (`. database.sh`): calls a program of PostgreSQL at a database's URL.
#   at_database URL PROGRAM WORDS…
# Whoever is on this machine can read any program's words (`ps`), so the password is not among them:
# it is in the program's environment, which only its owner can read.
at_database() {
  authority=${1#*://}
  authority=${authority%%[/?]*}
  beyond=${1#*://"$authority"}
  case $beyond in
    *[?\&]password=*) echo "a URL has its password before its host, as user:password@host" >&2; return 2 ;;
  esac
  user=${authority%@*}
  program=$2
  case $authority in
    *:*@*)
      url=${1%%://*}://${user%%:*}@${authority##*@}$beyond
      password=$(printf '%s' "${user#*:}" | _decoded)
      shift 2
      PGPASSWORD=$password "$program" --dbname="$url" "$@"
      ;;
    *)
      url=$1
      shift 2
      "$program" --dbname="$url" "$@"
      ;;
  esac
}
# A URL writes a sign as % and two digits of 16.
_decoded() {
  LC_ALL=C awk '
    BEGIN { digits = "0123456789ABCDEF" }
    {
      while (match($0, /%[0-9A-Fa-f][0-9A-Fa-f]/)) {
        sign = toupper(substr($0, RSTART + 1, 2))
        number = 16 * (index(digits, substr(sign, 1, 1)) - 1) + index(digits, substr(sign, 2, 1)) - 1
        printf "%s%c", substr($0, 1, RSTART - 1), number
        $0 = substr($0, RSTART + 3)
      }
      printf "%s", $0
    }'
}
