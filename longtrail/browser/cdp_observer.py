"""CDP observer: what somebody else does in a browser: the pages that were shown, clicks, fields filled in,
addresses opened.

Nothing is missed that was there to be read: a page that is being left tells how it was at that moment.
"""

import asyncio
import contextlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from longtrail.browser.observation import observe, written
from longtrail.browser.observation_budget import CountTokens
from longtrail.browser.page_scripts import program
from longtrail.browser.scroll_state import ScrollState
from longtrail.browser.session_world import SessionWorld
from longtrail.browser.tab import WORLD, DocumentReplaced, Tab
from longtrail.browser.traffic import Traffic
from longtrail.browser.view import View
from longtrail.browser.view_settings import ViewSettings
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action, Click, Fill, Goto, Select
from longtrail.records.trajectory import Outcome, Target

BINDING = "longtrailSaw"
GLANCE = 3.0
"""Seconds that a page has to answer."""
REACTION = 0.3
"""Seconds in which a page begins to open what a click leads to: both are one step."""
QUIET_MS = 60
"""A page that changed less than this ago is still being drawn."""
UNNAMED = "0"
"""The id of an element that nobody asked us for."""


@dataclass(frozen=True, slots=True)
class ObservedStep:
    """A page as it was shown, what was done there, and what came of it."""

    before: View
    action: Action
    outcome: Outcome
    served: int
    """How many of the world's requests had been answered by then."""


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """A click, a field filled in, an option chosen."""

    action: Action
    target: Target
    value: str

    @classmethod
    def of(cls, told: dict[str, Any]) -> "ObservedAction":
        """As the page's script tells it."""
        value = str(told["value"])
        kinds: dict[str, Action] = {
            "click": Click(id=UNNAMED),
            "fill": Fill(id=UNNAMED, text=value),
            "select": Select(id=UNNAMED, option=value),
        }
        return cls(kinds[told["type"]], Target.model_validate(told["target"]), value)


