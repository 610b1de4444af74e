"""Runs pytest as a user would: another process, another reports folder, no key in the environment."""

import atexit
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

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
def server() -> "subprocess.Popen[str]":
    """This process' fork server."""
    started = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("fork_server.py"))],
        cwd=ROOT,
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(started.communicate)  # closes its input, at which it ends
    return started


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
        to, back = server().stdin, server().stdout
        assert to is not None
        assert back is not None
        to.write(json.dumps(request) + "\n")
        to.flush()
        code = int(back.readline())
        return Done(code, out.read_text("utf-8"), err.read_text("utf-8"))


def run_new_pytest(*args: str, cwd: Path, env: dict[str, str], seconds: int = 400) -> Done:
    """The same in a new interpreter, which may have other modules."""
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *args]
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=seconds, check=False)
    return Done(done.returncode, done.stdout, done.stderr)
