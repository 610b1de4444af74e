"""Page errors: what the browser reports of a context's pages that went wrong: console errors, uncaught exceptions of
scripts, and requests without an answer."""

from typing import Any, Literal

from longtrail.records.site_reports import PageError

NETWORK = "Failed to load resource:"
"""Begins the console's line for an answer with an error status, which is counted as a request."""
CANCELLED = "ERR_ABORTED"
"""The reason if the page itself was left."""
LONGEST = 500
"""Maximum characters of a message."""
MOST = 50
"""Maximum number of errors of one step."""


class PageErrors:
    """Those of one context."""

    def __init__(self) -> None:
        self._new: list[PageError] = []

    def listen(self, context: Any) -> None:
        """Listen to a context."""
        context.on("console", self._add_console)
        context.on("weberror", lambda event: self._add("exception", str(event.error), event.page))
        context.on("requestfailed", self._add_request)

    def take(self) -> tuple[PageError, ...]:
        """The errors since the last call."""
        taken, self._new = tuple(self._new), []
        return taken

    def _add_console(self, message: Any) -> None:
        if message.type == "error" and not message.text.startswith(NETWORK):
            self._add("console", message.text, message.page)

    def _add_request(self, request: Any) -> None:
        if CANCELLED not in (reason := request.failure or ""):
            self._new.append(PageError(kind="request", text=f"{request.method} {request.url}: {reason}"[:LONGEST]))

    def _add(self, kind: Literal["console", "exception"], text: str, page: Any) -> None:
        if len(self._new) < MOST:
            self._new.append(PageError(kind=kind, text=text[:LONGEST], url=page.url if page else ""))
