"""The plan: which cases there are, their names, which of them a sample takes, and what is told before the noise."""

from hypothesis import given
from hypothesis import strategies as st

from longtrail.records.trajectory import Case
from longtrail.tasks.briefing import case_prompt, earlier_turns_text, guidance_plan_of
from longtrail.tasks.cases import Conditions, PlannedCase, length_name, plan, sample, slug
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import TASK, DecisionTask, Task
from tests.tasks.examples import decision, long_context


def tasks(*entries: dict[str, object]) -> dict[str, Task]:
    return {str(entry["id"]): TASK.validate_python(entry) for entry in entries}


def ids(cases: tuple[PlannedCase, ...]) -> list[str]:
    return [planned.case.id for planned in cases]


def test_long_context_cases() -> None:
    cases = plan(tasks(long_context()), Conditions(lengths=(0, 25_000, 31_000), repeats=2))
    assert ids(cases) == [
        "tiny_lamp-0-r0",
        "tiny_lamp-relocated-r0",
        "tiny_lamp-25k-r0",
        "tiny_lamp-31k-r0",
        "tiny_lamp-0-r1",
        "tiny_lamp-relocated-r1",
        "tiny_lamp-25k-r1",
        "tiny_lamp-31k-r1",
    ]
    assert cases[2].markers == ("long_context", "noise_25k", "medium")
    assert cases[3].markers[1] == "noise_other"
    assert cases[1].case.relocated
    assert cases[1].case.noise_tokens == 0


def test_decision_cases_with_and_without_appeal() -> None:
    known = tasks(decision())
    assert ids(plan(known, Conditions())) == ["tiny-1-raw-r0", "tiny-1-hint-r0", "tiny-1-explicit-r0"]
    appeals = plan(known, Conditions(), appeal=True)
    assert ids(appeals) == ["tiny-1-deceptive-r0", "tiny-1-valid-r0"]
    assert {"appeal", "deceptive_appeal", "obvious_fraud", "easy", "raw"} <= set(appeals[0].markers)


def test_a_false_alarm_of_the_forum_leaves_things_as_they_are() -> None:
    forum = {"suite": "reddit", "category": "spam", "truth": {"optimal": "APPROVE"}}
    (alarm, *_), (task, *_) = (
        plan(tasks(decision(**fields)), Conditions()) for fields in (forum, {"truth": forum["truth"]})
    )
    assert "false_alarm" in alarm.markers
    assert "false_alarm" not in task.markers


def test_names() -> None:
    assert slug("openai/GPT-4.1 (x)") == "openai-gpt-4-1-x"
    assert [length_name(n) for n in (0, 25_000, 12_345)] == ["0", "25k", "12345"]


MANY = plan(
    tasks(
        *(long_context(id=f"task_{n}", number=n) for n in range(1, 9)),
        *(
            decision(id=f"S-{n}", category=c)
            for n, c in enumerate(["obvious_fraud", "edge_case", "security_threat"] * 4)
        ),
    ),
    Conditions(lengths=(0, 25_000)),
)


@given(size=st.integers(1, 30), seed=st.integers(0, 5))
def test_a_sample_is_of_whole_tasks_in_order(size: int, seed: int) -> None:
    """All conditions and lengths of a task stay together, so that effects can be paired."""
    taken = sample(MANY, size, seed)
    drawn = {planned.task.id for planned in taken}
    assert len(drawn) == min(size, len({planned.task.id for planned in MANY}))
    assert ids(taken) == ids(tuple(planned for planned in MANY if planned.task.id in drawn))
    assert ids(taken) == ids(sample(MANY, size, seed))


def test_a_small_sample_is_spread() -> None:
    taken = sample(MANY, 8, seed=0)
    drawn = {planned.task.id: planned for planned in taken}
    suites = [planned.case.suite for planned in drawn.values()]
    assert {suite: suites.count(suite) for suite in suites} == {"long_context": 4, "shopping_admin": 4}
    assert len({getattr(planned.task, "category", "") for planned in drawn.values()}) == 4
    assert ids(taken) != ids(sample(MANY, 8, seed=1))


