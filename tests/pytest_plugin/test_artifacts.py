"""Copies of runs during a session: a store that hangs does not hold the end of the session forever."""

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fsspec
import pytest
from fsspec.implementations.local import LocalFileSystem

from longtrail.pytest_plugin.artifacts import Artifacts
from longtrail.runs.object_store import Mirror
from tests.runs.test_merging import played


class SilentFiles(LocalFileSystem):  # type: ignore[misc]
    """A store that answers nothing while `silent` is set."""

    protocol = "silent"
    silent = threading.Event()
    go_on = threading.Event()

    def put_file(self, *args: Any, **kwargs: Any) -> None:
        if self.silent.is_set():
            self.go_on.wait()
        super().put_file(*args, **kwargs)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"auto_mkdir": True})


@pytest.fixture
def silent_place(tmp_path: Path) -> Iterator[str]:
    fsspec.register_implementation("silent", SilentFiles, clobber=True)
    yield f"silent://{tmp_path / 'kept'}"
    SilentFiles.go_on.set()
    SilentFiles.silent.clear()


def test_a_store_that_hangs_is_told_at_the_end(tmp_path: Path, silent_place: str) -> None:
    run = played(tmp_path / "runs" / "night", ("one",))
    artifacts = Artifacts(Mirror(run.folder, silent_place), patience=0.2)
    SilentFiles.silent.set()
    (run.folder / "report.html").write_text("another page")
    told: list[str] = []
    terminal = SimpleNamespace(write_line=lambda line, **_: told.append(line))
    config = SimpleNamespace(pluginmanager=SimpleNamespace(getplugin=lambda _: terminal))
    session = SimpleNamespace(exitstatus=1, config=config)
    end = artifacts.pytest_sessionfinish(session)
    next(end)
    with pytest.raises(StopIteration):
        end.send(None)
    assert session.exitstatus == 4
    (line,) = told
    assert "has not answered for 0.2 s; the whole run is in" in line
