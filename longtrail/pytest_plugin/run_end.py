"""Run end: how a session that plays cases is stopped early."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from longtrail.pytest_plugin.plugin import FOLDER

if TYPE_CHECKING:
    from longtrail.runs.store import Run


@contextmanager
def ends_with_its_run(session: pytest.Session) -> Iterator[None]:
    """The one way in which a session ends before its time: in one line, with exit code 4, in every worker.

    What tells is the run's stop file (`Run.stop` writes it, `Run.stop_reason` reads it). Agent loops and limits of
    model calls read it while they work and give up; around whatever plays a case, this ends the process'
    session if the file is there before or after. A UsageError in between concerns the whole run: it is written there
    for all workers.
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
    if reason := run.stop_reason:
        if hasattr(session.config, "workerinput"):
            session.shouldstop = reason  # what the controller reads a worker's end from
        pytest.exit(reason, returncode=4)
