"""Small pages, one behaviour each: what an agent sees of them is what the specifications and people's eyes say."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from longtrail.browser.session import Browser, Session, ViewSettings
from longtrail.browser.url_policy import UrlPolicy
from longtrail.records.action import Click, Fill, Select
from tests.browser.conformance.pages import (
    Action,
    ConformancePage,
    ConformanceSite,
    conformance_pages,
    without_ids,
)

PAGES = conformance_pages()
Opener = Callable[[ConformancePage], Session]


def _parameter(page: ConformancePage) -> Any:
    marks = [pytest.mark.xfail(reason=page.missing, strict=True)] if page.missing else []
    return pytest.param(page, id=f"{page.topic}: {page.name}", marks=marks)


@pytest.fixture(scope="module")
def opener(chrome: Browser) -> Iterator[Opener]:
    """Opens each page in the same session."""
    site = ConformanceSite(PAGES)
    with chrome.session(url_policy=UrlPolicy(site.hosts), settings=ViewSettings(settle=1)) as session:

        def open_(page: ConformancePage) -> Session:
            session.goto(site.address(PAGES.index(page)))
            return session

        yield open_
    site.close()


def carry_out(action: Action, session: Session, text: str) -> None:
    element = re.search(rf"\[(\d+)\] [^\[\n]*{re.escape(action.words)}", text)
    assert element, f"{action.words!r} has no id"
    steps = {"click": Click(id=element[1]), "fill": Fill(id=element[1], text=action.text)}
    outcome = session.act(steps.get(action.kind) or Select(id=element[1], option=action.text))
    assert outcome.ok, outcome.error


@pytest.mark.sampled(8, ci=3)
@pytest.mark.parametrize("page", [_parameter(page) for page in PAGES])
def test_a_page_is_shown_and_used(page: ConformancePage, opener: Opener) -> None:
    session = opener(page)
    text = session.observe().text
    assert without_ids(text) == page.lines
    assert [words for words in (*page.hides, "ghost") if words in text] == []
    assert [word for word in page.words if word not in text] == []
    if page.action is not None:
        carry_out(page.action, session, text)
        after = session.observe().text
        assert [words for words in page.then if words not in after] == []


def test_there_are_enough_pages() -> None:
    assert len(PAGES) >= 200
    assert len({(page.topic, page.name) for page in PAGES}) == len(PAGES)
