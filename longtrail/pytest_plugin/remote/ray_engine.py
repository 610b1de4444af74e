"""Ray engine: workers are Ray actors, each with its share of a machine; a unit is a task of one of them.

A task streams its messages. When an actor ends, Ray reports it; the cluster's list of nodes shows whether its machine
is lost too. Ray itself retries nothing: the session does, because it knows what was finished. Model calls of all
workers go through one actor on the controller's machine, to the same file that local workers share.
"""

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from longtrail.errors import UsageError
from longtrail.llm.call_book import CallBook
from longtrail.options.flags import THIS_MACHINE
from longtrail.pytest_plugin.remote.engine import Event, Setup, Unit, WorkerMessage
from longtrail.pytest_plugin.remote.ray_actors import RayWorker, SharedCalls, node_versions
from longtrail.pytest_plugin.remote.ray_cluster import SETTINGS, RayNodes, connect, import_ray, one_line, own_token
from longtrail.pytest_plugin.remote.setup import CHROMIUM, refusal, versions

CPUS = 0.25
"""What Ray reserves for a worker; not a limit. It is little because most of an episode is waiting for the model."""
MEMORY = 600 * 1024**2
"""The same in bytes: the most that workers were measured to use (a run prints it at its end), and a reserve."""
CHROMIUM_RESOURCE = "chromium"
"""If nodes define this custom resource, a worker takes 1 of it."""
ANSWER = 300.0
"""Seconds within which a node must report its versions; it gets the project's copy first."""
ENDING = 20.0
"""Seconds for workers to end their episodes and close their browsers."""
DOUBT = 5.0
"""Seconds after a worker's loss until it is decided whether its machine was lost, too: a machine that shuts down ends
its processes one after the other, and Ray reports it later."""


