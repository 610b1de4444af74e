"""CDP observer: records what somebody else does in a browser: pages shown, clicks, fields filled in, addresses opened,
requests sent. No readable state is missed: when a page is left, it reports its state at that moment.
"""

import asyncio
import contextlib
import json
from dataclasses import replace
from typing import Any, TypedDict, Unpack

from playwright.async_api import BrowserContext, CDPSession, Error, Page

from longtrail.agents.cdp.observed_steps import WEB, ObservedAction, ObservedStep, ObservedSteps, state
from longtrail.agents.cdp.request_causes import RequestCauses
from longtrail.browser.observation import observe, passages, written
from longtrail.browser.observation_budget import CountTokens, ScrollState
from longtrail.browser.script_world import WORLD, DocumentReplaced, program
from longtrail.browser.tab import Tab
from longtrail.browser.traffic import Traffic
from longtrail.browser.view import View, ViewSettings
from longtrail.errors import HarnessTrouble
from longtrail.records.full_actions import AnswerDialog
from longtrail.records.trajectory import Target
from longtrail.web.world import World

BINDING = "longtrailSaw"
STATES = ("left", "unread")
"""Reports of a page's state: when it is left, and before the first action if nobody had read it."""
GLANCE = 3.0
"""Seconds within which a page must answer."""
REACTION = 0.3
"""Seconds within which a page begins to open a click's target; click and page are then one step."""
QUIET_MS = 60
"""A page that changed less than this ago is still being drawn."""


class ObserverOptions(TypedDict, total=False):
    """What counts as a step, if no agent uses the browser."""

    person: bool
    """A person uses the mouse, so clicks that do nothing are no steps."""
    every_action: bool
    """Keys, double clicks and answers to dialogs are steps, too (for recording a task)."""


