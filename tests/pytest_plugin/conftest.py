"""Runs that several tests use; each is made once, by the worker that needs it first."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

from longtrail.runs.store import Run
from longtrail.web.sealed import SealedWeb
from tests.pytest_plugin.laboratory import Laboratory, on
from tests.pytest_plugin.pytest_process import ROOT, Done, environment, process, run_pytest, shared_folder


@dataclass(frozen=True)
class Made:
    """A finished run, and its process."""

    run: Run
    done: Done
    folder: Path

    @property
    def imported(self) -> dict[str, list[str]]:
        """Process (`main`, `gw0` ...) -> the heavy packages that it had imported by its end."""
        return {path.stem: json.loads(path.read_text())["imported"] for path in self.folder.glob("*.json")}


class Runs:
    """Finished runs by name, shared by all workers of this session through a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def made(self, name: str, *args: str) -> Made:
        """The run of this name, made with these arguments if it doesn't exist yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        reports, said, watched = self.folder / name, self.folder / f"{name}.json", self.folder / f"{name}-watched"
        with FileLock(self.folder / f"{name}.lock"):
            if not said.exists():
                env = environment(WATCHING=str(watched))
                done = run_pytest(
                    "-p", "tests.pytest_plugin.watching", f"--reports={reports}", "--run", name, *args, env=env
                )
                said.write_text(json.dumps([done.code, done.out, done.err]))
        return Made(Run.open(reports / "runs" / name), Done(*json.loads(said.read_text())), watched)

    @property
    def serial(self) -> Made:
        """Four cases of the oracle in one process."""
        return self.made("serial", *SAMPLE)

    @property
    def parallel(self) -> Made:
        """The same four with two workers."""
        return self.made("parallel", "-n", "2", *SAMPLE)


SIX = ("-m", "noise_0 or raw and not appeal", "--sample", "6", "--lengths", "0", "--no-shots")
"""Six tasks, each once."""
SAMPLE = (
    *("-m", "long_context and (noise_0 or noise_25k) or raw and not appeal"),
    *("--task", "carnival_trending_deals", "--task", "pw-025", "--task", "spam_false_alarm_001"),
)
"""Three short tasks, one of them with and without a history."""


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(shared_folder(tmp_path_factory) / "runs")


@pytest.fixture(scope="session")
def laboratory(embedded_web: SealedWeb) -> Iterator[Laboratory]:
    with on(embedded_web) as laboratory:
        yield laboratory


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the current sources, without a network: the build tools are those of this environment."""
    out = tmp_path_factory.mktemp("dist")
    done = process(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT))
    assert done.code == 0, done.said[-3000:]
    assert len(list(out.glob("*.tar.gz"))) == 1
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new virtual environment with the wheel. The dependencies are those of this process, so that no network is
    needed; nothing comes from this clone."""
    folder = tmp_path_factory.mktemp("venv")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    (site,) = folder.glob("lib/python3*/site-packages")
    shared = [path for path in sys.path if path.endswith("site-packages")]
    (site / "shared.pth").write_text("\n".join(shared) + "\n", encoding="utf-8")
    install = ["-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--no-deps", "--no-index", "--quiet"]
    subprocess.run([sys.executable, *install, "--ignore-installed", str(wheel)], check=True, env=environment())
    script = folder / "bin" / "pytest"
    script.write_text(f'#!/bin/sh\nexec "{folder}/bin/python" -m pytest "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return folder