class RayEngine:
    """See `Cluster`."""

    def __init__(
        self,
        address: str,
        workers: int | None,
        root: Path,
        not_sent: Sequence[str] = (),
        runtime_env: Mapping[str, Any] | None = None,
    ) -> None:
        """`workers`: None means as many as the cluster has CPUs. `root`: the project's folder. `not_sent`: parts of it
        that nodes do not get, in the form of .gitignore. `runtime_env`: more of Ray's, for own agents."""
        self._address, self._root, self._local = address, root, address == THIS_MACHINE
        self._runtime_env = {**(runtime_env or {}), "excludes": list(not_sent)}
        self._asked = self._workers = workers or 0
        self._ray: Any = None
        self._starting: dict[Any, str] = {}
        """Future that completes when an actor is ready -> the actor's name."""
        self._actors: dict[str, Any] = {}
        self._nodes: dict[str, str] = {}
        self._idle: list[str] = []
        self._playing: dict[Any, tuple[str, Unit]] = {}
        self._doubtful: dict[Any, tuple[str, Unit | None]] = {}
        """Futures that tell whether an actor that could not be reached is dead."""
        self._unreported: list[Event] = []
        self._ended: UsageError | None = None
        """The error that ends the run: the cluster was lost, or a node has other versions."""
        self._undecided: list[tuple[float, str, Event]] = []
        """Losses of workers: when it is decided whether their machine was lost, too; its id; the event."""
        self._actor_count = 0
        self._calls: Any = None
        self._setup: Setup | None = None
        self._chromium = ""

    @property
    def workers(self) -> int:
        return self._workers

    @property
    def idle(self) -> int:
        return len(self._idle)

    def check(self) -> None:
        for name, value in SETTINGS.items():
            os.environ.setdefault(name, value)
        if self._local:
            own_token(os.environ)
        self._ray = import_ray()
        try:
            connect(self._ray, self._address, None if self._local else self._root, self._runtime_env)
            self._machines = RayNodes(self._ray)
            nodes = self._machines.alive()
            self._resources = (
                {CHROMIUM_RESOURCE: 1} if any(CHROMIUM_RESOURCE in node["Resources"] for node in nodes) else {}
            )
            able = [node for node in nodes if self._room(node)]
            if not able:
                wanted = f"{CPUS} CPUs and {MEMORY // 1024**2} MB" + (" and 1 chromium" if self._resources else "")
                raise UsageError(f"--ray: no node of the cluster has room for a worker ({wanted})")
            if not self._asked:
                self._workers = max(1, int(sum(node["Resources"].get("CPU", 0) for node in able)))
            self._check_versions(able)
        except UsageError:
            self._ray.shutdown()
            raise

    def _room(self, node: dict[str, Any]) -> bool:
        wanted = {"CPU": CPUS, "memory": MEMORY, **self._resources}
        return all(node["Resources"].get(name, 0) >= amount for name, amount in wanted.items())

    def _check_versions(self, nodes: Sequence[dict[str, Any]]) -> None:
        """Ask every node once, before anything is written."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        ask = self._ray.remote(num_cpus=0, max_retries=0)(node_versions)
        answers = {
            ask.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote(): node
            for node in nodes
        }
        for answer, node in answers.items():
            try:
                versions_there = self._ray.get(answer, timeout=ANSWER)
            except Exception as error:
                if self._machines.lost(node["NodeID"]):
                    continue  # it was lost just now, and plays no case
                raise UsageError(f"--ray: node {node['NodeManagerAddress']}: {one_line(error)}") from error
            self._check_node(node["NodeManagerAddress"], versions_there, versions())

    def _check_node(self, node: str, versions_there: dict[str, str], wanted: dict[str, str]) -> None:
        """Raise UsageError for a node with other versions. All must have the browser of the first node that was
        asked."""
        self._chromium = self._chromium or versions_there.get(CHROMIUM, "")
        if reason := refusal(node, {**wanted, CHROMIUM: self._chromium}, versions_there):
            raise UsageError(f"--ray: {reason}")

    def start(self, setup: Setup, calls: CallBook) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._setup = setup
        this_node = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=False)
        made = self._ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(SharedCalls)
        self._calls = made.options(scheduling_strategy=this_node, max_concurrency=1).remote(calls)
        for _ in range(self._workers):
            self._add()

    def _add(self) -> None:
        name = f"ray{self._actor_count}"
        self._actor_count += 1
        made = self._ray.remote(num_cpus=CPUS, memory=MEMORY, resources=self._resources or None, max_restarts=0)(
            RayWorker
        )
        spread = made.options(scheduling_strategy="SPREAD", max_concurrency=3, max_task_retries=0)
        self._actors[name] = spread.remote(name, self._calls)
        root = str(self._root) if self._local else ""
        self._starting[self._actors[name].ready.remote(self._setup, root)] = name

    def submit(self, unit: Unit) -> None:
        name = self._idle.pop(0)
        self._playing[self._actors[name].play.options(num_returns="streaming").remote(unit)] = name, unit

    def events(self, seconds: float) -> Sequence[Event]:
        if self._ended is None:
            try:
                self._machines.check_head()
                self._wait(seconds)
            except UsageError as error:
                self._ended = error
            except (self._ray.exceptions.RayError, ConnectionError) as error:
                self._ended = UsageError(f"--ray: the connection to the cluster was lost: {one_line(error)}")
        events, self._unreported = self._unreported, []
        if self._ended is not None and not events:  # first what had arrived by then
            raise self._ended
        return events

    def _wait(self, seconds: float) -> None:
        """Add to the unreported events."""
        self._unreported += self._losses()
        waited = [*self._starting, *self._playing, *self._doubtful]
        if self._unreported or not waited:
            time.sleep(0 if self._unreported else seconds)
            return
        done, _ = self._ray.wait(waited, num_returns=1, timeout=seconds)
        if done:  # all that have arrived by now
            done, _ = self._ray.wait(waited, num_returns=len(waited), timeout=0)
        for reference in done:
            if reference in self._starting:
                self._started(reference)
            elif reference in self._doubtful:
                self._settle_doubt(reference)
            else:
                self._unreported += self._messages_of(reference)

    def _losses(self) -> list[Event]:
        now = time.monotonic()
        due = [loss for loss in self._undecided if loss[0] <= now]
        self._undecided = [loss for loss in self._undecided if loss[0] > now]
        return [replace(event, ended="node lost") if self._machines.lost(node) else event for _, node, event in due]

    def _started(self, ready: Any) -> None:
        name = self._starting.pop(ready)
        errors = self._ray.exceptions
        try:
            address, self._nodes[name], software = self._ray.get(ready)
        except errors.RayError as error:  # such as a full disk there: another worker takes its place
            self._replace(name, None, one_line(error))
            return
        assert self._setup is not None
        self._check_node(address, software, dict(self._setup.versions))
        self._idle.append(name)

    def _messages_of(self, stream: Any) -> list[Event]:
        name, unit = self._playing[stream]
        errors = self._ray.exceptions
        try:
            return [Event(unit, self._ray.get(next(stream)))]
        except StopIteration:
            del self._playing[stream]
            self._idle.append(name)
            return [Event(unit, ended="done")]
        except errors.ActorUnavailableError:
            del self._playing[stream]
            self._doubtful[self._actors[name].ping.remote()] = name, unit
            return []
        except errors.RayError as error:
            del self._playing[stream]
            self._replace(name, unit, one_line(error))
            return []

    def _settle_doubt(self, answer: Any) -> None:
        name, unit = self._doubtful.pop(answer)
        try:
            self._ray.get(answer)
        except self._ray.exceptions.ActorUnavailableError:
            self._doubtful[self._actors[name].ping.remote()] = name, unit
        except self._ray.exceptions.RayError as error:
            self._replace(name, unit, one_line(error))
        else:  # its unit continues, but nobody receives the messages
            self._replace(name, unit, "the connection to its machine was lost", machine_too=True)

    def lose(self, unit: Unit, reason: str) -> None:
        for stream, (name, played) in list(self._playing.items()):
            if played is unit:
                del self._playing[stream]
                self._replace(name, unit, reason)

    def _replace(self, name: str, unit: Unit | None, reason: str, *, machine_too: bool = False) -> None:
        """An actor ended. Another takes its place."""
        self._ray.kill(self._actors.pop(name), no_restart=True)
        self._calls.lose.remote(name)
        ended = Event(unit or Unit(()), ended="node lost" if machine_too else "worker lost", reason=reason)
        if unit is None or machine_too:
            self._unreported.append(ended)
        else:
            self._undecided.append((time.monotonic() + DOUBT, self._nodes[name], ended))
        self._add()

    def waiting(self) -> str:
        if not self._starting:
            return ""
        free = self._ray.available_resources()
        room = f"{free.get('CPU', 0):g} CPUs and {free.get('memory', 0) / 1024**2:.0f} MB are free"
        return f"{len(self._starting)} of {self._workers} workers have not started ({room}; each needs {CPUS} CPUs)"

    def close(self, reason: str = "") -> Sequence[WorkerMessage]:
        if self._ray is None:
            return []
        last_messages: list[WorkerMessage] = []
        until = time.monotonic() + ENDING
        try:
            if self._playing:
                names = [name for name, _ in self._playing.values()]
                stops = [self._actors[name].stop.remote(reason or "the session ended") for name in names]
                self._ray.wait(stops, num_returns=len(stops), timeout=ENDING)
            ready = [name for name in self._actors if name not in self._starting.values()]
            closing = [self._actors[name].close.remote() for name in ready]
            left = max(0.0, until - time.monotonic())
            done = self._ray.wait(closing, num_returns=len(closing), timeout=left)[0] if closing else []
            for reference in done:
                try:
                    last_messages.append(self._ray.get(reference))
                except self._ray.exceptions.RayError:
                    continue  # it ended by itself
            for actor in self._actors.values():
                self._ray.kill(actor, no_restart=True)
        finally:
            self._ray.shutdown()
            self._ray = None
        return last_messages
