#!/bin/sh
# A CDP agent in a container without network: --agent "cdp:examples/container/cdp_agent.sh COMMAND ..."
# COMMAND runs in the container; it reads the errand from standard input and finds its browser at the address in it,
# through a socket file. ENCLOSE may name another way to start it than docker (the tests use a network namespace).
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
door=$(mktemp -d)
chmod 711 "$door"
errand=$(cat)
port=$(printf '%s' "$errand" | sed -n 's|.*"cdp":"http://127\.0\.0\.1:\([0-9]*\)".*|\1|p')
[ -n "$port" ] || { echo "the errand on standard input has no CDP address" >&2; exit 2; }
python3 "$here/relay.py" "unix:$door/cdp.sock" "tcp:$port" > "$door/said" &
relay=$!
trap 'kill $relay 2>/dev/null; rm -rf "$door"' EXIT
until [ -s "$door/said" ]; do kill -0 $relay; sleep 0.05; done
chmod 666 "$door/cdp.sock"
printf '%s\n' "$errand" | DOOR="$door" PORT="$port" ${ENCLOSE:-"$here/enclose.sh"} "${AGENT:-/agent}/inside.sh" "$@"
