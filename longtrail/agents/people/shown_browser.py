"""Shown browser: a screencast of the page that the person uses, and the person's clicks and keys in it. All methods run
in the engine's loop.

With a window (`--headed`) there is no screencast: the person uses the window itself, and we only read its pages.
"""

import asyncio
import base64
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Dialog, ElementHandle, Error, Page

from longtrail.agents.people.page_messages import Choose, DialogAnswer, Go, Input, Insert, Key, MouseInput, ShowTab

Send = Callable[[dict[str, Any] | bytes], Awaitable[None]]
"""Sends the person's page a JSON object, or a picture of the shown page (JPEG)."""
INPUT_SECONDS = 10.0
"""Time for one click or key; a page that waits for a dialog's answer takes longer and goes on without us."""
FRAME_SECONDS = 5.0
"""Time to read a frame's text."""
SCREENCAST = {"format": "jpeg", "quality": 80}
LIST_AT = """([x, y]) => {
  let element = null;
  for (let root = document; root; root = element?.shadowRoot) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === element) break;
    element = inner;
  }
  return element?.tagName === 'SELECT' && !element.multiple && element.size < 2 && !element.disabled ? element : null;
}"""
"""The closed list at a place: a screencast does not show the window that it opens."""
OPTIONS = "list => [...list.options].map(({label, disabled, selected}) => ({label, disabled, selected}))"
CHOOSE = """(list, number) => {
  list.focus();
  if (list.selectedIndex === number) return;
  list.selectedIndex = number;
  for (const type of ['input', 'change']) list.dispatchEvent(new Event(type, {bubbles: true}));
}"""
TEXT = "() => document.body?.innerText ?? ''"
SELECTION = "() => String(getSelection() ?? '')"


