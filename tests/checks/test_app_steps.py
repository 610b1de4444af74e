"""App steps on made-up records: the agent's own words and our own pages prove nothing; routes count."""

from typing import Any

import pytest

from longtrail.checks.app_steps import AppUrlStep, TextStep, evaluate_app
from longtrail.records.action import ACTION
from longtrail.records.observation import Observation, words_of
from longtrail.records.trajectory import Outcome, Request, Step
from tests.tables import tables_of

TABLES = tables_of(__file__)

HOME = "http://127.0.0.1:8000/"


def steps(*turns: tuple[dict[str, Any], str], note: str = "", unserved: bool = False) -> list[Step]:
    """A step for each action, and the page that it led to."""
    pages = ["Home", *(page for _, page in turns)]
    actions = [*(action for action, _ in turns), {"type": "finish"}]
    return [
        Step(
            number=number,
            phase="main",
            observation=Observation(url=HOME, text=page, note=note, unserved=(page,) if unserved else ()),
            action=ACTION.validate_python(action),
            outcome=Outcome(ok=True, value=action.get("text", "")),
        )
        for number, (page, action) in enumerate(zip(pages, actions, strict=True), 1)
    ]


def reached(text: str, played: list[Step]) -> bool:
    (hit,) = evaluate_app([TextStep(name="shown", text=text)], played, {})
    return hit.step is not None


@pytest.mark.parametrize("action", TABLES["texts_that_the_agent_put_there_do_not_count"])
def test_texts_that_the_agent_put_there_do_not_count(action: dict[str, Any]) -> None:
    echo = "No results for was refunded"
    assert not reached("was refunded", steps((action, echo)))
    assert not reached("was * refunded".replace(" * ", "*"), steps((action, echo)))
    assert reached("No results", steps((action, echo))), "the site's own words count"


def test_a_text_entered_in_pieces_does_not_count_either() -> None:
    typed = [({"type": "fill", "id": "1", "text": word}, "It") for word in ("was", "refunded")]
    assert not reached("was refunded", steps(*typed, ({"type": "back"}, "was refunded")))
    pressed = [({"type": "press", "keys": key}, "x") for key in "paid"]
    assert not reached("paid", steps(*pressed, ({"type": "back"}, "paid")))


def test_a_text_shown_before_it_was_entered_counts() -> None:
    played = steps(
        ({"type": "click", "id": "1"}, "It was refunded"), ({"type": "search", "query": "was refunded"}, "x")
    )
    assert reached("was refunded", played)


def test_our_own_pages_and_notes_do_not_count() -> None:
    page = ({"type": "click", "id": "1"}, "This site can't be reached")
    assert reached("can't be reached", steps(page))
    assert not reached("can't be reached", steps(page, unserved=True))
    told = 'the page showed a dialog (alert): "Order 12 was refunded"; answered with OK; the tab was closed'
    assert reached("order 12 was refunded", steps(page, note=told))
    assert not reached("the tab was closed", steps(page, note=told))
    assert words_of(Observation(url=HOME, text="x", note="the tab was closed")) == "x"


@pytest.mark.parametrize(("path", "route", "fits"), TABLES["routes_count"])
def test_routes_count(path: str, route: str, fits: bool) -> None:
    (step,) = steps()
    shown = step.model_copy(update={"outcome": Outcome(ok=True, routes=(route,))})
    (hit,) = evaluate_app([AppUrlStep(name="order", paths=(path,))], [shown], {})
    assert (hit.step is not None) is fits


def test_a_blocked_host_is_named_with_its_fix() -> None:
    (step,) = steps()
    request = Request(method="GET", url="http://localhost:8000/in?x=1", status=403, dest="document", refused=True)
    led = step.model_copy(update={"requests": (request,)})
    (hit,) = evaluate_app([TextStep(name="shown", text="Welcome")], [led], {})
    assert hit.reason.endswith("; pages led to http://localhost:8000, which is blocked: add it to the app's hosts")
    (hit,) = evaluate_app([TextStep(name="shown", text="Home")], [led], {})
    assert "blocked" not in hit.reason
