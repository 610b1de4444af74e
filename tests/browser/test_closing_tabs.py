"""A tab that closes while the session queries it is no crash: the next active tab is shown."""

import asyncio

import pytest

from longtrail.browser.observation import look
from longtrail.browser.session import Browser
from longtrail.browser.tab import DocumentReplaced, Tab
from tests.browser.test_hanging import Open


@pytest.mark.parametrize("asked", ["script", "picture"])
def test_a_tab_that_closes_is_not_asked_again(open_page: Open, chrome: Browser, asked: str) -> None:
    session = open_page("<p>First", screenshot=True)
    async_session = session._async_session

    async def closed_meanwhile() -> None:
        await async_session._tabs.another()
        tab = await async_session._tabs.gather()
        asking = asyncio.ensure_future(_ask(tab, asked))
        await asyncio.sleep(0)
        await tab.page.close()
        with pytest.raises(DocumentReplaced):
            await asking

    async def _ask(tab: Tab, what: str) -> None:
        if what == "script":
            await tab._in_world("new Promise(() => {})")
        while True:
            await look(tab, async_session.settings)

    chrome._engine.call(closed_meanwhile(), 60)
    assert "First" in session.observe().text
