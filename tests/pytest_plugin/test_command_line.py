"""Wrong words on the command line: one clear line and exit code 4; nothing is started or written."""

import re
import shlex
from pathlib import Path

import pytest

from longtrail.yaml_file import read_yaml
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

WRONG = read_yaml(ROOT / "tests" / "options" / "refused.yaml")["sessions"]
"""`tests/options/test_flags.py` has those that need no session."""


@pytest.mark.sampled(8, ci=1)
@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_word_is_one_line(words: str, tmp_path: Path) -> None:
    one_line(tmp_path, WRONG[words], *shlex.split(words))


def test_with_workers_too(tmp_path: Path) -> None:
    one_line(tmp_path, "--repeats: expected 1 to 1000", "--repeats", "0", "-n", "2")


def one_line(folder: Path, word: str, *args: str) -> None:
    done = run_pytest(*args, f"--reports={folder}/reports")
    lines = [line for line in done.err.splitlines() if line.strip()]
    assert (done.code, len(lines)) == (4, 1), done.err
    assert word in lines[0]
    assert not list(folder.iterdir())
    assert "html report" not in done.out, "nor pytest-html's page of the session"


def test_a_folder_that_pytest_would_take_for_tests_is_refused(tmp_path: Path) -> None:
    done = run_pytest("--reports", str(tmp_path), "--collect-only")
    assert done.code == 4
    assert f"write --reports={tmp_path}" in done.err


def test_cases_with_more_guidance_come_later_and_appeals_last(tmp_path: Path) -> None:
    """Nothing is written if cases are only collected."""
    done = run_pytest("--task=PW-01[45]", "--agent=oracle", "--collect-only", "-q", f"--reports={tmp_path}/reports")
    assert not (tmp_path / "reports").exists()
    cases = re.findall(r"\[(pw-01\d)-(\w+)-r0\]", done.out)
    order = ["raw", "hint", "explicit", "deceptive", "valid"]
    assert [condition for _, condition in cases] == [word for word in order[:3] for _ in range(2)] + order[3:] * 2


def test_a_run_is_never_overwritten(tmp_path: Path) -> None:
    folder = tmp_path / "reports" / "runs" / "mine"
    folder.mkdir(parents=True)
    (folder / "run.json").write_text("{}")
    done = run_pytest("--run", "mine", f"--reports={tmp_path}/reports")
    assert done.code == 4
    assert "already has a run" in done.err
    assert (folder / "run.json").read_text() == "{}"


def test_no_browser_is_one_line(tmp_path: Path) -> None:
    env = environment(LONGTRAIL_CHROMIUM=str(tmp_path / "chromium"))
    done = run_pytest("--sample", "1", f"--reports={tmp_path}/reports", env=env)
    assert done.code == 4
    assert "LONGTRAIL_CHROMIUM" in done.said
    assert "Traceback" not in done.said


def test_every_marker_of_the_plan_is_documented() -> None:
    from iniconfig import IniConfig

    from longtrail.tasks.cases import PAPER_LENGTHS, Conditions, plan
    from longtrail.tasks.loading import load_tasks

    documented = set(IniConfig(str(ROOT / "markers.ini"))["markers"])
    conditions = Conditions(lengths=(*PAPER_LENGTHS, 31_000))
    tasks = load_tasks()
    used = {
        mark for appeal in (False, True) for each in plan(tasks, conditions, appeal=appeal) for mark in each.markers
    }
    assert used <= documented
    assert run_pytest("--markers").out.count("@pytest.mark.noise_25k: a history of 25,000 tokens") == 1
