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
"""The folder in which workers note their parents."""


def pytest_runtest_setup() -> None:
    """The first worker kills the programs of all workers, the second one the template; the third one plays."""
    template, notes = psutil.Process().parent(), Path(os.environ[NOTES])
    assert template is not None
    controller = template.parent()
    assert controller is not None
    number = len(list(notes.iterdir()))
    notes.joinpath(str(number)).write_text(f"{template.pid} {controller.pid}")
    if number < 2:
        programs = [each for each in controller.children() if each.pid != template.pid]
        for process in (programs, [template])[number]:
            process.kill()
        threading.Event().wait()


def test_workers_are_forked_from_one_process_and_end_with_it_and_with_their_programs(tmp_path: Path) -> None:
    """Without a template, a worker is a process of its own."""
    notes = tmp_path / "notes"
    notes.mkdir()
    words = ("-p", "tests.pytest_plugin.test_worker_template", "-m", "raw and not appeal", "--agent", "nothing")
    more = ("-n", "1", "--task", "PW-014", f"--reports={tmp_path}/reports")
    said = run_pytest(*words, *more, env=environment(**{NOTES: str(notes)})).said
    assert "1 failed" in said
    assert "replacing crashed worker gw0" in said
    first, second, third = [(notes / str(number)).read_text() for number in range(3)]
    template, controller = first.split()
    assert second == first, template
    assert third.split()[0] == controller
