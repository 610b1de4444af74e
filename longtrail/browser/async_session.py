"""Async session: the implementation of a session, in the engine's loop. `Session` offers it as blocking calls."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from playwright.async_api import Browser, BrowserContext, Error, Page

from longtrail.browser.action_executor import ActionEffect, ActionExecutor
from longtrail.browser.contexts.context_log import PageErrors
from longtrail.browser.contexts.recording import StepGroups
from longtrail.browser.observation import TRIES, observe
from longtrail.browser.observation_budget import CountTokens
from longtrail.browser.page_scripts import PRINT, clock, popups, shadow
from longtrail.browser.script_world import DocumentReplaced
from longtrail.browser.scroll_state import ScrollState
from longtrail.browser.settle import Settling
from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.browser.traffic import Traffic
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import Trees, View
from longtrail.browser.view_settings import ViewSettings
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action, Goto, Scroll
from longtrail.records.trajectory import Outcome
from longtrail.web.world import World

ALLOWED_ENDS = ("http:", "https:", "about:blank", "about:srcdoc", "chrome-error:")
"""Schemes that a page may have after a step, as reported by the browser, not by the page."""
PATIENCE = 0.75
"""Share of a step's deadline within which a site must answer with a document."""


class AsyncSession:
    """Tabs, actions and observations of one session."""

    def __init__(
        self,
        context: BrowserContext,
        world: World | None,
        url_policy: UrlPolicy,
        settings: ViewSettings,
        count: CountTokens,
    ) -> None:
        self.context = context
        self.settings = settings
        self.recording: StepGroups | None = None
        self.page_errors = PageErrors()
        self._world = world
        self._count = count
        self._traffic = Traffic(world)
        self._tabs = Tabs(context, self._traffic)
        self._scroll_state = ScrollState()
        self._executor = ActionExecutor(self._tabs, url_policy, self._scroll_state, settings.deadline * PATIENCE)
        self._last_outcome = Outcome(ok=True)
        self._reported_violations = len(world.violations) if world else 0

    @classmethod
    async def open(
        cls,
        context: BrowserContext,
        world: World | None,
        url_policy: UrlPolicy,
        settings: ViewSettings,
        count: CountTokens,
    ) -> "AsyncSession":
        """Prepare the context and open its first, blank page."""
        async_session = cls(context, world, url_policy, settings, count)
        if world is not None and world.origins:
            async_session.page_errors.listen(context)
        scripts = [PRINT, shadow(), popups(), *([clock(world.now)] if world is not None and world.sealed else [])]
        # The driver handles them in this order, and a page is slow.
        await asyncio.gather(context.add_init_script(";\n".join(scripts)), context.new_page())
        await async_session._tabs.gather()
        async_session._tabs.begin()
        return async_session

    @classmethod
    async def adopt(
        cls, context: BrowserContext, page: Page, url_policy: UrlPolicy, settings: ViewSettings, count: CountTokens
    ) -> "AsyncSession":
        """Go on in a page that is already open; its context stays as it is."""
        async_session = cls(context, None, url_policy, settings, count)
        async_session.recording = StepGroups()
        async_session.page_errors.listen(context)
        await async_session._tabs.adopt(page)
        async_session._tabs.begin()
        return async_session

    @property
    def browser(self) -> Browser | None:
        """The browser that it is in."""
        return self.context.browser

    @property
    def url(self) -> str:
        """The active page's address."""
        return self._tabs.active.url if self._tabs.tabs else ""

    def _settling(self, known: frozenset[str] | None = None) -> Settling:
        patient = self._world is not None and self._world.sealed
        return Settling(self._tabs, self._traffic, self.settings.settle, patient=patient, known=known)

    async def start(self, url: str) -> None:
        """Open a start page. Raises HarnessTrouble if that fails: it is not the agent's fault."""
        outcome = await self.act(Goto(url=url))
        if not outcome.ok:
            raise HarnessTrouble("site_error", f"start page {url}: {outcome.error}")
        self._last_outcome = Outcome(ok=True)

    async def observe(self) -> View:
        """The active page, with the notes of the last action."""
        tab = await self._tabs.gather()
        view = await observe(tab, self._settling(), self.settings, self._scroll_state, self._count)
        note = "; ".join(text for text in (self._last_outcome.note, view.observation.note) if text)
        notes_and_error = {"error": self._last_outcome.error, "note": note}
        return replace(view, observation=view.observation.model_copy(update=notes_and_error))

    async def trees(self) -> Trees:
        """The active page as trees, its picture, and all tabs."""
        tab = await self._tabs.gather()
        return await trees(tab, self._tabs.tabs, self._settling())

    async def act(self, action: Action) -> Outcome:
        """Carry out an action and settle."""
        self._tabs.begin()
        tab = await self._tabs.gather()
        settling = self._settling()
        for each in self._tabs.tabs:
            each.arrivals()
        try:
            effect = await self._executor.do(action, tab)
        except Error:
            if not tab.page.is_closed() or tab.crashed:
                raise
            effect = ActionEffect()  # the action closed its own tab: gather selects the next one
        if not isinstance(action, Scroll):
            self._scroll_state.moved()
        violations = [effect.violation] if effect.violation else []
        tab = await settling.wait(expect=not (effect.error or isinstance(action, Scroll)))
        violations += await self._close_forbidden_pages()
        tab = await self._tabs.gather()
        notes = [effect.note, *self._tabs.notes] if effect.note else self._tabs.notes
        self._last_outcome = Outcome(
            ok=not effect.error,
            error=effect.error,
            target=effect.target,
            value=effect.value,
            url=tab.url,
            navigations=tab.arrivals(),
            note="; ".join(notes),
            violations=(*violations, *self.new_violations()),
        )
        return self._last_outcome

    async def rest(self) -> None:
        """Wait until nothing is pending, whoever started it."""
        await self._traffic.receive_reports()
        if self._traffic.under_way():
            await self._settling(known=frozenset()).wait()

    def arrivals(self) -> tuple[str, ...]:
        """Documents that the active tab committed since the last action had ended."""
        return self._tabs.active.arrivals() if self._tabs.tabs else ()

    async def _close_forbidden_pages(self) -> list[str]:
        """Pages at forbidden addresses, as reported by the browser; they are closed."""
        tabs = [tab for tab in self._tabs.tabs if tab.has_new_document()]
        violations = []
        for tab, url in zip(tabs, await asyncio.gather(*map(_real_url, tabs)), strict=True):
            if url and not url.startswith(ALLOWED_ENDS):
                violations.append(f"the browser ended at {url[:500]}")
                self._tabs.note("the page was closed: such an address can't be opened")
                await self._tabs.replace(tab)
        return violations

    def new_violations(self) -> tuple[str, ...]:
        """Violations that the front and the tabs have noticed since the last call."""
        if self._world is None:
            return ()  # on the real web, scripts may change addresses
        fresh = self._world.violations[self._reported_violations :]
        self._reported_violations += len(fresh)
        unloaded_addresses = [line for tab in self._tabs.tabs for line in tab.unloaded_addresses()]
        return (*fresh, *unloaded_addresses) if self._world.sealed else tuple(fresh)

    async def recover(self, seconds: float) -> None:
        """Recover a page that stopped answering, or close it."""
        if not self._tabs.tabs:
            return  # they open and close too fast to count; the session is closed next
        tab: Tab = self._tabs.active
        if not await tab.interrupt(seconds):
            await self._tabs.replace(tab)

    async def crash(self) -> None:
        """End the processes of all pages, whatever they do. Other sessions are not affected."""
        await asyncio.gather(*(tab.end() for tab in self._tabs.tabs))


async def _real_url(tab: Tab) -> str:
    try:
        info = await tab.cdp.send("Target.getTargetInfo")
    except Error:
        return ""  # closed meanwhile
    return str(info["targetInfo"]["url"])


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
        picture=picture,
    )


async def _title(tab: Tab) -> str:
    try:
        return str((await tab.cdp.send("Target.getTargetInfo"))["targetInfo"]["title"])
    except Error:
        return ""  # closed meanwhile
