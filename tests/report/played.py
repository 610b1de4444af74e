"""Played: one small real run for all tests of reports: a scripted model that investigates, with screenshots and model
calls."""

from pathlib import Path

from longtrail.llm.mock.server import MockServer
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done, environment, run_pytest

KEY = "sk-none-0123456789abcdef"


def played(reports: Path) -> tuple[Run, Done]:
    """The shop's case PW-025 in a session of its own: the model looks around, and decides wrongly."""
    reports.mkdir(exist_ok=True)
    with MockServer() as server:
        done = run_pytest(
            *("-m", "raw and not appeal", "--task", "pw-025", "--model", "openai/scripted-careful"),
            *("--model-arg", f"api_base={server.url}", f"--reports={reports}", "--run", "played"),
            *(f"--junitxml={reports}/junit.xml", f"--html={reports}/page.html", f"--summary-md={reports}/summary.md"),
            env=environment(OPENAI_API_KEY=KEY, GITHUB_STEP_SUMMARY=str(reports / "step.md")),
        )
    return Run.open(reports / "runs" / "played"), done
