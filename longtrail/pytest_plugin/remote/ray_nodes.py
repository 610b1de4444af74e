"""Ray nodes: which machines of a cluster are still there, and whether a worker was lost alone or with its machine."""

import socket
import time
from typing import Any

from longtrail.errors import UsageError

ANSWER = 5.0
"""Seconds within which a machine must accept a connection."""
ASKED = 10.0
"""Seconds between two checks of the head node. Ray ends a process that has not reached it for a minute."""
SILENT = 3
"""After so many checks without an answer, the head node counts as lost."""
DOUBT = 5.0
"""Seconds after a worker's loss until it is decided whether its machine was lost, too: a machine that shuts down ends
its processes one after the other, and Ray reports it later."""


class RayNodes:
    """The nodes of the cluster that this process is connected to."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._head = str(ray.get_runtime_context().gcs_address)
        self._asked = time.monotonic()
        self._silent = 0

    def alive(self) -> list[dict[str, Any]]:
        """The nodes that Ray counts as alive."""
        return [node for node in self._ray.nodes() if node["Alive"]]

    def lost(self, node: str) -> bool:
        """Whether the machine with this id is lost: by what Ray knows, or because nothing answers there."""
        found = next((each for each in self.alive() if each["NodeID"] == node), None)
        return found is None or not _answers(found["NodeManagerAddress"], int(found["NodeManagerPort"]))

    def check_head(self) -> None:
        """Raises UsageError if the head node does not answer any more. Ray itself would end this process at once."""
        if time.monotonic() - self._asked < ASKED:
            return
        host, _, port = self._head.rpartition(":")
        self._silent = 0 if _answers(host, int(port)) else self._silent + 1
        self._asked = time.monotonic()
        if self._silent >= SILENT:
            raise UsageError(
                f"--ray: the cluster's head node at {self._head} does not answer any more: the run was ended"
            )


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host.strip("[]"), port), timeout=ANSWER).close()
    except OSError:
        return False
    return True
