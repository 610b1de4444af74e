"""Page trees: the active page as trees, for agents made for BrowserGym."""

import asyncio
from collections.abc import Sequence

from playwright.async_api import Error

from longtrail.browser.observation import TRIES
from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.settle import Settling
from longtrail.browser.tab import Tab
from longtrail.browser.view import Trees


async def trees(tab: Tab, tabs: Sequence[Tab], waiting: Settling) -> Trees:
    """Read the active tab. Calls `waiting` if its page is just being replaced."""
    for _ in range(TRIES):
        try:
            answer = await tab.ask_json("trees")
            picture = await tab.picture(format="png")
        except DocumentReplaced:
            tab = await waiting.wait()
            continue
        break
    else:
        answer, picture = {"axtree": {"nodes": []}, "dom": {"documents": [], "strings": []}, "extra": {}}, b""
    return Trees(
        axtree=answer["axtree"],
        dom=answer["dom"],
        places=answer["extra"],
        focused=answer.get("focused", ""),
        urls=tuple(tab_open.url for tab_open in tabs),
        titles=tuple(await asyncio.gather(*map(_title, tabs))),
        tabs=tuple(tab_open.number for tab_open in tabs),
        picture=picture,
    )


async def _title(tab: Tab) -> str:
    try:
        return str((await tab.cdp.send("Target.getTargetInfo"))["targetInfo"]["title"])
    except Error:
        return ""  # closed meanwhile
