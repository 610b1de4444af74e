"""The rules on end states find what is missing in them: shipped tasks with one thing broken."""

from typing import Any

import pytest

from tests.authoring.validity.test_faults import FORUM, SHOP, changed, fields
from workshop.validity import execution_rules


@pytest.mark.parametrize(
    ("task", "index", "column", "wanted"),
    [
        ("brigade_thread_019", 1, "receiver", "usb_cecil"),
        ("brigade_thread_010", 3, "", "message"),
        ("spam_cross_001", 2, "", "message"),
        ("spam_cross_008", 2, "kind", "unban"),
        ("PW-014", 1, "status", "processing"),
        ("PW-017", 0, "is_customer_notified", 0),
        ("PW-061", 0, "comment", "*"),
        ("PW-055", 2, "comment", "*"),
        ("PW-009", 0, "comment", "*"),
    ],
)
def test_a_lacking_end_state_is_found(task: str, index: int, column: str, wanted: Any) -> None:
    """A report, a message, a ban, a closed order, who should look, an apology, the carrier's reference."""
    sound = {**SHOP, **FORUM}[task]
    rules = (execution_rules.end_state_is_complete, execution_rules.carriers_reference_is_given)
    assert [finding for rule in rules for finding in rule(sound)] == []
    state = sound.model_dump(mode="json")["end_state"]
    places = [index] if column else [n for n, check in enumerate(state) if check["table"] == wanted][:1]
    for place in places:
        if column:
            state[place]["match"][column] = wanted
        else:
            del state[place]
    assert fields(found for rule in rules for found in rule(changed(sound, end_state=state))) == {"end_state"}


def test_a_decision_that_changes_nothing_demands_nothing() -> None:
    sound = FORUM["fact_source_003"]
    due = [{"site": "forum", "table": "submission", "match": {"id": 1, "locked": 1}}]
    assert fields(execution_rules.end_state_is_complete(changed(sound, end_state=due))) == {"end_state"}
