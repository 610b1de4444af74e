"""Workers are forked from one template. If it or a worker's program is lost, other workers play on.

The runs of these tests load this file as a plugin of their workers.
"""

import os
import threading
from pathlib import Path

import psutil
import pytest

from longtrail.pytest_plugin.worker_template import AVAILABLE
from tests.pytest_plugin.pytest_process import environment, run_pytest

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="only Linux has templates")
NOTES = "LONGTRAIL_TEST_NOTES"
"""The folder in which workers note the parents of each worker."""
KILLED = "LONGTRAIL_TEST_KILLED"
"""What the first worker kills: `template` or `program`."""


def pytest_runtest_setup() -> None:
    template, notes = psutil.Process().parent(), Path(os.environ[NOTES])
    assert template is not None
    controller = template.parent()
    assert controller is not None
    notes.joinpath(str(os.getpid())).write_text(f"{template.pid} {controller.pid}")
    killed = os.environ.get(KILLED)
    if killed and len(list(notes.iterdir())) == 1:
        programs = [each for each in controller.children() if each.pid != template.pid]
        for process in [template] if killed == "template" else programs:
            process.kill()
        threading.Event().wait()


def _play(tmp_path: Path, *args: str, **variables: str) -> tuple[str, list[str]]:
    """The output of a run, and the parents of its workers in the order in which they began a test."""
    notes = tmp_path / "notes"
    notes.mkdir()
    env = environment(**{NOTES: str(notes)}, **variables)
    more = ("-p", "tests.pytest_plugin.test_worker_template", "-m", "raw and not appeal", "--agent", "nothing")
    done = run_pytest(*more, *args, f"--reports={tmp_path}/reports", env=env)
    return done.said, [note.read_text() for note in sorted(notes.iterdir(), key=lambda note: note.stat().st_mtime_ns)]


def test_all_workers_are_forked_from_one_process(tmp_path: Path) -> None:
    said, parents = _play(tmp_path, "-n", "2", "--task", "PW-014", "--task", "PW-025")
    assert "2 failed" in said
    assert len(parents) == 2, said
    assert len(set(parents)) == 1


@pytest.mark.parametrize("killed", ["template", "program"])
def test_a_worker_ends_with_its_template_and_with_its_program(killed: str, tmp_path: Path) -> None:
    said, (first, second) = _play(tmp_path, "-n", "1", "--task", "PW-014", **{KILLED: killed})
    assert "1 failed" in said
    assert "replacing crashed worker gw0" in said
    template, controller = first.split()
    assert (second.split()[0] == controller) if killed == "template" else (second == first), template
