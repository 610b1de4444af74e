"""Kills: runs whose processes are killed at random and that are resumed until finished must end like undisturbed ones.

    python -m benchmarks.kills [--trials 200] [--seed 0] [--kinds oracle,long,cdp,http]

Each trial plays a small run and sends up to three SIGKILLs or SIGTERMs, at random times, to a controller, worker,
browser, renderer, browser driver or agent's process. Then the run is resumed until every case has a valid record. Its
results must equal those of an undisturbed run, except times and numbers of attempts. Ten seconds after the death of a
controller, no process of the run may exist, and no session may take longer than three times the undisturbed one plus
TIME_OUTS.

Cases that count as the agent's failure by docs/integrity.md may differ: an agent's server that dies during a request,
an agent's program that ends because its own browser driver was killed. They are counted separately.
"""

import argparse
import contextlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from benchmarks.kills_agents import ROOT, Server, running_server
from longtrail.options.gate_rules import INCOMPLETE
from longtrail.pytest_plugin import worker_template
from longtrail.runs.store import Run

KINDS = {
    "oracle": ("-m", "raw and not appeal"),
    "long": ("-m", "long_context", "--lengths", "0,25k"),
    "cdp": ("-m", "raw and not appeal", "--agent", "cdp:benchmarks.kills_agents:solve"),
    "http": ("-m", "raw and not appeal", "--agent", "http://127.0.0.1:{port}"),
}
"""Name of a kind of run -> the words of its command."""
TASKS = {"oracle": 8, "long": 2, "cdp": 4, "http": 4}
"""Name of a kind of run -> its number of tasks."""
TARGETS = ("controller", "template", "worker", "browser", "renderer", "driver", "agent")
"""`template`: the process from which workers are forked."""
SIGNALS = (signal.SIGKILL, signal.SIGTERM)
ORPHANS = 10.0
"""Seconds after the death of a controller by which everything has ended."""
TIME_OUTS = 240.0
"""Seconds that the longest waits of a session may add: a case's attempts, a browser's start, the watchdog."""
SESSIONS = 8
"""Maximum number of times that a run is resumed."""
CHANGING: dict[str, Any] = {
    "seconds": True,
    "timing": True,
    "attempt": True,
    "discarded_steps": True,
    "first_part_of": True,
}


@dataclass
class Trial:
    """The result of one trial."""

    kind: str
    told: list[str] = field(default_factory=list)
    """What was killed, and what was wrong."""
    problems: list[str] = field(default_factory=list)
    own: int = 0
    """Cases that the agent's own server or program lost."""
    sessions: int = 0


@dataclass(frozen=True)
class Kill:
    """One planned signal."""

    after: float
    target: str
    signal: signal.Signals


