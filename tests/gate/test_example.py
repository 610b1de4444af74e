"""The example in examples/ci: an equal agent stays green, a worse one turns red; the workflow calls the same script."""

import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import yaml

from longtrail.gate.judge import judge
from longtrail.options.gate_rules import GateRules
from longtrail.runs.baseline import Scores
from tests.gate.made_scores import long, scores
from tests.pytest_plugin.pytest_process import ROOT, environment

FOLDER = ROOT / "examples" / "ci"


FEWER = ("--repeats", "2")
"""Arguments after the script's own: two repeats instead of three, which are too few for the script's margin."""
WIDER = ("--margin", "0.5")


def gate(what: str, agent: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """`gate.sh WHAT AGENT FILE`, as the workflow calls it, with this clone's tests instead of the wheel's."""
    changes = {
        "PYTHON": sys.executable,
        "PYTHONPATH": str(ROOT),
        "PYTEST_ADDOPTS": "-p no:hypothesispytest",
        "LONGTRAIL_TESTS": str(ROOT / "benchmark_tests"),
        "REPORTS": str(folder / f"{what}-{agent}"),
    }
    command = [str(FOLDER / "gate.sh"), what, str(FOLDER / agent), str(folder / "kept" / "baseline.json"), *FEWER]
    command += WIDER if what == "check" else ()
    return subprocess.run(
        command, env=environment(**changes, **env), capture_output=True, text=True, timeout=400, check=False
    )


@pytest.mark.thorough
def test_an_equal_agent_is_green_and_a_worse_one_red(tmp_path: Path) -> None:
    """Both changes are checked at the same time, as two pull requests are. Two repeats are enough to separate them."""
    made = gate("baseline", "agent", tmp_path)
    assert made.returncode == 0, made.stdout[-3000:] + made.stderr[-2000:]
    assert "6 cases in" in made.stdout
    summary = tmp_path / "summary.md"
    with ThreadPoolExecutor(2) as both:
        equal = both.submit(gate, "check", "refactored", tmp_path)
        worse = both.submit(gate, "check", "forgetful", tmp_path, GITHUB_STEP_SUMMARY=str(summary))
    green, red = equal.result(), worse.result()
    assert green.returncode == 0, green.stdout[-3000:] + green.stderr[-2000:]
    assert red.returncode == 1, red.stdout[-3000:] + red.stderr[-2000:]
    told = summary.read_text(encoding="utf-8")
    assert told.startswith("## Longtrail gate: REGRESSION")
    assert "| steam\\_dota\\_dlc 25k | 100 | 0 |" in told
    reports = [json.loads(path.read_bytes()) for path in sorted(tmp_path.glob("check-*/runs/*/gate.json"))]
    assert [one["verdict"] for one in reports] == ["REGRESSION", "NO REGRESSION FOUND"]


def test_the_scripts_own_settings_can_pass_and_fail() -> None:
    """With the script's tasks, repeats and margin, nine equal pairs are green, and nine lost ones are a regression."""
    script = (FOLDER / "gate.sh").read_text(encoding="utf-8")
    tasks, repeats = re.findall(r"--task (\w+)", script), int(re.findall(r"--repeats (\d+)", script)[0])
    rules = GateRules(margin=float(re.findall(r"--margin ([\d.]+)", script)[0]))

    def run(success: float, name: str) -> Scores:
        return scores([long(task, success, repeat, 25_000) for task in tasks for repeat in range(repeats)], name)

    assert judge(run(1.0, "main"), run(1.0, "change"), rules).exit_code == 0
    assert judge(run(1.0, "main"), run(0.0, "change"), rules).verdict == "REGRESSION"


def test_the_script_says_how_it_is_called() -> None:
    done = subprocess.run([str(FOLDER / "gate.sh")], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "baseline or check" in done.stderr
    assert os.access(FOLDER / "gate.sh", os.X_OK)


def test_the_workflow_calls_the_script() -> None:
    flow = yaml.safe_load((FOLDER / "longtrail-gate.yml").read_text(encoding="utf-8"))
    steps = flow["jobs"]["gate"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    assert './gate.sh baseline . "$BASELINE"' in runs
    assert './gate.sh check . "$BASELINE"' in runs
    assert flow["permissions"] == {"contents": "read"}
    triggers = flow[True]  # YAML 1.1 reads the key `on` as true
    assert triggers["push"] == {"branches": ["main"]}
    assert "pull_request" in triggers
    assert all(step["if"] for step in steps if step.get("run", "").startswith("./gate.sh"))
    assert not any("continue-on-error" in step for step in steps)


@pytest.mark.parametrize("agent", ["agent", "refactored", "forgetful"])
def test_the_agents_are_whole(agent: str) -> None:
    """Each folder is what a checkout of one commit holds."""
    assert "def make(assignment" in (FOLDER / agent / "my_agent.py").read_text(encoding="utf-8")