class CdpObserver:
    """The pages of a context that somebody else drives. All methods run in the engine's loop."""

    def __init__(
        self, context: BrowserContext, world: SessionWorld, settings: ViewSettings, count: CountTokens
    ) -> None:
        self.context = context
        self._world, self._settings, self._count = world, settings, count
        self.traffic = Traffic(world)
        self._tabs: list[Tab] = []
        self._committed: dict[Tab, int] = {}
        self._deeds: list[ObservedAction] = []
        self._parting: ObservedAction | None = None
        """What was done last on the page that was left."""
        self._left = (0, 0.0)
        """How many documents its tab had committed when a page told how it was left, and when that was."""
        self._acted = 0.0
        """When something was done last."""
        self._typing = False
        """A field shows more and more letters; once it is left, all of them are one deed."""
        self._happened: list[ObservedStep] = []
        self._view: View | None = None
        self._warned = 0
        self._work: set[asyncio.Task[None]] = set()

    @classmethod
    async def begin(
        cls, context: BrowserContext, world: SessionWorld, settings: ViewSettings, count: CountTokens
    ) -> "CdpObserver":
        """Attach to every page there is and every one that opens."""
        watch = cls(context, world, settings, count)
        context.on("page", lambda page: watch._later(watch._attach(page)))
        if not context.pages:
            await context.new_page()
        for page in context.pages:
            await watch._attach(page)
        return watch

    @property
    def url(self) -> str:
        """The address of the page that was used last, also where it was closed since."""
        if self._tabs:
            return self._tabs[-1].url
        return self._view.url if self._view else ""

    async def start(self, url: str) -> None:
        """Open a start page; what happens from now on counts."""
        await self._tabs[-1].page.goto(url)
        await self._glance(unsettled=True)
        self._happened.clear()
        self._deeds.clear()
        self._parting = None
        self._navigations()
        self._warned = len(self._world.violations)

    async def look(self, *, last: bool = False) -> list[ObservedStep]:
        """What happened since the last look. A page that is being drawn waits for the next, unless this is the last."""
        await self._glance(unsettled=last)
        if last and self._view is not None:
            self._note(self._view, closing=True)
        happened, self._happened = self._happened, []
        return happened

    @property
    def shown(self) -> View | None:
        """The page as it was seen last."""
        return self._view

    async def _attach(self, page: Page) -> None:
        if any(tab.page is page for tab in self._tabs):
            return
        page.on("dialog", lambda _: None)  # whoever drives the browser answers it
        try:
            tab = await Tab.attach(page, lambda: None, self.traffic)
            await self._listen(tab, tab.cdp)
        except Error:
            return  # it closed before it was there
        self._tabs.append(tab)
        self._committed[tab] = 0

    async def _listen(self, tab: Tab, cdp: CDPSession) -> None:
        cdp.on("Runtime.bindingCalled", lambda event: self._saw(tab, event))
        cdp.on("Page.frameNavigated", lambda event: None if event["frame"].get("parentId") else self._front(tab))
        await cdp.send("Runtime.enable")
        await cdp.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD})
        source = f"{program()}\nif (window === top) longtrail.watch({BINDING}, {json.dumps(self._settings.form)})"
        script = {"source": source, "worldName": WORLD, "runImmediately": True}
        await cdp.send("Page.addScriptToEvaluateOnNewDocument", script)

    def _saw(self, tab: Tab, event: dict[str, Any]) -> None:
        """The page tells (our isolated world in it: the page itself can't call the binding)."""
        if event["name"] != BINDING:
            return
        self._front(tab)
        told = json.loads(event["payload"])
        self._typing = told["type"] == "typing"
        if told["type"] not in ("left", "typing"):
            self._acted = asyncio.get_running_loop().time()
            self._deeds.append(ObservedAction.of(told))
        elif told["type"] == "left" and tab.url.startswith(("http:", "https:")):
            self._left = len(tab.navigations), asyncio.get_running_loop().time()
            self._leave(View(written(told["seen"], self._settings, ScrollState(), self._count)))

    def _front(self, tab: Tab) -> None:
        """This tab was used last."""
        if tab in self._tabs:
            self._tabs.remove(tab)
            self._tabs.append(tab)

    async def _glance(self, *, unsettled: bool) -> None:
        """Read the page that was used last, unless it is still being drawn; then take its picture."""
        self._tabs = [tab for tab in self._tabs if not tab.page.is_closed()]
        if not self._tabs:
            return
        tab = self._tabs[-1]
        if not unsettled and asyncio.get_running_loop().time() < self._acted + REACTION:
            return
        try:
            if not unsettled and (tab.loading or not await tab.ask("settle", QUIET_MS, 2 * QUIET_MS, True)):
                return
        except (DocumentReplaced, HarnessTrouble):
            return  # another document is there, or none yet: the next look is for it
        # It does not answer while another document is on its way, and can't be read before it has anything in it.
        with contextlib.suppress(TimeoutError, HarnessTrouble):
            await asyncio.wait_for(self._read(), GLANCE)
        if self._settings.screenshot and self._view is not None and self._view.image is None:
            with contextlib.suppress(TimeoutError, Error, HarnessTrouble):
                await asyncio.wait_for(self._picture(), GLANCE)

    async def _read(self) -> None:
        """Look at the text of the page that was used last, if it is one that can be read, and note what changed."""
        tab = self._tabs[-1]
        if not tab.url.startswith(("http:", "https:")):
            return
        text_alone = self._settings.model_copy(update={"screenshot": False})
        committed = len(tab.navigations)
        view = await observe(tab, self, text_alone, ScrollState(), self._count)
        # Else it has told by itself how it was left.
        if len(tab.navigations) == committed and tab is self._tabs[-1] and not self._is_leaving(tab):
            self._note(view)

    def _is_leaving(self, tab: Tab) -> bool:
        """Was a link or button of this page used, and what it leads to is not there yet? (A download never is.)"""
        waits = tab.loading or asyncio.get_running_loop().time() < self._left[1] + GLANCE
        return self._parting is not None and self._left[0] == len(tab.navigations) and waits

    async def _picture(self) -> None:
        """The same with a picture. A page that is being left draws none, and does not say so."""
        view = await observe(self._tabs[-1], self, self._settings, ScrollState(), self._count)
        if self._view is not None and _state(view) == _state(self._view):
            self._view = view

    async def wait(self) -> Tab:
        """The tab that was used last (what `observe` asks for where a page went away under its eyes)."""
        return self._tabs[-1]

    def _leave(self, view: View) -> None:
        """A page tells how it was left. What was done there last waits for where it leads to: both are one step."""
        last = self._deeds.pop() if self._deeds else None
        self._note(view, closing=last is not None)
        self._parting = last

    def _note(self, view: View, *, closing: bool = False) -> None:
        """Write down what led from the page seen last to this one."""
        before, self._view = self._view or view, view
        same = _state(before) == _state(view)
        navigations = self._navigations()
        if same and not self._deeds and not navigations and not self._parting:
            return
        if self._parting is not None:
            self._add(before, self._parting.action, self._parting, view.url, navigations)
            self._parting, before, navigations, same = None, view, (), True
        deeds, self._deeds = self._deeds, []
        for deed in deeds[:-1]:
            self._add(before, deed.action, deed, before.url, ())
        if deeds:
            self._add(before, deeds[-1].action, deeds[-1], view.url, navigations)
        elif navigations or not (closing or same or self._typing):
            self._add(before, Goto(url=view.url), None, view.url, navigations)

    def _add(
        self, before: View, action: Action, deed: ObservedAction | None, url: str, navigations: tuple[str, ...]
    ) -> None:
        outcome = Outcome(
            ok=True,
            target=deed.target if deed else None,
            value=deed.value if deed else "",
            url=url,
            navigations=navigations,
            violations=(*self.leftover(), *_outside(navigations)),
        )
        self._happened.append(ObservedStep(before, action, outcome, len(self._world_requests())))

    def leftover(self) -> tuple[str, ...]:
        """What the front and the tabs have to tell since this was asked last."""
        fresh = self._world.violations[self._warned :]
        self._warned += len(fresh)
        pretences = [line for tab in self._tabs for line in tab.pretences()]
        return (*fresh, *pretences) if self._world.sealed else tuple(fresh)

    def _world_requests(self) -> list[Any]:
        return list(getattr(self._world, "requests", ()))

    def _navigations(self) -> tuple[str, ...]:
        """Documents that were committed since this was asked last."""
        fresh: list[str] = []
        for tab in self._tabs:
            fresh += tab.navigations[self._committed[tab] :]
            self._committed[tab] = len(tab.navigations)
        return tuple(fresh)

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)


def _state(view: View) -> tuple[str, str]:
    return view.url, view.observation.text_hash


def _outside(navigations: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        f"the browser opened {url[:500]}" for url in navigations if not url.startswith(("http:", "https:", "about:"))
    )
