"""Wrong words on the command line: one clear line and exit code 4; nothing is started or written."""

import re
from pathlib import Path

import pytest

from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

WRONG = [
    (("--model", "gpt-4.1"), "OPENAI_API_KEY"),
    (("--model", "gtp-4.1"), "unknown model 'gtp-4.1'"),
    (("--agent", "nobody"), "unknown agent 'nobody'"),
    (("--agent", "webagent"), "needs a model"),
    (("--agent", "no.such.module:make"), "can't import 'no.such.module'"),
    (("--agent", "cdp:"), "expected cdp:package.module:function"),
    (("--agent", "cdp:no.such.module:solve"), "can't import 'no.such.module'"),
    (("-m", "nonsense"), "unknown marker 'nonsense'"),
    (("-m", "appeal and valid"), "unknown marker 'valid'; did you mean valid_appeal?"),
    (("-m", "raw and ("), "-m 'raw and (': expected markers joined by"),
    (("--lengths", "2m", "--task", "mbta*"), "2000000 tokens can't be filled for"),
    (("--agent", "http://127.0.0.1:9", "--task", "pw-025"), "nothing answers there"),
    (
        ("--model", "openai/own", "--model-arg", "api_base=http://127.0.0.1:9/v1", "--task", "pw-025"),
        "--model-arg api_base http://127.0.0.1:9/v1: nothing answers there",
    ),
    (("--web", "live", "-m", "appeal"), "has no live version; only long_context tasks have one"),
    (("--model", "openai/x", "--model-arg", "n=3", "--model-arg", "api_base=http://127.0.0.1:9"), "--model-arg n"),
    (("--task", "no-such-task"), "(tasks of your own: add --tasks=FOLDER)"),
    (("--lengths", "12q"), "--lengths"),
    (("--noise", "odd"), "--noise: expected orthogonal or similar, got 'odd'"),
    (("--needle", "nowhere"), "--needle: expected first or middle or last or random, got 'nowhere'"),
    (("--placement", "lost_hope", "--lengths", "25k"), "--placement: expected any of distraction, lost_guidance"),
    (("--placement", "distraction"), "--placement: needs --lengths with a length above 0"),
    (("--repeats", "0"), "--repeats: expected 1 to 1000"),
    (("--sample", "0"), "--sample"),
    (("--noise-pool", "none.jsonl"), "there is no file none.jsonl"),
    (("--run", "Not a slug"), "--run"),
    (("--model-arg", "nope"), "expected key=value"),
    (("--profile", "nope"), "unknown profile 'nope'"),
    (("--rpm", "5"), "need a --model"),
    (("--variant", "0"), "--variant: expected 1 to 999999, got 0"),
    (("--variant", "7", "--web", "live", "-m", "long_context"), "remove --web live"),
    (("--variant", "7", "--tasks", "examples/shop_task"), "remove --tasks"),
    (("--variant", "7", "--site", "shopping_admin=http://127.0.0.1:9/admin"), "remove --site"),
    (("--baseline-variant",), "--baseline-variant: needs --baseline"),
    (("--replay", "no-such-tape", "--model", "gpt-4.1"), "there is no folder no-such-tape"),
    (("--run", "a", "--resume", "b"), "give only one of them"),
    (("--resume=nowhere",), "there is no run here"),
    (("--estimate",), "not oracle"),
    (("--shard", "5/4"), "--shard: expected K/N with K from 1 to N, e.g. 2/4, got '5/4'"),
    (("--balance", "whole"), "--balance: needs --shard"),
    (("--shard", "1/2", "--balance=nowhere"), "there is no finished run nowhere"),
    (("--shard", "1/2", "--baseline=whole"), "give --baseline to `longtrail merge`"),
    (
        ("--model", "openai/nobody-knows", "--model-arg", "api_base=http://127.0.0.1:9", "--budget", "5"),
        "the price of model 'openai/nobody-knows' is unknown",
    ),
]
EACH = pytest.mark.parametrize(("args", "word"), WRONG, ids=[" ".join(args) for args, _ in WRONG])


@pytest.mark.sampled(8, ci=1)
@EACH
def test_a_wrong_word_is_one_line(args: tuple[str, ...], word: str, tmp_path: Path) -> None:
    one_line(tmp_path, word, *args)


@pytest.mark.sampled(41, ci=41)
@EACH
def test_with_workers_too(args: tuple[str, ...], word: str, tmp_path: Path) -> None:
    one_line(tmp_path, word, *args, "-n", "2")


def one_line(folder: Path, word: str, *args: str) -> None:
    done = run_pytest(*args, f"--reports={folder}/reports")
    lines = [line for line in done.err.splitlines() if line.strip()]
    assert (done.code, len(lines)) == (4, 1), done.err
    assert word in lines[0]
    assert not list(folder.iterdir())


def test_a_folder_that_pytest_would_take_for_tests_is_refused(tmp_path: Path) -> None:
    done = run_pytest("--reports", str(tmp_path), "--collect-only")
    assert done.code == 4
    assert f"write --reports={tmp_path}" in done.err


def test_cases_with_more_guidance_come_later_and_appeals_last() -> None:
    done = run_pytest("--task=PW-01[45]", "--agent=oracle", "--collect-only", "-q")
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
