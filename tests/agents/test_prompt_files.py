"""The prompts, verbatim. Any change shows here, and in the checksum that every record has."""

import jinja2
import pytest
from syrupy.assertion import SnapshotAssertion

from longtrail.agents.prompt_files import FOLDER, PROFILES, fingerprint, render
from longtrail.agents.spec import PROMPTS
from longtrail.records.action_forms import forms
from longtrail.records.memory import MemoryStep, PastTask, render_history
from tests.agents.views import BROWSING, DECISIONS, view

PAGE = 'main\n heading "Home essentials" level=1\n [12] link "Under $10"'
NOW: dict[str, object] = {
    "url": "https://www.ikea.com/us/en/",
    "title": "IKEA",
    "error": "",
    "note": "",
    "text": PAGE,
    "summary": "",
    "number": 3,
    "limit": 10,
    "reminder": "",
    "decisions": (),
}


@pytest.mark.parametrize(
    ("vision", "actions", "decisions"),
    [(False, BROWSING, ()), (True, (*BROWSING, "decide"), DECISIONS)],
    ids=["browsing", "deciding"],
)
def test_system(
    vision: bool, actions: tuple[str, ...], decisions: tuple[str, ...], snapshot: SnapshotAssertion
) -> None:
    assert render("system", vision=vision, actions=forms(actions), files=(), decisions=decisions) == snapshot


def test_past(snapshot: SnapshotAssertion) -> None:
    step = MemoryStep(url="https://www.ikea.com/", seen="IKEA", thought="Start.", action='click link "Offers"')
    history = render_history([PastTask(instruction="Open the offers.", steps=(step,))])
    assert render("past", history=history, instruction="Put three into the favourites.") == snapshot
    assert render("past", history="", instruction="Open the offers.") == snapshot


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"error": "element 7 is not on the page", "note": "a new tab was opened"},
        {"summary": "IKEA, home essentials under $10.", "reminder": "Go on where you were."},
        {"decisions": DECISIONS},
    ],
    ids=["plain", "failed", "recalled", "deciding"],
)
def test_now(change: dict[str, object], snapshot: SnapshotAssertion) -> None:
    assert render("now", **{**NOW, **change}) == snapshot


def test_repair(snapshot: SnapshotAssertion) -> None:
    assert render("repair", problem="it holds no JSON object with an action", cut=True, actions=BROWSING) == snapshot


def test_reflect(snapshot: SnapshotAssertion) -> None:
    before, after = view(PAGE).observation, view(PAGE, title="Under $10").observation
    said = {"instruction": "Open the offers.", "thought": "There.", "action": 'click link "Under $10"', "error": ""}
    assert render("reflect", before=before, after=after, **said) == snapshot


def test_summarise(snapshot: SnapshotAssertion) -> None:
    assert render("summarise", url="u", title="t", text=PAGE, instruction="Go on where you were.") == snapshot


@pytest.mark.parametrize("decisions", [(), DECISIONS], ids=["browsing", "deciding"])
def test_pathways(decisions: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    actions = (*BROWSING, "decide") if decisions else BROWSING
    assert render("pathways_system", vision=True, actions=forms(actions), files=(), decisions=decisions) == snapshot
    errors = [(2, "element 7 is not on the page")] if decisions else []
    now = {**NOW, "errors": errors, "focused": '[3] searchbox "Find" (focused)' if decisions else "", "text": PAGE}
    assert render("pathways_now", **{**now, "decisions": decisions}) == snapshot


def test_audit(snapshot: SnapshotAssertion) -> None:
    assert render("audit", action="decide APPROVE: All is well.", actions=(*BROWSING, "decide"), left=4) == snapshot


def test_a_missing_variable_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        render("now", url="u")


def test_a_page_is_data_and_no_template() -> None:
    hostile = "{{ 7 * 7 }} {% include 'system.j2' %}"
    assert hostile in render("now", **{**NOW, "text": hostile})


def test_fingerprints() -> None:
    webagent, irag = fingerprint("webagent"), fingerprint("irag")
    assert len(webagent) == len(irag) == 12
    assert webagent != irag
    assert len({webagent, irag, fingerprint("audit"), fingerprint("webagent", "pathways")}) == 4
    assert fingerprint("nothing") == ""
    assert fingerprint("my.module:make") == ""
    assert fingerprint("no_such_agent") == ""


def test_every_prompt_belongs_to_an_agent() -> None:
    by_profile = {name for profile in PROFILES.values() for name in profile.prompts}
    own = {name for names in PROMPTS.values() for name in names}
    assert {path.stem for path in FOLDER.glob("*.j2")} == by_profile | own
