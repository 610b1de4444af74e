"""The command that plays a case again selects that case alone."""

import shlex

import pytest

from longtrail.records.trajectory import Contender
from longtrail.report.trace.page import play_again
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from tests.pytest_plugin.pytest_process import ROOT, run_pytest

TASKS = load_tasks()


@pytest.mark.sampled(6, ci=2)
@pytest.mark.parametrize(
    ("task", "given", "case"),
    [
        ("ikea_favorites", {"lengths": (25_000,)}, "ikea_favorites-25k-r0"),
        ("ikea_favorites", {"lengths": (0,), "relocated": True, "repeats": 2}, "ikea_favorites-relocated-r1"),
        ("ikea_favorites", {"lengths": (40_000,), "noise": "similar", "needle": "last"}, ""),
        ("PW-055", {"prompts": ("hint",), "variant": 7}, "pw-055-hint-v7-r0"),
        ("PW-055", {"lengths": (0, 50_000), "placements": ("lost_guidance",)}, "pw-055-hint-lost_guidance-0-r0"),
        ("HF-001", {"prompts": ("raw",)}, "hf-001-raw-r0"),
    ],
)
def test_it_selects_the_case(task: str, given: dict[str, object], case: str) -> None:
    planned = plan({task: TASKS[task]}, Conditions(**{"relocated": False, **given}))  # type: ignore[arg-type]
    wanted = next(each.case for each in planned if case in ("", each.case.id))
    words = shlex.split(play_again(wanted, Contender(agent="nothing")))
    assert words[0] == "pytest"
    done = run_pytest(*words[1:], "--collect-only", "-q")
    collected = [line for line in done.out.splitlines() if "::" in line]
    assert [line[line.rfind("[") + 1 : -1] for line in collected] == [wanted.id], done.said


def test_it_says_who_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    case = next(iter(plan({"PW-055": TASKS["PW-055"]}, Conditions()))).case
    contender = Contender(
        agent="webagent", model="openai/a b", profile="pathways", options={"max_tokens": 900, "vision": True}
    )
    assert play_again(case, contender) == (
        "pytest benchmark_tests --task PW-055 -k pw-055-raw-r0 --agent webagent --model 'openai/a b' --profile pathways"
        " --model-arg max_tokens=900 --agent-arg vision=true"
    )
