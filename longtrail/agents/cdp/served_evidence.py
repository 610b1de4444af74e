"""Served evidence: compares what was observed in an agent's own browser with what the sites served to it. A page's DOM
is not proof: whoever drives the browser can change it. A passage counts if it is in a body that was served for the
page: the document itself, data that it requested, or a document that its own code shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.agents.cdp.request_causes import Cause, Caused, RequestCauses
from longtrail.agents.cdp.served_pages import ServedContent, ServedPages
from longtrail.browser.engine import Engine
from longtrail.browser.view import View
from longtrail.checks.visits import canonical
from longtrail.records.trajectory import Request
from longtrail.web.request_log import ServedBody
from longtrail.web.world import World

DATA = ("application/json", "text/plain", "application/xml", "text/xml", "image/svg+xml")
"""Content types of data responses that a page may show."""


@dataclass(frozen=True, slots=True)
class AssignedRequest:
    """A request of the sites' log and its step's number; None: it has no step yet."""

    request: Request
    step: int | None


class ServedEvidence:
    """The evidence of one browser. All methods run in the engine's loop."""

    def __init__(self, world: World, causes: RequestCauses, pages: ServedPages | None) -> None:
        self._world, self._causes, self._pages = world, causes, pages
        self._shown: dict[str, list[ServedBody]] = {}
        """Data that each document shows."""
        self._waiting: list[tuple[Cause, Request]] = []

    @classmethod
    async def begin(cls, engine: Engine, world: World, causes: RequestCauses) -> "ServedEvidence":
        """On the real web nothing is compared, because its pages can't be opened again."""
        pages = await ServedPages.begin(await engine.browser(), world) if world.sealed else None
        return cls(world, causes, pages)

    async def close(self) -> None:
        """Close the clean tab."""
        if self._pages is not None:
            await self._pages.close()

    async def assigned(self, *, last: bool) -> list[AssignedRequest]:
        """The requests whose step became known since the last call."""
        for caused in self._causes.settle(last=last):
            request = self._world.log.requests[caused.index]
            if await self._scripted(caused, request):
                request = request.model_copy(update={"scripted": True})
            self._waiting.append((caused.cause, request))
        ready = [(cause, request) for cause, request in self._waiting if last or cause.at is not None]
        self._waiting = [] if last else [item for item in self._waiting if item[0].at is None]
        return [AssignedRequest(request, cause.at) for cause, request in ready]

    async def compared(self, happened: Sequence[ObservedStep]) -> list[ObservedStep]:
        """The steps, with unserved content marked."""
        return [await self._compared(step) for step in happened]

    async def view(self, view: View, document: str) -> View:
        """A view, with unserved content marked."""
        if self._pages is None or not view.passages:
            return view
        content = await self._content(document)
        foreign = [line for passage in view.passages if not content.holds(passage.source) for line in passage.lines]
        pictures = tuple(
            picture
            for picture in view.observation.pictures
            if picture.url in content.pictures or canonical(picture.url) in content.requested
        )
        update = {"unserved": tuple(dict.fromkeys(foreign)), "pictures": pictures}
        return replace(view, observation=view.observation.model_copy(update=update))

    async def _compared(self, step: ObservedStep) -> ObservedStep:
        view, outcome = await self.view(step.before, step.document), step.outcome
        if self._pages is not None and outcome.target is not None:
            elsewhere = canonical(view.url) != canonical(step.document)
            if elsewhere or not (await self._content(step.document)).has(outcome.target):
                target = outcome.target.model_copy(update={"unserved": True})
                outcome = outcome.model_copy(update={"target": target})
        return replace(step, before=view, outcome=outcome)

    async def _content(self, document: str) -> ServedContent:
        assert self._pages is not None
        return await self._pages.content(document, self._shown.get(canonical(document), ()))

    async def _scripted(self, caused: Caused, request: Request) -> bool:
        """Whether a script requested this document, rather than the page's own code, a click or a key. Also records
        what the page may show of it."""
        body = self._world.log.keep_bodies().at(caused.index) if self._pages is not None else None
        if body is None or request.purpose or (request.dest == "document" and caused.reported):
            return False
        cause = caused.cause
        if not body.is_page:
            if body.kind in DATA:
                self._shows(cause, body)
            return False
        if not caused.reported:
            return True
        content = await self._content(cause.url)
        if canonical(request.url) in content.requested:
            self._shows(cause, body)
            return False
        if cause.target is None or cause.answered:
            return True
        cause.answered = True
        if content.has(cause.target):
            self._shows(cause, body)
        return cause.within is not None

    def _shows(self, cause: Cause, body: ServedBody) -> None:
        self._shown.setdefault(canonical(cause.url), []).append(body)
