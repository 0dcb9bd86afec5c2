#!/bin/sh
# Puts the copies of backup.sh into empty databases, then says so to the log (`waraq db restored`).
#   WARAQ_LOG_URL=postgresql://… [WARAQ_STANDINGS_URL=…] [WARAQ_PROFILES_URL=…] restore.sh FOLDER
# Workers must be stopped. The roles that the copies' grants name must be there (deploy/postgres).
# The log is put back last, so that whoever is stopped on the way has none that a worker would take;
# what is to be done next is said then (a `kill -9` says nothing: docs/operations.md does).
set -eu
. "$(dirname "$0")/database.sh"
from=${1:?usage: restore.sh FOLDER}
: "${WARAQ_LOG_URL:?names the log}"
waraq=${WARAQ:-waraq}
next="nothing was put back: mend that, and run this again"
unfinished() {
  code=$?
  [ -z "$next" ] || echo "NOT RESTORED. Start no worker. Next: $next" >&2
  exit "$code"
}
trap unfinished EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
(cd "$from" && sha256sum --check --quiet SHA256SUMS)
empty() {
  tables=$(at_database "$1" psql --no-psqlrc --tuples-only --no-align --command \
    "select count(*) from information_schema.tables where table_schema = 'public'")
  [ "$tables" = 0 ] || { echo "the database for $2 is not empty: make a new one" >&2; exit 1; }
}
put() {
  [ -n "$2" ] && [ -f "$from/$1.dump" ] || return 0
  at_database "$2" pg_restore --exit-on-error --single-transaction "$from/$1.dump"
  echo "restored $1" >&2
}
for each in "$WARAQ_LOG_URL" "${WARAQ_STANDINGS_URL:-}" "${WARAQ_PROFILES_URL:-}"; do
  [ -z "$each" ] || empty "$each" "${each##*/}"
done
next="drop what was put back, make these databases anew and empty, and run this again"
put standings "${WARAQ_STANDINGS_URL:-}"
put profiles "${WARAQ_PROFILES_URL:-}"
put log "$WARAQ_LOG_URL"
next="run \`waraq db restored\` with this WARAQ_LOG_URL; all else is put back"
$waraq db restored
next=
