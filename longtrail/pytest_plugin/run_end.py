"""Run end: stops a session that plays cases early."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from longtrail.pytest_plugin.case_session import FOLDER

if TYPE_CHECKING:
    from longtrail.runs.store import Run


@contextmanager
def ends_with_its_run(session: pytest.Session) -> Iterator[None]:
    """The only way in which a session ends early: one line and exit code 4, in every worker.

    The run's stop file signals it (`Run.stop` writes it, `Run.stop_reason` reads it). Agent loops and limits of model
    calls check it while they work and give up. This context manager ends the process's session if the file exists
    before or after a case. A UsageError during a case concerns the whole run, so it is written to the file for all
    workers. A worker also ends if its session does (`-x`), without a line of its own.
    """
    from longtrail.errors import UsageError
    from longtrail.runs.store import Run

    run = Run.open(session.config.stash[FOLDER])
    _end_if_stopped(session, run)
    try:
        yield
    except UsageError as error:
        run.stop(str(error))
    _end_if_stopped(session, run)


def _end_if_stopped(session: pytest.Session, run: "Run") -> None:
    from longtrail.runs.under_way import session_over

    reason = run.stop_reason
    if not reason and hasattr(session.config, "workerinput") and session_over(run.folder):
        reason = "the session ends"
    if reason:
        if hasattr(session.config, "workerinput"):
            session.shouldstop = reason  # the controller reads from this why a worker ended
        pytest.exit(reason, returncode=4)
