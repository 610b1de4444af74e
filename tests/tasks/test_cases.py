"""The plan: which cases there are, what they are called, and what a sample takes of them."""

from hypothesis import given
from hypothesis import strategies as st

from longtrail.tasks.cases import Conditions, Planned, length_name, plan, sample, slug
from longtrail.tasks.task import TASK, Task
from tests.tasks.examples import decision, long_context


def tasks(*entries: dict[str, object]) -> dict[str, Task]:
    return {str(entry["id"]): TASK.validate_python(entry) for entry in entries}


def ids(cases: tuple[Planned, ...]) -> list[str]:
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
    known = tasks(decision(false_alarm=True))
    assert ids(plan(known, Conditions())) == ["tiny-1-raw-r0", "tiny-1-hint-r0", "tiny-1-explicit-r0"]
    appeals = plan(known, Conditions(), appeal=True)
    assert ids(appeals) == ["tiny-1-deceptive-r0", "tiny-1-valid-r0"]
    assert {"appeal", "deceptive_appeal", "false_alarm", "obvious_fraud", "easy", "raw"} <= set(appeals[0].markers)


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
