#!/bin/sh
# In the container: the browser's port on this side of the door, then the agent.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
said=$(mktemp)
python3 "$here/relay.py" "tcp:$PORT" "unix:$DOOR/cdp.sock" > "$said" &
until [ -s "$said" ]; do kill -0 $!; sleep 0.05; done
exec "$@"
