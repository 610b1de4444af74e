"""Recording: Playwright's own record of a session: its trace, a video, the last screenshot. All three are raw: a trace
holds cookies and keys. `runs/recordings.py` keeps what is asked for, without them.
"""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

Kind = Literal["tracing", "video", "screenshot"]
"""pytest-playwright's options."""
KINDS: tuple[Kind, ...] = get_args(Kind)
FILES: dict[Kind, str] = {"tracing": "trace.zip", "video": "video.webm", "screenshot": "screenshot.png"}
"""The name of each kind's file."""
LONGEST_TITLE = 200
"""Maximum characters of a step's title."""


class StepGroups:
    """Groups of a trace that somebody else records, if anybody does. All methods run in the engine's loop.
    Playwright has groups since 1.49."""

    async def begin_step(self, context: "BrowserContext", title: str) -> None:
        """Open the group of a step."""
        if hasattr(context.tracing, "group"):
            await context.tracing.group(title[:LONGEST_TITLE])

    async def end_step(self, context: "BrowserContext", outcome: str) -> None:
        """Write a step's outcome, and close its group."""
        if hasattr(context.tracing, "group"):
            await context.tracing.group(outcome[:LONGEST_TITLE])
            await context.tracing.group_end()
            await context.tracing.group_end()

    async def stop(self, context: "BrowserContext") -> None:
        """Called before the session is closed."""


class Recording(StepGroups):
    """What one session records. All methods but `files` run in the engine's loop."""

    def __init__(self, folder: Path, kinds: frozenset[Kind]) -> None:
        """`folder` gets the files."""
        self.kinds = kinds
        self._folder = folder

    @property
    def context_options(self) -> dict[str, Any]:
        """Further arguments of Playwright's `new_context`."""
        return {"record_video_dir": self._folder} if "video" in self.kinds else {}

    async def start(self, context: "BrowserContext") -> None:
        """Begin, before a page is opened in it."""
        if "tracing" in self.kinds:
            await context.tracing.start(screenshots=True, snapshots=True)

    async def begin_step(self, context: "BrowserContext", title: str) -> None:
        """Does nothing without a trace."""
        if "tracing" in self.kinds:
            await super().begin_step(context, title)

    async def end_step(self, context: "BrowserContext", outcome: str) -> None:
        """Does nothing without a trace."""
        if "tracing" in self.kinds:
            await super().end_step(context, outcome)

    async def stop(self, context: "BrowserContext") -> None:
        """Write trace and screenshot, before the context is closed. The video is complete afterwards."""
        from playwright.async_api import Error  # plugins read the names above before a browser is needed

        with contextlib.suppress(Error):  # a page that is gone has no picture
            if "screenshot" in self.kinds and context.pages:
                await context.pages[-1].screenshot(path=self._folder / FILES["screenshot"], timeout=5_000)
        if "tracing" in self.kinds:
            await context.tracing.stop(path=self._folder / FILES["tracing"])

    def files(self) -> dict[Kind, Path]:
        """What was recorded, once the session is over. Of several pages' videos, the longest."""
        files = {kind: self._folder / name for kind, name in FILES.items()}
        videos = sorted(self._folder.glob("*.webm"), key=lambda path: path.stat().st_size)
        files |= {"video": videos[-1]} if videos else {}
        return {kind: path for kind, path in files.items() if path.is_file()}
