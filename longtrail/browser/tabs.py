"""Tabs: the pages of one session, which of them is active, and what they tried: dialogs, pop-ups, downloads.

Rules: a new tab becomes the active one; at most three are kept, the oldest in the background is closed; when the
active one closes, the previous one becomes active, and if none is left a blank one is opened. Alerts, questions and
`beforeunload` are answered with OK, prompts with Cancel; file choosers are cancelled. Where dialogs wait, a question
or prompt stays open until the agent answers it. Each of these events is noted for the agent.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, Dialog, Download, Error, FileChooser, Page

from longtrail.browser.case_files import CaseFiles
from longtrail.browser.tab import Tab
from longtrail.browser.traffic import Traffic
from longtrail.browser.view import Permissions

MAX_TABS = 3
MAX_DIALOGS = 5
"""Maximum number of dialogs answered in one step; then their script is ended."""
MAX_NOTES = 8
ARRIVAL = 10.0
"""Seconds within which a window must appear after a page has opened it."""


class Tabs:
    """The pages of a context. All methods run in the engine's loop."""

    def __init__(self, context: BrowserContext, traffic: Traffic, files: CaseFiles, permissions: Permissions) -> None:
        self.context = context
        self._traffic = traffic
        self._files, self._permissions = files, permissions
        self.dialog: Dialog | None = None
        """The dialog that waits for an answer."""
        self.dialog_opened = asyncio.Event()
        """Whether there is one."""
        self._upload: tuple[Path, asyncio.Future[None]] | None = None
        self.notes: list[str] = []
        """Notes on what a person at the screen would have noticed since the step began."""
        self._tabs: list[Tab] = []
        self._arriving: set[asyncio.Task[object]] = set()
        self._closing: set[asyncio.Task[object]] = set()
        self._announced = 0
        self._arrivals = 0
        self._arrival = asyncio.Event()
        self._dialogs = 0
        self._opened = 0
        self._flooded = False
        self._adopted: Page | None = None
        """The page that was open before; it is only closed by the agent."""
        context.on("page", self._arrived)

    async def adopt(self, page: Page) -> None:
        """Begin with a page that is already open."""
        self._adopted = page
        self._announced += 1
        self._arrived(page)
        await self._arrived_all()

    @property
    def active(self) -> Tab:
        """The active tab. After `gather` there is always one."""
        return self._tabs[-1]

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """All tabs, the active one last."""
        return tuple(self._tabs)

    def begin(self) -> None:
        """A new step: clear the notes of the last one."""
        self.notes.clear()
        self._dialogs = 0
        self._flooded = False

    def note(self, line: str) -> None:
        """Add a note for the agent, up to a limit."""
        if len(self.notes) < MAX_NOTES and line not in self.notes:
            self.notes.append(line)

    async def gather(self) -> Tab:
        """Wait for tabs that are just opening, apply the rules, and return the active one."""
        await self._arrived_all()
        closed = [tab for tab in self._tabs if tab.page.is_closed()]
        self._tabs = [tab for tab in self._tabs if not tab.page.is_closed()]
        if closed and self._tabs:
            self.note("the tab was closed")
        if not self._tabs:
            if closed:
                self.note("the last tab was closed; this is a blank one")
            await self.open_blank()
        background = [tab for tab in self._tabs[:-1] if tab.page is not self._adopted]
        for extra in background[: max(0, len(self._tabs) - MAX_TABS)]:
            await extra.close()
            self._tabs.remove(extra)
        return self.active

    async def replace(self, tab: Tab) -> None:
        """Close an unusable tab; if it was the last one, open a blank tab."""
        await tab.close()
        self._tabs = [other for other in self._tabs if other is not tab]
        if not self._tabs:
            await self.open_blank()
        await self.gather()

    def switch(self, number: int) -> str:
        """Make the tab with this number the active one; returns the error if there is none."""
        tab = next((tab for tab in self._tabs if tab.number == number), None)
        if tab is None:
            return f"there is no tab {number}; there are {', '.join(str(tab.number) for tab in self.in_order)}"
        self._tabs.remove(tab)
        self._tabs.append(tab)
        return ""

    @property
    def in_order(self) -> list[Tab]:
        """All tabs in the order in which they were opened."""
        return sorted(self._tabs, key=lambda tab: tab.number)

    def listed(self) -> str:
        """The tabs for a note, if the session lists them and there are several."""
        if not self._permissions.lists_tabs or len(self._tabs) < 2:
            return ""
        lines = (f"{tab.number} {tab.url[:120]}{' (active)' * (tab is self.active)}" for tab in self.in_order)
        return f"tabs: {', '.join(lines)}"

    def offer_upload(self, path: Path | None) -> "asyncio.Future[None]":
        """Give this file to the page once it asks for one (None: no file any more). The future is done then."""
        chosen = asyncio.get_running_loop().create_future()
        self._upload = None if path is None else (path, chosen)
        return chosen

    async def open_blank(self) -> None:
        """Open a blank tab; it becomes the active one."""
        self._announced += 1
        await self.context.new_page()
        await self._arrived_all()

    async def _arrived_all(self) -> None:
        """Wait for the tabs that pages have opened, and for answers to dialogs and the like."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ARRIVAL):
                while self._arrivals < self._announced:
                    self._arrival.clear()
                    await self._arrival.wait()
        while self._arriving:
            await asyncio.wait(self._arriving)
        # a window that has not appeared by now (a blocked one) is not waited for again
        self._announced = self._arrivals

    def _announce(self) -> None:
        self._announced += 1

    def _arrived(self, page: Page) -> None:
        self._arrivals += 1
        self._arrival.set()
        page.on("dialog", self._asked)
        page.on("download", self._downloading)
        page.on("filechooser", self._choosing)
        if len(self._tabs) + len(self._arriving) > 4 * MAX_TABS:
            self.note("the page opened too many tabs; they were closed")
            if not self._flooded:
                self._flooded = True
                for tab in self._tabs:
                    self._later(tab.interrupt(ARRIVAL), self._closing)
            self._later(_close(page), self._closing)
        else:
            self._later(self._add(page))

    async def _add(self, page: Page) -> None:
        try:
            tab = await Tab.attach(page, self._announce, self._traffic)
        except Error:
            return  # it closed before it had loaded
        if self._tabs:
            self.note("a new tab was opened and is now the active one")
        self._opened += 1
        tab.number = self._opened
        self._tabs.append(tab)

    def _asked(self, dialog: Dialog) -> None:
        if self._permissions.dialogs_wait and dialog.type in ("confirm", "prompt"):
            self.dialog = dialog
            self.dialog_opened.set()
        else:
            self._later(self._answer(dialog))

    @property
    def question(self) -> str:
        """The note on the dialog that waits; empty if there is none."""
        if self.dialog is None:
            return ""
        default = f' (proposed: "{self.dialog.default_value[:200]}")' if self.dialog.default_value else ""
        return f"{_shown(self.dialog)}{default}; it waits for answer_dialog"

    async def answer(self, accept: bool, text: str) -> None:
        """Answer the dialog that waits."""
        dialog, self.dialog = self.dialog, None
        self.dialog_opened.clear()
        if dialog is not None:
            with contextlib.suppress(Error):  # its page was closed
                await (dialog.accept(text) if accept else dialog.dismiss())

    async def _answer(self, dialog: Dialog) -> None:
        self._dialogs += 1
        accept = dialog.type != "prompt"
        if dialog.type != "beforeunload":
            self.note(f"{_shown(dialog)}; answered with {'OK' if accept else 'Cancel'}")
        with contextlib.suppress(Error):
            if self._dialogs > MAX_DIALOGS:
                self.note("the page kept opening dialogs; its script was ended")
                self._end_script(dialog)
            await (dialog.accept() if accept else dialog.dismiss())

    def _end_script(self, dialog: Dialog) -> None:
        for tab in self._tabs:
            if tab.page is dialog.page:
                # Not awaited: the answer arrives when the dialog has closed.
                self._later(tab.interrupt(ARRIVAL), self._closing)

    def _downloading(self, download: Download) -> None:
        self._later(self._save(download))

    async def _save(self, download: Download) -> None:
        self.note(await self._files.save(download))

    def _choosing(self, chooser: FileChooser) -> None:
        if self._upload is None:
            how = "; use upload with the element that was clicked" if self._files.uploads else ""
            self.note(f"the page asked for a file; that was cancelled{how}")
            return
        path, chosen = self._upload
        self._later(_give(chooser, path, chosen))

    def _later(self, work: Coroutine[Any, Any, object], among: set[asyncio.Task[object]] | None = None) -> None:
        tasks = self._arriving if among is None else among
        task = asyncio.get_running_loop().create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def _close(page: Page) -> None:
    with contextlib.suppress(Error):
        await page.close()


async def _give(chooser: FileChooser, path: Path, chosen: "asyncio.Future[None]") -> None:
    try:
        await chooser.set_files(path)
    except Error as error:
        if not chosen.done():
            chosen.set_exception(error)
    if not chosen.done():
        chosen.set_result(None)


def _shown(dialog: Dialog) -> str:
    """What a dialog says, for a note."""
    return f'the page showed a dialog ({dialog.type}): "{" ".join(dialog.message.split())[:500]}"'