def test_decision_tasks_are_crossed_with_lengths() -> None:
    known = tasks(decision())
    conditions = Conditions(lengths=(0, 50_000), placements=("distraction", "lost_guidance", "lost_evidence"))
    cases = plan(known, conditions)
    assert plan(known, conditions, appeal=True) == ()
    assert [planned.case.id for planned in cases if planned.case.noise_tokens == 50_000] == [
        "tiny-1-raw-distraction-50k-r0",
        "tiny-1-hint-distraction-50k-r0",
        "tiny-1-explicit-distraction-50k-r0",
        "tiny-1-hint-lost_guidance-50k-r0",
        "tiny-1-explicit-lost_guidance-50k-r0",
        "tiny-1-raw-lost_evidence-50k-r0",
    ]
    assert len({planned.case.id for planned in cases}) == 12
    assert {"pathways", "crossed", "lost_evidence", "raw", "noise_50k"} <= set(cases[-1].markers)
    assert {planned.case.setting for planned in cases} == {"crossed"}


def test_other_noise_than_the_paper_s_stands_in_the_case_s_name() -> None:
    conditions = Conditions(lengths=(25_000,), relocated=False, noise="similar", needle="last")
    (planned,) = plan(tasks(long_context()), conditions)
    assert planned.case.id == "tiny_lamp-25k-similar-last-r0"
    assert planned.case.setting == "similar noise, needle last"
    assert plan(tasks(long_context()), Conditions(lengths=(25_000,), relocated=False))[0].case.setting == ""


def test_the_names_of_cases_tell_the_variant() -> None:
    known = tasks(long_context(), decision())
    varied = plan(known, Conditions(lengths=(0, 25_000), prompts=("raw",), variant=7))
    assert ids(varied) == ["tiny_lamp-0-v7-r0", "tiny_lamp-relocated-v7-r0", "tiny_lamp-25k-v7-r0", "tiny-1-raw-v7-r0"]
    assert {one.case.variant for one in varied} == {7}
    assert ids(plan(known, Conditions(variant=7), appeal=True)) == ["tiny-1-deceptive-v7-r0", "tiny-1-valid-v7-r0"]
    crossed = Conditions(lengths=(25_000,), prompts=("raw",), placements=("distraction",), variant=7)
    assert ids(plan(tasks(decision()), crossed)) == ["tiny-1-raw-distraction-25k-v7-r0"]


def crossed(placement: str, prompt: str) -> Case:
    return Case.model_validate(
        {"id": "x", "suite": "shopping_admin", "task": "PW-025", "placement": placement, "prompt": prompt}
    )


def test_guidance_is_told_once_before_the_noise_or_after_it() -> None:
    task = load_tasks()["PW-025"]
    assert isinstance(task, DecisionTask)
    hint = task.prompts.hint.strip()
    after, before = crossed("distraction", "hint"), crossed("lost_guidance", "hint")
    assert hint in case_prompt(task, after)
    assert hint not in case_prompt(task, before)
    assert "told some time ago how to go about this case" in case_prompt(task, before)
    assert hint in earlier_turns_text(task, before)
    assert guidance_plan_of(task).strip() in earlier_turns_text(task, crossed("lost_guidance", "explicit"))
    plain = Case(id="x", suite="shopping_admin", task="PW-025", prompt="hint")
    assert case_prompt(task, plain) == case_prompt(task, after)


def test_who_found_something_before_is_told_so_and_not_what() -> None:
    task = load_tasks()["PW-025"]
    assert isinstance(task, DecisionTask)
    case = crossed("lost_evidence", "raw")
    told = earlier_turns_text(task, case) + case_prompt(task, case)
    assert "began to look into this case" in told
    assert "5,879" not in told
