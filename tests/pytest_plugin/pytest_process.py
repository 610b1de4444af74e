"""Runs pytest as a user would: another process, another reports folder, no key in the environment."""

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TextIO

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parents[2]
ONE_AT_A_TIME = Lock()


@dataclass(frozen=True)
class Done:
    """A finished process."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


def environment(**changes: str) -> dict[str, str]:
    """This process' environment without keys, workers' variables and options of the outer pytest."""
    unwanted = ("PYTEST_", "COV_", "OPENAI_", "ANTHROPIC_")
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(unwanted) and "API_KEY" not in name
    }
    return {**kept, **changes}


@cache
def server() -> TextIO:
    """The fork server of this test session, started by whichever of its processes needs it first."""
    session = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    path = f"{tempfile.gettempdir()}/longtrail-forks-{session}"
    connected = socket.socket(socket.AF_UNIX)
    with FileLock(f"{path}.lock"):
        try:
            connected.connect(path)
        except OSError:
            Path(path).unlink(missing_ok=True)
            command = [sys.executable, str(Path(__file__).with_name("fork_server.py")), path, str(session)]
            subprocess.run(command, cwd=ROOT, env=environment(), check=True)
            connected.connect(path)
    stream = connected.makefile("rw")
    connected.close()  # the stream keeps the connection until it is closed
    return stream


def run_pytest(*args: str, cwd: Path = ROOT, env: dict[str, str] | None = None, seconds: int = 400) -> Done:
    """`pytest ARGS` in `cwd`, by the fork server: it has this clone's modules. Hypothesis stays out: its plugin costs
    each process two seconds."""
    with tempfile.TemporaryDirectory() as folder, ONE_AT_A_TIME:
        out, err = (Path(folder) / name for name in ("out", "err"))
        request = {
            "args": ["-p", "no:hypothesispytest", *args],
            "folder": str(cwd),
            "environment": environment() if env is None else env,
            "out": str(out),
            "err": str(err),
            "seconds": seconds,
        }
        print(json.dumps(request), file=server(), flush=True)
        code = int(server().readline())
        return Done(code, out.read_text("utf-8"), err.read_text("utf-8"))


def process(*words: str, cwd: Path = ROOT, env: dict[str, str] | None = None, seconds: int = 1800) -> Done:
    """Any other command, without keys in its environment."""
    env = environment() if env is None else env
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, timeout=seconds, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def run_in(venv: Path, folder: Path, command: str, **changes: str) -> Done:
    """Run a command as a user of this virtual environment types it in a folder."""
    env = environment(PATH=f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}", **changes)
    return process(*shlex.split(command), cwd=folder, env=env)


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this test session have in common."""
    base = factory.getbasetemp()
    return base.parent if base.name.startswith("popen-") else base


def machine(folder: Path) -> Path:
    """Make this folder a new machine: with what runs need of a clone, and no reports."""
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("fixtures", "benchmark_tests"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "conftest.py", folder)
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider -p no:playwright\n")
    return folder


def run_new_pytest(*args: str, cwd: Path, env: dict[str, str], seconds: int = 400) -> Done:
    """The same in a new interpreter, which may have other modules."""
    return process(
        sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *args, cwd=cwd, env=env, seconds=seconds
    )
