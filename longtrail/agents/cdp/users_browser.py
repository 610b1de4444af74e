"""User's browser: the browser of the user's own Playwright test, for an agent that drives it itself. The agent gets its
devtools address and goes on in the page that the test has open.
"""

from pathlib import Path

import psutil
from playwright.async_api import BrowserContext

from longtrail.agents.cdp.agent_browser import AgentBrowser, devtools_port
from longtrail.agents.cdp.observer import CdpObserver
from longtrail.browser.session import Browser
from longtrail.browser.users_page import OpenPage
from longtrail.errors import HarnessTrouble, UsageError

PROFILE = "--user-data-dir="
NO_PORT = (
    "web_agent: an agent that drives the browser itself needs its devtools port: have your fixture "
    'browser_type_launch_args return {"args": ["--remote-debugging-port=0"]}, too'
)


class UsersBrowser(AgentBrowser):
    """The browser of an open page. Closing it ends only our part."""

    def __init__(self, browser: Browser, page: OpenPage) -> None:
        """`browser` lends its event loop and settings. Raises UsageError if there is no devtools port."""
        self._open_page, self._target = page, page.target()
        page.begin_log()
        super().__init__(browser, page.world, "")

    def _start(self, proxy: str) -> None:  # noqa: ARG002 (nothing is started)
        return None

    def _port(self) -> int:
        arguments = psutil.Process(self._open_page.process_id()).cmdline()
        profiles = [word.removeprefix(PROFILE) for word in arguments if word.startswith(PROFILE)]
        if port := devtools_port(Path(profiles[0])) if profiles else 0:
            return port
        self.close()
        raise UsageError(NO_PORT)

    async def _observe(self, context: BrowserContext) -> CdpObserver:
        for page in context.pages:
            session = await context.new_cdp_session(page)
            target = (await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
            await session.detach()
            if target == self._target:
                observer = await self._new_observer(context, page)
                await observer.begin_at_open_page()
                return observer
        raise HarnessTrouble("browser_crash", "the open page is not in its browser any more")

    def close(self) -> None:
        """Leave the browser open."""
        super().close()
        self._open_page.end_log()