class ShownBrowser:
    """The browser of one phase, as the person sees it."""

    def __init__(self, context: BrowserContext, send: Send, *, screencast: bool) -> None:
        self._context, self._send, self._screencast = context, send, screencast
        self.page = context.pages[-1]
        """The shown page."""
        self._cdp: CDPSession | None = None
        self._size = (0, 0)
        self._list: ElementHandle | None = None
        self._dialog: Dialog | None = None
        self._inputs: asyncio.Queue[Input] = asyncio.Queue()
        self._work: set[asyncio.Task[None]] = set()
        self._over = False
        """The pages of a phase outlive it, and so do our listeners: they do nothing then."""

    async def begin(self) -> None:
        """Show the last page, and from then on every new one."""
        for page in self._context.pages:
            self._listen(page)
        self._context.on("page", self._opened)
        self._later(self._act_in_order())

    async def close(self) -> None:
        """Show nothing more."""
        self._over = True
        self._context.remove_listener("page", self._opened)
        for task in self._work:
            task.cancel()
        await self._end_screencast()

    async def show(self, page: Page | None = None) -> None:
        """Show this page, or the present one again (to a page of the person's that has just been opened)."""
        self.page = page or self.page
        self._size = (0, 0)
        await self._end_screencast()
        await self._tell()
        if self._dialog is not None:
            await self._ask_person(self._dialog)
        if not self._screencast:
            return
        with contextlib.suppress(Error):  # the page was closed meanwhile
            session = self._cdp = await self._context.new_cdp_session(self.page)
            session.on("Page.screencastFrame", lambda event: self._later(self._frame(session, event)))
            await session.send("Page.startScreencast", SCREENCAST)

    def queue_input(self, action: Input) -> None:
        """Queue something that the person does in the browser; inputs are carried out in order."""
        self._inputs.put_nowait(action)

    async def finish_inputs(self) -> None:
        """Wait until all queued inputs are carried out, at most as long as one may take."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._inputs.join(), INPUT_SECONDS)

    async def answer(self, answer: DialogAnswer) -> None:
        """The person has answered the page's dialog."""
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            with contextlib.suppress(Error):
                await (dialog.accept(answer.text) if answer.accept else dialog.dismiss())

    async def read(self, what: str) -> tuple[str, str]:
        """The address of the shown page, and its text or (`selection`) what is selected on it."""
        if what == "selection":  # the mouse may still be selecting
            await self.finish_inputs()
        page = await self._visible_page()
        texts = []
        for frame in page.frames:
            with contextlib.suppress(Error, TimeoutError):  # a frame that was removed, or does not answer
                script = TEXT if what == "text" else SELECTION
                texts.append(str(await asyncio.wait_for(frame.evaluate(script), FRAME_SECONDS)).strip())
        return page.url, "\n\n".join(filter(None, texts))

    async def _visible_page(self) -> Page:
        """The page that the person sees: with a window, the tab in front."""
        if not self._screencast:
            for page in reversed(self._context.pages):
                with contextlib.suppress(Error, TimeoutError):
                    state = page.evaluate("() => document.visibilityState")
                    if await asyncio.wait_for(state, FRAME_SECONDS) == "visible":
                        return page
        return self.page

    def _opened(self, page: Page) -> None:
        self._listen(page)
        self._later(self.show(page))

    def _listen(self, page: Page) -> None:
        page.on("load", lambda _: self._later(self._tell()))
        page.on("framenavigated", lambda _: self._later(self._tell()))
        page.on("close", lambda _: self._later(self._closed(page)))
        page.on("dialog", lambda dialog: self._later(self._ask_person(dialog)))

    async def _closed(self, page: Page) -> None:
        if page is self.page and self._context.pages:
            await self.show(self._context.pages[-1])
        else:
            await self._tell()

    async def _tell(self) -> None:
        """Send the address and the tabs."""
        pages = self._context.pages
        titles = []
        for page in pages:
            with contextlib.suppress(Error, TimeoutError):
                titles.append(await asyncio.wait_for(page.title(), 1.0))
                continue
            titles.append("")
        tabs = [
            {"title": title or page.url, "shown": page is self.page} for page, title in zip(pages, titles, strict=True)
        ]
        await self._send({"type": "page", "url": self.page.url, "tabs": tabs, "screen": self._screencast})

    async def _ask_person(self, dialog: Dialog) -> None:
        if dialog.type == "beforeunload":
            with contextlib.suppress(Error):
                await dialog.accept()
            return
        self._dialog = dialog
        await self._send(
            {"type": "dialog", "kind": dialog.type, "message": dialog.message, "value": dialog.default_value}
        )

    async def _frame(self, session: CDPSession, event: dict[str, Any]) -> None:
        """Send one picture; the next one is made when this one has arrived."""
        meta = event["metadata"]
        if (size := (meta["deviceWidth"], meta["deviceHeight"])) != self._size:
            self._size = size
            await self._send({"type": "screen", "width": size[0], "height": size[1]})
        await self._send(base64.b64decode(event["data"]))
        with contextlib.suppress(Error):
            await session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    async def _end_screencast(self) -> None:
        session, self._cdp = self._cdp, None
        if session is not None:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(session.detach(), 1.0)

    async def _act_in_order(self) -> None:
        while True:
            action = await self._inputs.get()
            with contextlib.suppress(Error, TimeoutError):  # the page does not answer; the person sees that
                await asyncio.wait_for(self._act(action), INPUT_SECONDS)
            self._inputs.task_done()

    async def _act(self, action: Input) -> None:
        page = self.page
        match action:
            case MouseInput():
                await self._use_mouse(action)
            case Key(key=key):
                await page.keyboard.press(key)
            case Insert(text=text):
                await page.keyboard.insert_text(text)
            case Go(to="url", url=url):
                address = url.strip()
                is_web = address.startswith(("http://", "https://"))
                await page.goto(address if is_web else f"https://{address}", wait_until="commit")
            case Go(to="back"):
                await page.go_back(wait_until="commit")
            case Go(to="forward"):
                await page.go_forward(wait_until="commit")
            case Go():
                await page.reload(wait_until="commit")
            case ShowTab(number=number):
                if number < len(self._context.pages):
                    await self._context.pages[number].bring_to_front()
                    await self.show(self._context.pages[number])
            case Choose(number=number):
                chosen, self._list = self._list, None
                if chosen is not None and number is not None:
                    await chosen.evaluate(CHOOSE, number)

    async def _use_mouse(self, mouse: MouseInput) -> None:
        page = self.page
        await page.mouse.move(mouse.x, mouse.y)
        if mouse.kind == "wheel":
            await page.mouse.wheel(mouse.dx, mouse.dy)
        elif mouse.kind == "down":
            handle = await page.evaluate_handle(LIST_AT, [mouse.x, mouse.y])
            self._list = handle.as_element()
            if self._list is not None:
                options = await self._list.evaluate(OPTIONS)
                await self._send({"type": "options", "options": options, "x": mouse.x, "y": mouse.y})
            else:
                await page.mouse.down(button=mouse.button, click_count=mouse.clicks)
        elif mouse.kind == "up" and self._list is None:
            await page.mouse.up(button=mouse.button, click_count=mouse.clicks)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        if self._over:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
