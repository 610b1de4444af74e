"""Run folders: finds the run that a command line names."""

from pathlib import Path

from longtrail.errors import LongtrailError

REPORTS = Path("reports")
"""Where runs and reports are written, unless told otherwise."""
RUN_HELP = "a run's folder, or its name below reports/runs"
"""Help text of arguments that name a run."""


def find_run(given: Path, reports: Path = REPORTS) -> Path:
    """A run's folder from its path or its name. Raises LongtrailError if there is no such run."""
    for folder in (given, reports / "runs" / given):
        if folder.is_dir():
            return folder
    raise LongtrailError(f"{given}: there is no such run (looked here and in {reports / 'runs'})")
