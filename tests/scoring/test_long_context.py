"""Long-context cases: key steps, how they fail, retrieval and summaries."""

from typing import Any

import pytest

from longtrail.checks.answers import Answer
from longtrail.checks.result_steps import StateStep
from longtrail.checks.route_steps import UrlStep
from longtrail.records.result import Metric, Result
from longtrail.records.trajectory import Change, Provenance, Usage
from longtrail.scoring.score import score
from longtrail.tasks.task import LongContextTask
from longtrail.text.matcher import Atoms
from tests.made import (
    CHEAP,
    ELSEWHERE,
    ends,
    first_part,
    long_case,
    long_task,
    second_part,
    step,
    trajectory,
)

SCROLL = {"type": "scroll"}


def long_score(first: tuple[Any, ...], second: tuple[Any, ...], *how: str, **case: Any) -> Result:
    return score(long_task(), trajectory((*first, *second), long_case(**case), ends=ends(*how)))


def test_both_parts_done() -> None:
    result = long_score(first_part(), second_part())
    assert (result.outcome, result.category, result.stage) == ("passed", "success", "a2")
    found = result.values
    assert (found["success"], found["success_given_a1"], found["key_step_rate"]) == (True, True, 1.0)
    assert found["retrieval"] == "TS_RS"
    assert found["steps_over_reference"] == 0.75
    assert [(key.phase, key.name, key.step) for key in result.key_steps][:2] == [
        ("a1", "offers", 1),
        ("a1", "filter", 2),
    ]


def test_the_second_part_alone() -> None:
    found = long_score(first_part(done=False), second_part(), "step_limit").values
    assert (found["success"], found["success_a1"], found["success_a2"]) == (False, False, True)
    assert found["success_given_a1"] is None
    assert found["key_step_rate"] == 0.8


@pytest.mark.parametrize(
    ("second", "how", "category", "retrieval"),
    [
        (second_part(done=False), "finish", "false_end", "TF_RS"),
        (second_part(done=False), "step_limit", "inefficient_progress", "TF_RS"),
        (tuple(step(n, SCROLL, phase="a2", url=ELSEWHERE) for n in range(1, 11)), "step_limit", "loop", "TF_RF"),
        (second_part(done=False), "refusal", "other", "TF_RS"),
        ((), "refusal", "other", "TF_RF"),
    ],
)
def test_how_a_case_fails(second: tuple[Any, ...], how: str, category: str, retrieval: str) -> None:
    result = long_score(first_part(), second, "all_key_steps", how)
    assert (result.outcome, result.category) == ("failed", category)
    assert result.values["retrieval"] == retrieval


def test_the_first_part_that_fails_names_the_error() -> None:
    assert long_score(first_part(done=False), second_part(done=False), "finish", "step_limit").category == "false_end"


def test_retrieval_is_not_defined_without_noise() -> None:
    for more in ({"noise_tokens": 0}, {"noise_tokens": 0, "relocated": True}):
        assert long_score(first_part(), second_part(), **more).values["retrieval"] is None


def test_summaries_relevant_and_used() -> None:
    lost = step(1, SCROLL, phase="a2", url=ELSEWHERE, summary="Fares of the subway were looked up.")
    back = second_part()[0].model_copy(update={"number": 2, "summary": "On IKEA the essentials were opened."})
    found = long_score(first_part(), (lost, back), "all_key_steps", "finish").values
    names = ("relevant", "used", "relevant_used", "irrelevant_unused", "relevant_unused")
    assert [found[f"summary_{name}"] for name in names] == [0.5, 0.5, 0.5, 0.5, 0.0]
    assert "summary_tokens" not in found, "unknown: no summary reported its tokens"
    told = back.model_copy(update={"summary_usage": Usage(calls=1, prompt_tokens=900, completion_tokens=40)})
    assert long_score(first_part(), (lost, told), "all_key_steps", "finish").values["summary_tokens"] == 940
    assert "summary_used" not in long_score(first_part(), second_part()).values


