#!/bin/sh
# Copies a deployment's databases in PostgreSQL while it runs, each as it was at one moment.
#   WARAQ_LOG_URL=postgresql://… [WARAQ_STANDINGS_URL=…] [WARAQ_PROFILES_URL=…] backup.sh FOLDER
# FOLDER is made, and is as secret as the databases: the log holds every pack's order. Keys are in no
# database: keep copies of them elsewhere. Needs pg_dump of the server's version or a later one.
set -eu
. "$(dirname "$0")/database.sh"
umask 077
to=${1:?usage: backup.sh FOLDER (a new one)}
: "${WARAQ_LOG_URL:?names the log}"
mkdir "$to"
copy() {
  [ -n "$2" ] || return 0
  at_database "$2" pg_dump --format=custom --file="$to/$1.dump"
  echo "copied $1" >&2
}
copy log "$WARAQ_LOG_URL"
copy standings "${WARAQ_STANDINGS_URL:-}"
copy profiles "${WARAQ_PROFILES_URL:-}"
# Written last: a folder without it was not made to its end.
(cd "$to" && sha256sum ./*.dump >SHA256SUMS)