class CdpObserver:
    """The pages of a context that somebody else drives. All methods run in the engine's loop."""

    def __init__(
        self,
        context: BrowserContext,
        world: World,
        settings: ViewSettings,
        count: CountTokens,
        **options: Unpack[ObserverOptions],
    ) -> None:
        self.context = context
        self._person, self._every_action = options.get("person", False), options.get("every_action", False)
        self.causes = RequestCauses(world)
        """The cause of each request."""
        self._world, self._settings, self._count = world, settings.model_copy(update={"sources": True}), count
        self.traffic = Traffic(world)
        self._tabs: list[Tab] = []
        self._steps = ObservedSteps()
        self._acted_at = self._left_at = 0.0
        """The time of the last action, and of the last report of a page that was left."""
        self._typing = False
        """A field reports each letter; when it is left, all of them are one action."""
        self._open_dialogs: list[str] = []
        """The kinds of the open dialogs."""
        self._violations_told = 0
        """How many of the world's violations were returned."""
        self._work: set[asyncio.Task[None]] = set()

    async def attach(self, page: Page | None = None) -> None:
        """Attach to all existing and future pages, or to this page and all future ones."""
        self.context.on("page", lambda page: self._later(self._attach_page(page)))
        if not self.context.pages:
            await self.context.new_page()
        for existing in [page] if page else self.context.pages:
            await self._attach_page(existing)

    @property
    def url(self) -> str:
        """The address of the page that was used last, even if it was closed since."""
        if self._tabs:
            return self._tabs[-1].url
        return self.shown.url if self.shown else ""

    @property
    def page(self) -> Page:
        """The page that was used last. Raises HarnessTrouble if none is left."""
        if not self._tabs:
            raise HarnessTrouble("browser_crash", "the agent has closed all pages")
        return self._tabs[-1].page

    @property
    def shown(self) -> View | None:
        """The last observed page."""
        return self._steps.view

    @property
    def document(self) -> str:
        """The address of its document, which may differ from the address bar."""
        return self._steps.document

    async def open_start_page(self, url: str) -> None:
        """Open a start page; later actions count."""
        await self._tabs[-1].page.goto(url)
        self._violations_told = len(self._world.log.violations)
        await self.begin_at_open_page()

    async def begin_at_open_page(self) -> None:
        """Begin at the page that is open, as it is; later actions count."""
        await self._glance(even_unsettled=True)
        await self.begin_phase()

    async def begin_phase(self) -> None:
        """Start counting steps; the first one begins at the current page."""
        self._steps.restart()
        self.causes.begin()

    async def look(self, *, last: bool = False) -> list[ObservedStep]:
        """The steps since the last call. A page that is still being drawn waits for the next call, unless `last`."""
        await self._glance(even_unsettled=last)
        if last:
            self._steps.end()
        happened = self._steps.take_steps()
        if happened and (message := self.new_violations()):
            first = happened[0]
            outcome = first.outcome.model_copy(update={"violations": (*message, *first.outcome.violations)})
            happened[0] = replace(first, outcome=outcome)
        return happened

    async def _attach_page(self, page: Page) -> None:
        if any(tab.page is page for tab in self._tabs):
            return
        page.on("dialog", lambda _: None)  # the browser's driver answers it
        try:
            tab = await Tab.attach(page, lambda: None, self.traffic)
            opened = list(tab.navigations)
            await self._listen(tab, tab.cdp)
        except Error:
            return  # it closed before it had loaded
        self._tabs.append(tab)
        for url in opened:  # a window that opened with its document
            self._steps.opened(url, self.causes.opened(tab, url, f"{url} in {tab.frame}"))

    async def _listen(self, tab: Tab, cdp: CDPSession) -> None:
        cdp.on("Runtime.bindingCalled", lambda event: self._saw(tab, event))
        cdp.on("Page.frameNavigated", lambda event: self._navigated(tab, event["frame"]))
        cdp.on("Page.frameRequestedNavigation", lambda event: self._navigation_requested(tab, event))
        cdp.on("Page.windowOpen", lambda _: self._steps.navigation_began())
        if self._every_action:
            cdp.on("Page.javascriptDialogOpening", lambda event: self._open_dialogs.append(event["type"]))
            cdp.on("Page.javascriptDialogClosed", lambda event: self._answered(tab, event))
        await self.causes.listen(tab)
        await cdp.send("Runtime.enable")
        await cdp.send("Runtime.addBinding", {"name": BINDING, "executionContextName": WORLD})
        form, person = json.dumps(self._settings.form), json.dumps([self._person, self._every_action])[1:-1]
        source = f"{program()}\nif (window === top) longtrail.watch({BINDING}, {form}, {person})"
        script = {"source": source, "worldName": WORLD, "runImmediately": True}
        await cdp.send("Page.addScriptToEvaluateOnNewDocument", script)

    def _navigation_requested(self, tab: Tab, event: dict[str, Any]) -> None:
        if event["frameId"] == tab.frame or event["disposition"] != "currentTab":
            self._steps.navigation_began()

    def _navigated(self, tab: Tab, frame: dict[str, Any]) -> None:
        if frame.get("parentId"):
            return
        self._set_last_used(tab)
        url = frame["url"] + frame.get("urlFragment", "")
        if not frame.get("unreachableUrl") and not url.startswith("about:"):
            self._steps.opened(url, self.causes.opened(tab, url, frame["loaderId"]))

    def _saw(self, tab: Tab, event: dict[str, Any]) -> None:
        """Receive a report from our isolated world in the page; the page itself can't call the binding."""
        if event["name"] != BINDING:
            return
        self._set_last_used(tab)
        message = json.loads(event["payload"])
        self._typing = message["type"] == "typing"
        if message["type"] in STATES and tab.url.startswith(WEB):
            if message["type"] == "left":
                self._left_at = asyncio.get_running_loop().time()
            page_read = message["seen"]
            view = View(written(page_read, self._settings, ScrollState(), self._count), passages=passages(page_read))
            self._steps.page_left(view, _document(tab))
        elif message["type"] not in (*STATES, "typing"):
            scripted, target = message["type"] == "scripted", Target.model_validate(message["target"])
            cause = self.causes.add_action(tab, _document(tab), target, by_script=scripted)
            if not scripted:  # a script's click is not a step, and the page itself caused what it leads to
                self._acted_at = asyncio.get_running_loop().time()
                self._steps.add_action(ObservedAction.of(message, cause))

    def _answered(self, tab: Tab, event: dict[str, Any]) -> None:
        """A dialog was answered; of those that only tell something, this is no step."""
        if self._open_dialogs and self._open_dialogs.pop() in ("confirm", "prompt"):
            answer = AnswerDialog(accept=event["result"], text=event.get("userInput", ""))
            target = Target(role="dialog", name="")
            cause = self.causes.add_action(tab, _document(tab), target, by_script=False)
            self._steps.add_action(ObservedAction(answer, target, answer.text, cause))

    def _set_last_used(self, tab: Tab) -> None:
        """Record that this tab was used last."""
        if tab in self._tabs:
            self._tabs.remove(tab)
            self._tabs.append(tab)

    async def _glance(self, *, even_unsettled: bool) -> None:
        """Read the last used page and take its picture, unless it is still being drawn."""
        self._tabs = [tab for tab in self._tabs if not tab.page.is_closed()]
        if not self._tabs:
            return
        tab = self._tabs[-1]
        if not even_unsettled and asyncio.get_running_loop().time() < self._acted_at + REACTION:
            return
        try:
            if not even_unsettled and (tab.loading or not await tab.ask("settle", QUIET_MS, 2 * QUIET_MS, True)):
                return
        except (DocumentReplaced, HarnessTrouble):
            return  # the document was replaced or has not loaded yet: the next call reads it
        # It does not answer while another document is loading, and an empty document can't be read.
        with contextlib.suppress(TimeoutError, HarnessTrouble):
            await asyncio.wait_for(self._read_text(), GLANCE)
        if self._settings.screenshot and self.shown is not None and self.shown.image is None:
            with contextlib.suppress(TimeoutError, Error, HarnessTrouble):
                await asyncio.wait_for(self._take_picture(), GLANCE)

    async def _read_text(self) -> None:
        """Read the text of the last used page, if it is readable, and note changes."""
        tab = self._tabs[-1]
        if not tab.url.startswith(WEB):
            return
        text_alone = self._settings.model_copy(update={"screenshot": False})
        committed = len(tab.navigations)
        view = await observe(tab, self, text_alone, ScrollState(), self._count)
        # Otherwise it has already reported its last state.
        if len(tab.navigations) == committed and tab is self._tabs[-1] and not self._is_leaving(tab):
            before = self.shown.url if self.shown else ""
            scrolls = self._person and view.url == before  # what a sticky bar covers is no news
            self._steps.page_read(view, _document(tab), changes=not (self._typing or scrolls))

    def _is_leaving(self, tab: Tab) -> bool:
        """Was a link or button of this page used whose target has not loaded yet? (A download never loads.)"""
        waits = tab.loading or asyncio.get_running_loop().time() < max(self._left_at, self._acted_at) + GLANCE
        return self._steps.leaving and waits

    async def _take_picture(self) -> None:
        """Read it again, with a picture. A page that is being left draws none and gives no error."""
        view = await observe(self._tabs[-1], self, self._settings, ScrollState(), self._count)
        if self.shown is not None and state(view) == state(self.shown):
            self._steps.view = view

    async def readable_tab(self) -> Tab:
        """The last used tab, loaded or not: a page that can't be read yet is read by the next call."""
        return self._tabs[-1]

    def new_violations(self) -> tuple[str, ...]:
        """Violations that the proxy and the tabs have noticed since the last call."""
        fresh = self._world.log.violations[self._violations_told :]
        self._violations_told += len(fresh)
        unloaded_addresses = [line for tab in self._tabs for line in tab.unloaded_addresses()]
        return (*fresh, *unloaded_addresses) if self._world.sealed else tuple(fresh)

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)


def _document(tab: Tab) -> str:
    return tab.navigations[-1] if tab.navigations else tab.url