class Laboratory:
    """A folder of reports, and an undisturbed run of each kind in it. `tasks`: their numbers of tasks."""

    def __init__(self, folder: Path, tasks: Mapping[str, int] = TASKS) -> None:
        self.folder, self._tasks = folder, tasks
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = int(free.getsockname()[1])
        self._undisturbed: dict[str, tuple[list[dict[str, Any]], float]] = {}

    def undisturbed(self, kind: str) -> tuple[list[dict[str, Any]], float]:
        """Results and seconds of an undisturbed run; made once."""
        if kind not in self._undisturbed:
            name, start = f"{kind}-whole", time.monotonic()
            with running_server(self._port):
                done = subprocess.run(self._command(kind, name, 2), cwd=ROOT, capture_output=True, check=False)
                seconds = time.monotonic() - start
                if not self._finished(name):  # a busy machine can cause trouble: invalid cases are played again
                    again = self._command(kind, name, 2, resume=True)
                    done = subprocess.run(again, cwd=ROOT, capture_output=True, check=False)
            if done.returncode not in (0, 1) or not self._finished(name):
                raise SystemExit(done.stdout.decode()[-3000:])
            self._undisturbed[kind] = comparable(self._run(f"{kind}-whole")), seconds
        return self._undisturbed[kind]

    def trial(self, kind: str, number: int, seed: int) -> Trial:
        """One run, disturbed and resumed."""
        chance = random.Random(f"{seed} {number} {kind}")
        expected, seconds = self.undisturbed(kind)
        name, workers = f"{kind}-{number}", chance.choice((1, 2, 2, 3))
        targets = [target for target in TARGETS if target != "agent" or kind in ("cdp", "http")]
        kills = [
            Kill(chance.uniform(0.5, seconds), chance.choice(targets), chance.choice(SIGNALS))
            for _ in range(chance.randint(1, 3))
        ]
        kills.sort(key=lambda kill: kill.after)
        trial = Trial(kind)
        with running_server(self._port) as server:
            for session in range(SESSIONS):
                trial.sessions = session + 1
                resume = (self.folder / "runs" / name / "run.json").exists()
                command = self._command(kind, name, workers, resume=resume)
                limit = 3 * seconds * 2 / workers + TIME_OUTS
                said = self.folder / f"{name}-{session + 1}.txt"
                code = _disturbed(command, said, server, kills, chance, trial, limit)
                if code not in (0, 1):
                    trial.told.append(f"exit {code}")
                if code > 1 and code != INCOMPLETE:  # no signal: it ended itself, which no kill should bring about
                    trial.problems.append(f"session {session + 1} ended with exit {code}: {_reason(said)}")
                if not kills and self._finished(name):
                    break
            else:
                trial.problems.append(f"not finished after {SESSIONS} sessions")
        if self._finished(name):
            _compare(expected, comparable(self._run(name)), trial)
        return trial

    def _command(self, kind: str, name: str, workers: int, *, resume: bool = False) -> list[str]:
        words = [word.format(port=self._port) for word in KINDS[kind]]
        return [
            *(sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "-q", "--no-shots", "-n", str(workers)),
            *(*words, "--sample", str(self._tasks[kind])),
            *(f"--reports={self.folder}", f"--resume={name}" if resume else f"--run={name}"),
        ]

    def _run(self, name: str) -> Run:
        return Run.open(self.folder / "runs" / name)

    def _finished(self, name: str) -> bool:
        if not (self.folder / "runs" / name / "results.jsonl").exists():
            return False
        run = self._run(name)
        return not run.missing() and all(result.outcome != "invalid" for result in run.results())


def comparable(run: Run) -> list[dict[str, Any]]:
    """Everything of a run's results but times and attempts."""
    return [result.model_dump(mode="json", exclude=CHANGING) for result in run.results()]


def _compare(expected: list[dict[str, Any]], found: list[dict[str, Any]], trial: Trial) -> None:
    there = {result["case"]["id"]: result for result in found}
    if sorted(there) != sorted(result["case"]["id"] for result in expected):
        trial.problems.append("other cases")
    for result in expected:
        mine = there.get(result["case"]["id"])
        if mine is None or mine == result:
            continue
        if trial.kind in ("http", "cdp") and mine["reason"].startswith("agent_error"):
            trial.own += 1
            continue
        fields = [name for name in result if mine.get(name) != result[name]]
        fields += [name for name, metric in result["metrics"].items() if mine["metrics"].get(name) != metric]
        trial.problems.append(f"{result['case']['id']} differs in {', '.join(fields)}: {mine['reason'][:120]}")


def _reason(said: Path) -> str:
    """What a session wrote at its end, in one line."""
    lines = [line.strip(" !=") for line in said.read_text(encoding="utf-8", errors="replace").splitlines()]
    marked = ("ERROR", "Exit", "INTERNALERROR")
    told = [line for line in lines if "the run was ended" in line or line.startswith(marked)]
    return " | ".join(told or lines)[-600:]


