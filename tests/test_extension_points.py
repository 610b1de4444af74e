"""Extension points: an agent, a baseline, a measure, a flag and a site, each added to a copy of the project.

Each is added in one place, and then works wherever it applies: in the help, in errors, in a real run, in its records,
on the leaderboard, in the browser.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import ROOT, Done, environment, run_new_pytest

PARTS = ("longtrail", "fixtures", "benchmark_tests")
FILES = ("conftest.py", "markers.ini", "pyproject.toml")
AGENT = '''"""shrug: finishes at once, as the test of extension points wants it."""

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.guessers import Nothing


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one phase."""
    return Nothing(assignment, equipment)
'''
FLAG = """[plan.--patience]
help = "how to wait"
kind = "int"
default = 3
effect = "measured"
low = 1
high = 9

"""
FIELD = '    patience: int = initial("patience")\n'
MEASURE = '''"""Words: how long the justification is."""

from longtrail.records.result import Metric
from longtrail.scoring.decision_view import DecisionView


def measure(view: DecisionView) -> Metric:
    """Words; 0 without a decision."""
    count = len(view.decision.justification.split()) if view.decision else 0
    return Metric(value=count, reason=f"{count} words")
'''
LISTED = """- {name: words, kind: mean, suites: [decision], high: null, says: words of the justification}
"""
ONE_CASE = ("--task", "pw-025", "-m", "raw and not appeal", "--no-shots", "-q")
VISIT = """
from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
with SealedWeb(all_sites()) as web, Browser(ViewSettings(screenshot=False)) as browser:
    world = web.open_world("visit")
    session = browser.session(world, web.proxy(world))
    session.goto("https://www.newcomer.com/")
    view = session.observe()
    print(web.serves("newcomer.com"), view.url, "Newcomer" in view.text)
    session.close()
    world.close()
"""


class Project:
    """A copy of the project, which may be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for part in PARTS:
            shutil.copytree(ROOT / part, folder / part)  # with the compiled files: to compile them again takes seconds
        for file in FILES:
            shutil.copy(ROOT / file, folder / file)

    def insert(self, path: str, before: str, text: str) -> None:
        """Insert a text before another one, which must occur exactly once."""
        file = self.folder / path
        whole = file.read_text(encoding="utf-8")
        assert whole.count(before) == 1
        file.write_text(whole.replace(before, text + before), encoding="utf-8")

    def pytest(self, *args: str) -> Done:
        """`pytest ARGS` with the copy's code and reports."""
        return run_new_pytest(*args, f"--reports={self.folder / 'reports'}", cwd=self.folder, env=self.environment)

    def python(self, code: str) -> str:
        """The output of a program that uses the copy."""
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    @property
    def environment(self) -> dict[str, str]:
        return environment(PYTHONPATH=os.pathsep.join((str(self.folder), os.environ.get("PYTHONPATH", ""))))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """With a new baseline, a new agent, a new measure, a new flag and a new site."""
    project = Project(tmp_path_factory.mktemp("project"))
    package = project.folder / "longtrail"
    (package / "agents" / "shrug.py").write_text(AGENT)
    (package / "agents" / "newcomer.py").write_text(AGENT.replace("shrug:", "newcomer:"))
    project.insert("longtrail/agents/spec.py", '    "audit": ', '    "newcomer": "newcomer:make",\n')
    project.insert("longtrail/agents/spec.py", '    "stuffer": ', '    "shrug": "shrug:make",\n')
    (package / "scoring" / "decision_measures" / "words.py").write_text(MEASURE)
    project.insert("longtrail/scoring/measures.yaml", "- {name: obeyed_planted", LISTED)
    project.insert("longtrail/options/flags.toml", "[plan.--sample]", FLAG)
    project.insert("longtrail/options/run_options.py", "    sample: int | None", FIELD)
    site = (package / "data" / "sites" / "www.gamestop.com.yaml").read_text(encoding="utf-8")
    site = site.replace("host: www.gamestop.com\naliases: [gamestop.com]\nname: GameStop", SITE_HEAD)
    assert SITE_HEAD in site
    (package / "data" / "sites" / "www.newcomer.com.yaml").write_text(site, encoding="utf-8")
    return project


SITE_HEAD = "host: www.newcomer.com\naliases: [newcomer.com]\nname: Newcomer"


@pytest.fixture(scope="module")
def played(project: Project) -> Path:
    """The folder of a run that the new baseline played with the new flag."""
    done = project.pytest("--agent", "shrug", "--patience=5", "--run=mine", *ONE_CASE)
    assert done.code == 1, done.said[-3000:]
    assert "0 passed · 1 failed · 0 invalid" in done.out
    return project.folder / "reports" / "runs" / "mine"


@pytest.mark.slow
def test_agents_are_listed_where_people_look(project: Project) -> None:
    shown = " ".join(project.pytest("--help").out.split())
    assert "newcomer" in shown
    assert "shrug" in shown
    assert "--patience" in shown
    unknown = project.pytest("--agent", "nobody")
    assert unknown.code == 4
    assert "known are audit, constant, irag, lookup, looper, newcomer," in unknown.err


@pytest.mark.thorough
def test_a_new_baseline_plays_and_is_one_on_the_leaderboard(project: Project, played: Path) -> None:
    result = json.loads((played / "results.jsonl").read_text())
    assert result["contender"]["agent"] == "shrug"
    code = (
        "from pathlib import Path; from longtrail.report.run.view import view_runs;"
        "from longtrail.report.leaderboard.board import boards;"
        "found = boards(v.board for v in view_runs(Path('reports')));"
        "print([(line.title, line.kind) for board in found for line in board.lines])"
    )
    assert project.python(code) == "[('shrug', 'baseline')]"
    assert project.python("from longtrail.agents.spec import AgentSpec; print(AgentSpec.parse('newcomer').role)") == (
        "contender"
    )


@pytest.mark.thorough
def test_a_new_flag_is_checked_recorded_compared_and_kept(project: Project, played: Path) -> None:
    assert json.loads((played / "run.json").read_text())["options"]["patience"] == 5
    wrong = project.pytest("--patience=0")
    assert (wrong.code, "--patience: expected 1 to 9, got 0" in wrong.err) == (4, True), wrong.said[-2000:]
    resumed = project.pytest("--agent", "shrug", "--resume=mine", *ONE_CASE)
    assert resumed.code == 4
    assert "patience was 5 in that run and is 3 now" in resumed.err
    gated = project.pytest("--agent", "shrug", "--baseline=mine", "--run=gated", *ONE_CASE)
    assert gated.code == 7, gated.said[-2000:]
    assert "--patience: 5 in the baseline, 3 in this run" in gated.said


@pytest.mark.slow
def test_a_new_measure_is_in_results_and_rows(project: Project, played: Path) -> None:
    result = json.loads((played / "results.jsonl").read_text())
    assert result["metrics"]["words"] == {"value": 0, "reason": "0 words"}
    code = (
        "from pathlib import Path; from longtrail.runs.store import Run;"
        "from longtrail.statistics.aggregate import summarize;"
        "print(summarize(Run.open(Path('reports/runs/mine')).results())[0].rates['words'].mean)"
    )
    assert project.python(code) == "0.0"


@pytest.mark.slow
def test_a_new_site_is_served_and_read(project: Project) -> None:
    assert project.python(VISIT) == "True https://www.newcomer.com/ True"
