"""Case files: the files that a case offers, and its downloads; their names are all that an agent can give or see."""

import asyncio
import contextlib
import io
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from playwright.async_api import Download, Error

from longtrail.browser.observation import written
from longtrail.browser.observation_budget import CountTokens, ScrollState
from longtrail.browser.view import VIEWPORT, Permissions, View, ViewSettings

DOWNLOAD_SECONDS = 30.0
"""Longest time for a download."""
MAX_BYTES = 50_000_000
"""Size of the largest file that is saved or read."""
MAX_FILES = 50
"""The most downloads that are saved."""
MAX_PAGES = 200
"""Pages of a PDF that are read at most."""
MAX_CHARACTERS = 1_000_000
"""Characters of a file that are shown at most, in several windows."""


@dataclass(frozen=True)
class ShownFile:
    """A file that was opened, and its text."""

    name: str
    text: str

    def view(self, url: str, settings: ViewSettings, reading: ScrollState, count: CountTokens) -> View:
        """The file as an agent sees it, in front of the page at this address."""
        lines = [(20 * number, 20 * number + 20, line) for number, line in enumerate(self.text.splitlines())]
        seen = {"url": url, "title": self.name, "lines": lines, "height": VIEWPORT[1], "pictures": []}
        note = f'this is the file "{self.name}"; every action but scroll shows the page again'
        shown = written(seen, settings, reading, count)
        return View(shown.model_copy(update={"note": note}))


class CaseFiles:
    """The files of one session."""

    def __init__(self, permissions: Permissions) -> None:
        self._folder, self.uploads = permissions.downloads, permissions.files
        """The files for uploads, by name: those that the case offers, never another one."""
        names = ", ".join(self.uploads)
        self.hint = f"the task's files are {names}" if names else "the task has no files to upload"
        self.saves = permissions.downloads is not None
        """Whether downloads are saved."""
        self._saved: dict[str, Path] = {}
        self.shown: ShownFile | None = None
        """The file that the observation shows instead of the page."""

    async def save(self, download: Download) -> str:
        """Save a download, or block it; returns the note for the agent."""
        name = download.suggested_filename[:200]
        if self._folder is None or len(self._saved) >= MAX_FILES:
            with contextlib.suppress(Error):
                await download.cancel()
            return f'the download of "{name}" was blocked'
        path = self._free_path(name)
        try:
            async with asyncio.timeout(DOWNLOAD_SECONDS):
                await download.save_as(path)
        except (Error, TimeoutError):
            with contextlib.suppress(Error):
                await download.cancel()
            self._saved.pop(path.name, None)
            return f'the download of "{name}" failed'
        if path.stat().st_size > MAX_BYTES:
            path.unlink()
            del self._saved[path.name]
            return f'the download of "{name}" is larger than {MAX_BYTES // 1_000_000} MB and was not kept'
        return f'the file "{path.name}" was downloaded; read_file shows its text'

    def _free_path(self, name: str) -> Path:
        """A path directly in the folder, whatever the site calls the file; no file is overwritten."""
        assert self._folder is not None
        self._folder.mkdir(parents=True, exist_ok=True)
        plain = re.sub(r"[^\w. ()-]", "_", Path(name.replace("\\", "/")).name).lstrip(".")[-120:] or "file"
        stem, suffix = Path(plain).stem, Path(plain).suffix
        names = (plain, *(f"{stem}-{number}{suffix}" for number in range(2, 1000)))
        free = next(each for each in names if each not in self._saved and each not in self.uploads)
        self._saved[free] = self._folder / free
        return self._saved[free]

    def open(self, name: str) -> str:
        """Show a file's text from now on; returns the error if it has none."""
        text, error = self._text(name)
        self.shown = None if error else ShownFile(name, text)
        return error

    def _text(self, name: str) -> tuple[str, str]:
        path = self._saved.get(name) or self.uploads.get(name)
        if path is None:
            known = ", ".join((*self._saved, *self.uploads))
            return (
                "",
                f'there is no file "{name[:80]}"; {f"the files are {known}" if known else "nothing was downloaded"}',
            )
        data = path.read_bytes()
        try:
            text = _pdf_text(data) if data.startswith(b"%PDF-") else data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return "", f'"{name}" is neither a PDF nor a text, so it has no text to show'
        except _UnreadablePdf as error:
            return "", f'"{name}" can\'t be read as a PDF: {error}'
        return text[:MAX_CHARACTERS], ""


class _UnreadablePdf(Exception):
    """A damaged or encrypted PDF."""


def _pdf_text(data: bytes) -> str:
    """The text of a PDF, page by page."""
    import logging

    from pypdf import PdfReader  # type: ignore[import-not-found, unused-ignore]

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        pages = PdfReader(io.BytesIO(data)).pages
        texts = (page.extract_text() for page in islice(pages, MAX_PAGES))
        return "\n".join(f"Page {number} of {len(pages)}\n{text}" for number, text in enumerate(texts, 1))
    except Exception as error:  # a damaged PDF makes pypdf raise exceptions of any type
        raise _UnreadablePdf((str(error) or type(error).__name__).splitlines()[0]) from error
