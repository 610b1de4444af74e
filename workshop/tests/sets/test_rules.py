"""The shipped suites follow the rules on sets, and every rule finds its kind of fault."""

from collections.abc import Mapping
from typing import Any

import pytest

from longtrail.tasks.task import DecisionTask
from tests.authoring.validity.test_faults import SHOP, SOUND, changed, fields
from workshop.sets import rules, texts
from workshop.sets.rules import SET_RULES, SetRule
from workshop.tests.validity.test_shipped import SUITES


@pytest.mark.sampled(8)
@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("rule", SET_RULES.values(), ids=SET_RULES)
def test_shipped_suites(suite: str, rule: SetRule) -> None:
    assert list(rule(SUITES[suite])) == []


@pytest.mark.thorough
def test_a_word_that_tells_the_decision_is_found() -> None:
    leaky = {n: changed(task, trigger=f"{task.trigger} Cue{task.truth.optimal}.") for n, task in SHOP.items()}
    some = {name: leaky[name] for name in list(leaky)[::3]}
    told = " ".join(finding.message for finding in rules.surface_tells_nothing(some))
    assert "naive Bayes on words" in told
    assert "decision tree on words" in told
    assert list(rules.surface_tells_nothing_within_a_category(leaky))


def test_one_decision_for_all_is_found() -> None:
    same = {n: changed(t, truth__optimal="APPROVE", truth__harmful=[], truth__acceptable=[]) for n, t in SHOP.items()}
    assert fields(rules.decisions_are_spread(same)) == {"truth", "truth.optimal"}


def _copied(field: str) -> Mapping[str, DecisionTask]:
    """Five cases, four of which have the same text in one field."""
    some = [SHOP[name] for name in ("PW-014", "PW-021", "PW-025", "PW-055", "PW-067")]
    text = "The parcel was never opened by anybody but the neighbour with the two dogs."
    value: Any = [text] if field.startswith("appeal") else text
    return {task.id: task if task.id == "PW-067" else changed(task, **{field: value}) for task in some}


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ("triggers_are_phrased_one_by_one", "trigger"),
        ("justifications_are_written_one_by_one", "reference__justification"),
        ("sentences_are_not_shared", "appeal__deceptive"),
    ],
)
def test_copies_are_found(rule: str, field: str) -> None:
    found = list(SET_RULES[rule](_copied(field)))
    assert found
    assert "PW-067" not in {name for finding in found for name in finding.tasks}


def test_evidence_from_one_mould_is_found() -> None:
    note = "Carrier's trace: handed to {} at the front desk on March {}, signature on file."
    tasks = {}
    for name, who, day in (("PW-014", "Patricia", 4), ("PW-021", "Jane", 9)):
        story = SHOP[name].model_dump(mode="json")["story"]
        story["orders"][0]["comments"] = [{"text": note.format(who, day)}]
        tasks[name] = changed(SHOP[name], story=story)
    assert [finding.tasks for finding in rules.evidence_is_written_one_by_one(tasks)] == [("PW-014", "PW-021")]


def test_masks_hide_names_and_figures_only() -> None:
    hidden = texts.names(SOUND)
    assert texts.masked("Ms. Johnson paid $95.68 on 3.10.", hidden) == "ms. name paid 0 on 0"
