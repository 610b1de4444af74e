"""Report file: the gate's report as a run keeps it, and in the summary of a GitHub job."""

import os
from pathlib import Path

from longtrail.gate.findings import GateReport
from longtrail.gate.formatting import markdown

FILE = "gate.json"
SUMMARY = "GITHUB_STEP_SUMMARY"


def write_report(report: GateReport, folder: Path) -> str:
    """Write it to the run's folder, and to the job's summary if there is one. Returns what could not be written and
    why, or an empty text: an exception would change the exit code to that of a regression."""
    try:
        (folder / FILE).write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        return f"{folder / FILE} can't be written: {error.strerror}"
    return tell_job(report)


def tell_job(report: GateReport) -> str:
    """Add it to the GitHub job's page, if there is one. Returns why it could not be written, or an empty text."""
    try:
        to_job_page(markdown(report))
    except OSError as error:
        return f"{os.environ[SUMMARY]} can't be written: {error.strerror}"
    return ""


def job_page() -> str:
    """The file of GitHub's job page; empty if there is none."""
    return os.environ.get(SUMMARY, "")


def to_job_page(text: str) -> None:
    """Add Markdown to the GitHub job's page, if there is one. Raises OSError."""
    if page := job_page():
        with Path(page).open("a", encoding="utf-8") as file:
            file.write(text)