def _disturbed(
    command: list[str],
    said: Path,
    server: Server,
    kills: list[Kill],
    chance: random.Random,
    trial: Trial,
    limit: float,
) -> int:
    """Play until the process ends, which writes what it says to the file `said`; due kills are carried out and removed
    from the list."""
    with said.open("wb") as file:
        process = psutil.Popen(command, cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
    start, family = time.monotonic(), dict[int, psutil.Process]()
    while process.poll() is None:
        now = time.monotonic() - start
        with contextlib.suppress(psutil.Error):
            family.update((child.pid, child) for child in process.children(recursive=True))
        if kills and now >= kills[0].after:
            kill = kills.pop(0)
            victim = _victim(process, family, server, kill.target, trial.kind, chance)
            trial.told.append(f"{kill.target} {kill.signal.name} at {now:.1f} s" + ("" if victim else " (none)"))
            if victim is not None:
                with contextlib.suppress(psutil.Error):
                    victim.send_signal(kill.signal)
                if victim.pid == server.process.pid:
                    server.again()
        if now > limit:
            trial.problems.append(f"a session took longer than {limit:.0f} s")
            process.kill()
        time.sleep(0.05)
    process.wait()
    kills[:] = [Kill(max(0.5, kill.after - (time.monotonic() - start)), kill.target, kill.signal) for kill in kills]
    _, left = psutil.wait_procs(list(family.values()), ORPHANS)
    for orphan in left:
        with contextlib.suppress(psutil.Error):
            trial.problems.append(f"still there {ORPHANS:g} s later: {' '.join(orphan.cmdline())[:100]}")
            orphan.kill()
    return int(process.returncode)


def _victim(
    controller: psutil.Process,
    family: dict[int, psutil.Process],
    server: Server,
    target: str,
    kind: str,
    chance: random.Random,
) -> psutil.Process | None:
    if target == "controller":
        return controller
    if target == "agent" and kind == "http":
        return psutil.Process(server.process.pid)
    found = [process for _, process in sorted(family.items()) if _role(process) == target]
    return chance.choice(found) if found else None


def _role(process: psutil.Process) -> str:
    """The role of a process of the run, from its command line; empty for other and for ended processes."""
    try:
        words, before = process.cmdline(), process.parent()
        parent = before.cmdline() if before else []
    except psutil.Error:
        return ""
    line = " ".join(words)
    forked = f"-m {worker_template.__name__} "
    if forked in line:
        return "worker" if forked in " ".join(parent) else "template"
    if "import sys;exec(eval(sys.stdin.readline()))" in line:
        return "worker"
    if "longtrail.agents.cdp" in line:
        return "agent"
    if "run-driver" in line:
        return "driver"
    if "--type=renderer" in line:
        return "renderer"
    chromium = any(word.startswith("--remote-debugging-") for word in words) and words[0] != "/bin/sh"
    return "browser" if chromium and "--type=" not in line else ""


def main() -> int:
    """Run all trials. Returns 1 if one has a problem."""
    parser = argparse.ArgumentParser(description="Kill processes of runs at random, and resume the runs.")
    parser.add_argument("--trials", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kinds", default=",".join(KINDS), help=f"some of {', '.join(KINDS)}")
    given = parser.parse_args()
    kinds, equal, own = given.kinds.split(","), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        laboratory = Laboratory(Path(folder))
        for number in range(given.trials):
            trial = laboratory.trial(kinds[number % len(kinds)], number, given.seed)
            equal, own = equal + (not trial.problems), own + trial.own
            what = "; ".join(trial.told)
            print(f"{number + 1:4} {trial.kind:7} {trial.sessions} sessions  {what}", *trial.problems, sep="\n     ! ")
            sys.stdout.flush()
    print(f"{equal} of {given.trials} trials end like an undisturbed run; {own} cases lost by agents' own processes")
    return 0 if equal == given.trials else 1


if __name__ == "__main__":
    sys.exit(main())