HEART = StateStep(
    name="heart",
    host="www.ikea.com",
    says="LACK",
    place="favourites",
    holds={"products/1": 1},
    route=long_task().a2.key_steps[:1],  # type: ignore[arg-type]
)


NARROWED = UrlStep(name="narrowed", proved_by="heart", host="ikea.com", paths=("/**",), query={"colour": "red"})


def by_result(web: str = "embedded", *, held: bool = True, before: tuple[UrlStep, ...] = ()) -> Result:
    """The second part's favourite is checked in the site's final state. `before`: key steps before it."""
    task = long_task()
    second = task.a2.model_copy(update={"key_steps": (*before, HEART, *task.a2.key_steps[1:])})
    row = {"host": "www.ikea.com", "item": "products/1"}
    changes = (Change(site="consumer", table="favourites", key="1", before=None, after=row),) if held else ()
    provenance = Provenance(longtrail="0", data="d", task="t", web=web)  # type: ignore[arg-type]
    done = trajectory((*first_part(), *second_part()), long_case(), ends=ends(), changes=changes, provenance=provenance)
    return score(task.model_copy(update={"a2": second}), done)


def test_what_the_site_holds_counts_and_the_annotated_way_stands_beside_it() -> None:
    found = by_result()
    assert (found.outcome, found.metrics["paper_success"].value) == ("passed", True)
    undone = by_result(held=False)
    assert (undone.outcome, undone.metrics["paper_success"].value) == ("failed", True)
    assert undone.key_steps[2].reason.startswith("not at the end in favourites of www.ikea.com: LACK")


def test_a_list_that_was_narrowed_another_way_counts_if_the_state_proves_it() -> None:
    assert by_result(before=(NARROWED,)).metrics["paper_success"].value is True
    unproved = NARROWED.model_copy(update={"proved_by": "favourites"})
    assert by_result(before=(unproved,)).metrics["paper_success"].value is False


def test_on_the_live_web_the_annotated_way_counts() -> None:
    assert by_result("live", held=False).outcome == "passed"


SEATS = (Answer(says="It has 61,500 seats.", said=(Atoms(number=(61_500,)),)),)


def asking(first: bool = True, second: bool = False) -> LongContextTask:
    task = long_task()
    return task.model_copy(
        update={
            "a1": task.a1.model_copy(update={"asks": SEATS if first else ()}),
            "a2": task.a2.model_copy(update={"asks": SEATS if second else ()}),
        }
    )


def answered(task: LongContextTask, answer: str | None, how: str = "finish", of: str = "a1") -> Metric:
    last = [] if answer is None else [step(9, {"type": "finish", "answer": answer}, phase=of, url=CHEAP)]
    found = score(task, trajectory((*first_part(), *second_part(), *last), long_case(), ends=ends(how, how)))
    assert found.outcome == "passed"  # answers are no part of success
    return found.metrics["answered"]


def test_what_is_asked_is_answered_or_not() -> None:
    assert answered(asking(), "Soldier Field seats 61,500.").value is True
    wrong = answered(asking(), "It has 65,878 seats.")
    assert (wrong.value, wrong.reason) == (False, "a1: not in the answer: It has 61,500 seats.")
    assert answered(asking(first=False, second=True), "61500", of="a2").value is True


def test_no_answer_is_not_answered() -> None:
    assert answered(asking(), "").value is False
    assert answered(asking(), None, "step_limit").value is False
    both = answered(asking(second=True), "61500", of="a2")
    assert (both.value, both.reason) == (False, "a1: no answer was given; a2: answered: It has 61,500 seats.")


def test_answered_is_not_defined_where_nothing_is_asked_or_no_answer_was_due() -> None:
    assert answered(asking(first=False), "61500").value is None
    assert answered(asking(), None, "all_key_steps").value is None


def test_a_part_that_was_never_played_answers_nothing() -> None:
    found = score(asking(), trajectory((), long_case(), ends=()))
    assert (found.metrics["answered"].value, found.category) == (False, "other")
