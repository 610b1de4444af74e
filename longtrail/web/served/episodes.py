"""Episodes: the worlds behind served sites. Each has a token; a reset makes a new world."""

import secrets
import threading
from collections import OrderedDict

from longtrail.tasks.task import Task
from longtrail.web.world import Templates, World

KEPT = 64
"""Maximum number of open worlds; the least recently used one is closed first."""
SHARED = "shared"
"""The token of the world that answers requests without a token."""


class Episodes:
    """Worlds by token. Safe to use from several threads."""

    def __init__(self, templates: Templates) -> None:
        self._templates = templates
        self._worlds: OrderedDict[str, World] = OrderedDict()
        self._signed_in: dict[str, set[str]] = {}
        self._tasks: dict[str, Task | None] = {}
        self._lock = threading.Lock()

    def begin(self, token: str = "", task: Task | None = None) -> str:
        """Make a world in its initial state and return its token: the given one, or a new one.

        An open world of this token is replaced. The initial state is the one in which the task begins: the given task,
        or else the token's last task. If there was none, it is the usual state.
        """
        name = token or secrets.token_urlsafe(18).replace("-", "x").replace("_", "y")
        with self._lock:
            if old := self._worlds.pop(name, None):
                old.close()
            self._worlds[name] = World(name, self._templates)
            self._tasks[name] = task or self._tasks.get(name)
            if begun := self._tasks[name]:
                self._worlds[name].stage(begun)
            self._signed_in[name] = set()
            while len(self._worlds) > KEPT:
                gone, world = self._worlds.popitem(last=False)
                self._signed_in.pop(gone)
                self._tasks.pop(gone)
                world.close()
        return name

    def world(self, token: str) -> World | None:
        """The world of a token; None for an unknown or expired one."""
        if token == SHARED and token not in self._worlds:
            self.begin(SHARED)
        with self._lock:
            if token in self._worlds:
                self._worlds.move_to_end(token)
            return self._worlds.get(token)

    def sign_in(self, token: str) -> str:
        """A new session after a log-in."""
        session = secrets.token_urlsafe(18)
        self._signed_in[token].add(session)
        return session

    def signed_in(self, token: str, session: str) -> bool:
        """Whether this session began with a log-in in this episode."""
        return session in self._signed_in.get(token, ())

    def close(self) -> None:
        """Close all worlds."""
        with self._lock:
            while self._worlds:
                self._worlds.popitem()[1].close()
