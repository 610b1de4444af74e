"""Async session: the implementation of a session, in the engine's loop. `Session` offers it as blocking calls."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from playwright.async_api import Browser, BrowserContext, Error, Page

from longtrail.browser.action_executor import ActionExecutor
from longtrail.browser.case_files import CaseFiles
from longtrail.browser.context_records import PageErrors, StepGroups
from longtrail.browser.full_executor import ActionEffect
from longtrail.browser.observation import observe, trees
from longtrail.browser.observation_budget import CountTokens, ScrollState
from longtrail.browser.script_world import PRINT, clock, popups, shadow
from longtrail.browser.settle import PausedAction, Settling
from longtrail.browser.tab import Tab
from longtrail.browser.tabs import Tabs
from longtrail.browser.traffic import Traffic
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import NOTHING, Permissions, Trees, View, ViewSettings
from longtrail.checks.hosts import origin_of
from longtrail.errors import HarnessTrouble
from longtrail.records.action import Action, Goto, Scroll
from longtrail.records.full_actions import AnswerDialog, ReadFile
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Outcome
from longtrail.web.proxy.refusal import own_lines
from longtrail.web.world import World

ALLOWED_ENDS = ("http:", "https:", "about:blank", "about:srcdoc", "chrome-error:")
"""Schemes that a page may have after a step, as reported by the browser, not by the page."""
ANSWER_SHARE = 0.75
"""Share of a step's deadline within which a site must answer with a document."""


@dataclass(frozen=True)
class SessionSetup:
    """What a session is opened with."""

    settings: ViewSettings
    count: CountTokens
    url_policy: UrlPolicy
    world: World | None = None
    """None: the real web, or the user's own page."""
    permissions: Permissions = NOTHING


