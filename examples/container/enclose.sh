#!/bin/sh
# Runs a command in the container: no network, no privileges, nothing of this machine but the folder with the socket.
exec docker run --rm --interactive --network none --read-only --tmpfs /tmp --cap-drop ALL \
  --security-opt no-new-privileges --pids-limit 200 --memory 1g --user 65534:65534 \
  --volume "${DOOR:?}:/door" --env "PORT=${PORT:-}" --env DOOR=/door "${IMAGE:-longtrail-agent}" "$@"
