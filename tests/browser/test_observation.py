"""Observations, compared with Chromium's own accessibility tree and with what is drawn."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from longtrail.browser.script_world import FOLDER, PARTS
from longtrail.browser.session import Browser, Session, ViewSettings
from longtrail.browser.url_policy import UrlPolicy
from longtrail.records.action import Click
from tests.browser.conftest import PAGES, OddSite
from tests.tables import tables_of

TABLES = tables_of(__file__)

Open = Callable[..., Session]
CORPUS = sorted(path.stem for path in PAGES.glob("*.html"))

CHROMIUM = TABLES["chromium"]
"""Chromium's own role name -> ours."""
INTERACTIVE = {
    *("link", "button", "checkbox", "radio", "switch", "textbox", "searchbox", "combobox", "listbox", "slider"),
    *("spinbutton", "tab", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "treeitem"),
}


DRAWN = TABLES["drawn"]
"""The text that is drawn, node by node. In the pages, text that is hidden in other ways has the word `ghost`."""


def role_and_name(node: dict[str, Any]) -> tuple[str, str]:
    role = str(node["role"]["value"])
    return CHROMIUM.get(role, role), " ".join(str(node.get("name", {}).get("value", "")).split())


def inside(node: str | None, others: set[str], parents: dict[str, str | None]) -> bool:
    """Whether this node is one of the others, or inside one (such as a part of a date field)."""
    while node is not None:
        if node in others:
            return True
        node = parents.get(node)
    return False


async def by_chromium(session: Session, ids: list[int]) -> tuple[dict[int, tuple[str, str]], list[tuple[str, str]]]:
    """Chromium's role and name of these elements, and of the interactive elements that are not among them."""
    tab = session._async_session._tabs.active
    await tab.cdp.send("DOM.enable")
    await tab.cdp.send("Accessibility.enable")
    named, backend = {}, set()
    for number in ids:
        expression = {"expression": f"longtrail.element({number})", "contextId": tab.scripts.context}
        handle = (await tab.cdp.send("Runtime.evaluate", expression))["result"]["objectId"]
        node = (await tab.cdp.send("DOM.describeNode", {"objectId": handle}))["node"]
        backend.add(node["backendNodeId"])
        partial = {"backendNodeId": node["backendNodeId"], "fetchRelatives": False}
        named[number] = role_and_name((await tab.cdp.send("Accessibility.getPartialAXTree", partial))["nodes"][0])
    nodes = (await tab.cdp.send("Accessibility.getFullAXTree"))["nodes"]
    parents = {node["nodeId"]: node.get("parentId") for node in nodes}
    holders = {"link", "button", "heading", "generic"}
    ours = {
        node["nodeId"]
        for node in nodes
        if node.get("backendDOMNodeId") in backend and role_and_name(node)[0] not in holders
    }
    missing = [
        role_and_name(node)
        for node in nodes
        if not node["ignored"]
        and role_and_name(node)[0] in INTERACTIVE
        and node.get("backendDOMNodeId") not in backend
        and not inside(node["nodeId"], ours, parents)
    ]
    return named, missing


def ids_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"(?:^|(?<= ))\[(\d+)\] ", text, re.MULTILINE)]


@pytest.fixture(scope="module", params=CORPUS)
def page(request: pytest.FixtureRequest, chrome: Browser, site: OddSite) -> Iterator[Session]:
    """Each page of the corpus, opened once for all tests that only look at it."""
    with chrome.session(url_policy=UrlPolicy([site.authority]), settings=ViewSettings(tokens=100_000)) as session:
        session.goto(f"{site.address}/page/{request.param}")
        yield session


@pytest.mark.sampled(3, ci=2)
def test_roles_and_names_are_chromiums(page: Session, chrome: Browser) -> None:
    ids = ids_in(page.observe().text)
    theirs, missing = chrome.engine.call(by_chromium(page, ids), 20)
    tab = page._async_session._tabs.active
    ours = {}
    for number in ids:
        target = chrome.engine.call(tab.ask_json("target", number), 5)
        ours[number] = (target["role"], target["name"])
    # To Chromium an editable element is "generic", and an element that only a script makes clickable not interactive.
    ours = {number: found for number, found in ours.items() if found[0] != "clickable"}
    for number, (role, _) in ours.items():
        if role == "textbox" and theirs[number][0] == "generic":
            theirs[number] = (role, theirs[number][1])
    assert ours == {number: theirs[number] for number in ours}
    options = {"option", "listbox"}  # a drop-down's options are listed in its line
    assert [found for found in missing if "ghost" not in found[1] and found[0] not in options] == []


def test_all_visible_words_and_no_others(page: Session, chrome: Browser) -> None:
    tab = page._async_session._tabs.active
    drawn = chrome.engine.call(tab.page.evaluate(DRAWN), 5)
    words = {word.lower() for word in re.findall(r"[^\W\d_]{3,}", drawn) if "ghost" not in word.lower()}
    for form in ("axtree", "html", "text"):
        lines = chrome.engine.call(tab.ask_json("observe", form, False), 5)["lines"]
        text = "\n".join(line[2] for line in lines).lower()
        assert "ghost" not in text
        assert {word for word in words if word not in text.replace("&amp;", "&")} == set(), form


def test_snapshot(open_page: Open, snapshot: Any) -> None:
    text = open_page("/page/links").observe().text
    assert text == snapshot


def test_corpus_is_large() -> None:
    assert len(CORPUS) >= 40
    assert all(Path(PAGES / f"{name}.html").stat().st_size < 20_000 for name in CORPUS)


CLOSED = TABLES["closed"]


def test_closed_shadow_trees_are_seen_and_stay_closed_to_the_page(open_page: Open) -> None:
    session = open_page(CLOSED)
    text = session.observe().text
    assert "Words inside" in text
    assert "deeper" in text
    found = re.search(r'\[(\d+)\] button "Press"', text)
    assert found
    assert session.act(Click(id=found[1])).ok
    assert "null closed true false a" in session.observe().text


def test_cards_have_bounds_and_struck_prices_are_told(open_page: Open) -> None:
    assert open_page("/page/cards").observe().text.splitlines() == [
        "listitem",
        ' heading level=3: [1] link "Rope"',
        ' deletion "$12.00" $9.00',
        " New",
        " Hemp",
        ' [2] button "Sold out" disabled',
        "listitem",
        ' heading level=3: [3] link "Anchor"',
        ' deletion "$90.00"',
        " Iron Heavy H2O",
        "One line",
        "article",
        " Gone fishing.",
        " Back at noon.",
        "One line only",
        'Was deletion (blue [4] link "water"), now not struck [5] button "Go"',
        'navigation "Pages"',
        ' [6] link "Previous" disabled',
        ' [7] link "Next"',
    ]


@pytest.mark.parametrize(("form", "struck"), [("html", "<del>$12.00</del> $9.00"), ("text", "~~$12.00~~ $9.00")])
def test_other_forms_tell_of_struck_prices(open_page: Open, form: str, struck: str) -> None:
    assert struck in open_page("/page/cards", form=form).observe().text


NAMES = re.compile(r"^(?:async )?(?:function|class|const|let|var) (\w+)|^const \w+ = .*?, (\w+) = ", re.MULTILINE)


def test_every_name_is_defined_once() -> None:
    names: Counter[str] = Counter()
    for part in PARTS:
        source = (FOLDER / f"{part}.js").read_text("utf-8")
        names.update(name for found in NAMES.finditer(source) for name in found.groups() if name)
    assert len(names) > 80
    assert [name for name, count in names.items() if count > 1] == []
