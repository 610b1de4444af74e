"""Runs pytest as a user would: another process, another reports folder, no key in the environment."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


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


def run_pytest(*args: str, cwd: Path = ROOT, env: dict[str, str] | None = None, timeout: float = 400) -> Done:
    """`pytest ARGS` in `cwd`. Hypothesis stays out: its plugin costs each process two seconds."""
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *args]
    done = subprocess.run(
        command, cwd=cwd, env=env or environment(), capture_output=True, text=True, timeout=timeout, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)
