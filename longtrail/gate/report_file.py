"""Report file: the gate's report as a run keeps it, and in the summary of a GitHub job."""

import os
from pathlib import Path

from longtrail.gate.findings import GateReport
from longtrail.gate.formatting import markdown

FILE = "gate.json"
SUMMARY = "GITHUB_STEP_SUMMARY"


def write_report(report: GateReport, folder: Path) -> str:
    """Write it to the run's folder, and to the job's summary where there is one. Returns why that failed, or nothing:
    a verdict must not become a crash, whose exit code would say regression."""
    (folder / FILE).write_text(report.model_dump_json(indent=1) + "\n", encoding="utf-8")
    if summary := os.environ.get(SUMMARY):
        try:
            with Path(summary).open("a", encoding="utf-8") as file:
                file.write(markdown(report))
        except OSError as error:
            return f"{summary} can't be written: {error.strerror}"
    return ""
