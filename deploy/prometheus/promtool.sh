#!/usr/bin/env bash
# Puts promtool alone, out of Debian's package `prometheus`, where its first argument says: no
# service is installed. Needs apt-get, dpkg-deb and the package lists (apt-get update).
set -euo pipefail
to=$(realpath "$1")
folder=$(mktemp --directory)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download --quiet prometheus >/dev/null || { apt-get update --quiet >/dev/null && apt-get download --quiet prometheus >/dev/null; }
dpkg-deb --fsys-tarfile prometheus_*.deb | tar --extract ./usr/bin/promtool
mv usr/bin/promtool "$to"