class AsyncSession:
    """Tabs, actions and observations of one session."""

    def __init__(self, context: BrowserContext, setup: SessionSetup) -> None:
        self.context = context
        self.settings, world, permissions = setup.settings, setup.world, setup.permissions
        self.recording: StepGroups | None = None
        self.page_errors = PageErrors()
        self._world = world
        self._count = setup.count
        self._traffic = Traffic(world)
        self._files = CaseFiles(permissions)
        self._tabs = Tabs(context, self._traffic, self._files, permissions)
        self._scroll_state = ScrollState()
        patience = setup.settings.deadline * ANSWER_SHARE
        self._executor = ActionExecutor(self._tabs, self._files, setup.url_policy, self._scroll_state, patience)
        self._paused = PausedAction(self._tabs)
        self._last_outcome = Outcome(ok=True)
        self._reported_violations = len(world.log.violations) if world else 0

    @classmethod
    async def open(cls, context: BrowserContext, setup: SessionSetup) -> "AsyncSession":
        """Prepare the context and open its first, blank page."""
        async_session, world = cls(context, setup), setup.world
        if world is not None and world.origins:
            async_session.page_errors.listen(context)
        scripts = [PRINT, shadow(), popups(), *([clock(world.now)] if world is not None and world.sealed else [])]
        # The driver handles them in this order, and a page is slow.
        await asyncio.gather(context.add_init_script(";\n".join(scripts)), context.new_page())
        await async_session._tabs.gather()
        async_session._tabs.begin()
        return async_session

    @classmethod
    async def adopt(cls, context: BrowserContext, page: Page, setup: SessionSetup) -> "AsyncSession":
        """Go on in a page that is already open; its context stays as it is."""
        async_session = cls(context, setup)
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

    @property
    def page(self) -> Page:
        """The active page."""
        return self._tabs.active.page

    def _settling(self, known: frozenset[str] | None = None) -> Settling:
        patient = self._world is not None and self._world.sealed
        return Settling(self._tabs, self._traffic, self.settings.settle, patient=patient, known=known)

    async def start(self, url: str) -> None:
        """Open a start page. Raises HarnessTrouble if that fails: it is not the agent's fault."""
        outcome = await self.act(Goto(url=url))
        if not outcome.ok:
            raise HarnessTrouble("site_error", f"start page {url}: {outcome.error}")
        if self._world is not None and self._world.origins and self._world.log.refused(self.url):
            fix = f"add {origin_of(self.url).base} to the app's hosts"
            raise HarnessTrouble("site_error", f"start page {url} led to {self.url}, which is not allowed: {fix}")
        self._last_outcome = Outcome(ok=True, note=outcome.note)

    async def observe(self) -> View:
        """The active page, with the notes of the last action; or what is in front of it: a dialog, an opened file."""
        tab = await self._tabs.gather()
        if self._files.shown is not None:
            view = self._files.shown.view(tab.url, self.settings, self._scroll_state, self._count)
        else:
            seeing = observe(tab, self._settling(), self.settings, self._scroll_state, self._count)
            view = await self._paused.look(seeing) or self._view_of_dialog()
        observation = view.observation
        broken = f"the page broke off while it loaded ({tab.broken})" if tab.broken and not tab.unreachable else ""
        notes = (self._last_outcome.note, observation.note, broken, self._tabs.question, self._tabs.listed())
        note = "; ".join(dict.fromkeys(filter(None, notes)))
        update = {"error": self._last_outcome.error, "note": note, "unserved": self._unserved(tab, observation)}
        return replace(view, observation=observation.model_copy(update=update))

    def _view_of_dialog(self) -> View:
        """A page with an open dialog can't be read."""
        return View(Observation(url=self.url, text="", form=self.settings.form))

    def _unserved(self, tab: Tab, observation: Observation) -> tuple[str, ...]:
        """The title and lines that are our own words, not the site's."""
        lines = (observation.title, *observation.text.split("\n"))
        if tab.unreachable:
            return lines
        if self._world is None or not self._world.log.refusals:
            return observation.unserved
        return lines if self._world.log.refused(tab.url) else (*observation.unserved, *own_lines(lines))

    async def trees(self) -> Trees:
        """The active page as trees, its picture, and all tabs."""
        tab = await self._tabs.gather()
        return await trees(tab, self._tabs.tabs, self._settling())

    async def act(self, action: Action) -> Outcome:
        """Carry out an action and settle. While a dialog is open, only its answer is possible."""
        waiting = self._tabs.dialog is not None
        if waiting and not isinstance(action, AnswerDialog):
            error = f"{self._tabs.question}: {action.type} is possible after that"
            outcome = Outcome(ok=False, error=error, url=self.url)
        elif isinstance(action, AnswerDialog) and not waiting:
            outcome = Outcome(ok=False, error="no dialog is open; use the elements of the page", url=self.url)
        else:
            work = self._answer(action) if isinstance(action, AnswerDialog) else self._act(action)
            outcome = await self._paused.run(work) or self._so_far()
        self._last_outcome = outcome
        return outcome

    def _so_far(self) -> Outcome:
        """The outcome of an action that a dialog has stopped."""
        return Outcome(ok=True, url=self.url, target=self._tabs.active.acted_on, note="; ".join(self._tabs.notes))

    async def _answer(self, answer: AnswerDialog) -> Outcome:
        """Answer the dialog, finish the action that opened it, and settle."""
        self._tabs.begin()
        settling = self._settling()
        before = await self._paused.resume(answer.accept, answer.text)
        return self._outcome(ActionEffect(value=answer.text), await self._end(settling, expect=True), before)

    async def _act(self, action: Action) -> Outcome:
        self._tabs.begin()
        tab = await self._tabs.gather()
        settling = self._settling()
        for each in self._tabs.tabs:
            each.arrivals()
            each.routes()
            each.acted_on = None
        if not isinstance(action, Scroll | ReadFile):
            self._files.shown = None
        try:
            effect = await self._executor.do(action, tab)
        except Error:
            if not tab.page.is_closed() or tab.crashed:
                raise
            effect = ActionEffect()  # the action closed its own tab: gather selects the next one
        if not isinstance(action, Scroll):
            self._scroll_state.moved()
        ended = await self._end(settling, expect=not (effect.error or isinstance(action, Scroll)))
        return self._outcome(effect, [*filter(None, [effect.violation]), *ended])

    async def _end(self, settling: Settling, *, expect: bool) -> list[str]:
        """Wait for the effects of an action; returns violations."""
        await settling.readable_tab(expect=expect)
        violations = await self._close_forbidden_pages()
        await self._tabs.gather()
        return violations

    def _outcome(self, effect: ActionEffect, violations: Sequence[str], before: Outcome | None = None) -> Outcome:
        """What an action did; `before`: what it had done when a dialog stopped it."""
        tab, before = self._tabs.active, before or Outcome(ok=True)
        return Outcome(
            ok=not effect.error,
            error=effect.error,
            target=effect.target,
            value=effect.value,
            url=tab.url,
            navigations=(*before.navigations, *tab.arrivals()),
            routes=(*before.routes, *self.routes()),
            note="; ".join(dict.fromkeys(filter(None, (effect.note, before.note, *self._tabs.notes)))),
            violations=(*before.violations, *violations, *self.new_violations()),
        )

    async def rest(self) -> None:
        """Wait until nothing is pending, whoever started it. A dialog that is still open is dismissed."""
        await self._paused.give_up()
        await self._traffic.receive_reports()
        if self._traffic.under_way():
            await self._settling(known=frozenset()).readable_tab()

    async def close(self) -> None:
        """Close the context and its pages."""
        await self._paused.give_up()
        await self.context.close()

    def routes(self) -> tuple[str, ...]:
        """Addresses that the active tab showed without loading a document since the last call; none on sealed sites,
        where scripts must not do that."""
        if self._world is not None and self._world.sealed:
            return ()
        return self._tabs.active.routes() if self._tabs.tabs else ()

    def arrivals(self) -> tuple[str, ...]:
        """Documents that the active tab committed since the last action had ended."""
        return self._tabs.active.arrivals() if self._tabs.tabs else ()

    async def _close_forbidden_pages(self) -> list[str]:
        """Pages at forbidden addresses, as reported by the browser; they are closed."""
        tabs = [tab for tab in self._tabs.tabs if tab.has_new_document()]
        violations = []
        for tab, info in zip(tabs, await asyncio.gather(*(each.target_info() for each in tabs)), strict=True):
            url = str(info.get("url", ""))
            if url and not url.startswith(ALLOWED_ENDS):
                violations.append(f"the browser ended at {url[:500]}")
                self._tabs.note("the page was closed: such an address can't be opened")
                await self._tabs.replace(tab)
        return violations

    def new_violations(self) -> tuple[str, ...]:
        """Violations that the proxy and the tabs have noticed since the last call."""
        if self._world is None:
            return ()  # on the real web, scripts may change addresses
        fresh = self._world.log.violations[self._reported_violations :]
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
