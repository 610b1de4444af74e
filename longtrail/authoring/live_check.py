"""Live check: which tasks still work on the real sites? It replays the reference and opens the key pages.

A task is `ok` if the reference still hits every key step (or, with pages alone, if every key page is still there),
`changed` if not, `blocked` if a site refuses robots, `unreachable` if one does not answer.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

from longtrail.agents.spec import ORACLE
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import LIVE_WAITS, ViewSettings
from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.checks.key_steps import KeyStep, UrlStep, evaluate
from longtrail.checks.visits import canonical, is_document
from longtrail.checks.webcanvas import WebCanvasStep, url_exactly, url_included
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.first_part import home_domains
from longtrail.episode.runner import play_once
from longtrail.errors import HarnessTrouble, TroubleKind, UsageError
from longtrail.llm.tokens import count
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.tasks.loading import matches
from longtrail.tasks.task import LongContextTask, Task

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.web.live.live_web import LiveWeb

Verdict = Literal["ok", "changed", "blocked", "unreachable"]
TROUBLE: dict[TroubleKind, Verdict] = {
    "anti_bot": "blocked",
    "site_error": "unreachable",
    "site_timeout": "unreachable",
}
WORST: Sequence[Verdict] = ("blocked", "unreachable", "changed", "ok")
"""Of several pages' verdicts, the first in this order is the task's verdict."""


class PageState(Record):
    """The state of a key page now."""

    name: str
    """The key step's name."""
    url: str
    verdict: Verdict
    why: str


class TaskState(Record):
    """The state of a task now."""

    task: str
    verdict: Verdict
    why: str
    pages: tuple[PageState, ...] = ()


class Checker:
    """Checks tasks one after the other in one browser. `replay`: also play the reference."""

    def __init__(self, web: "LiveWeb", browser: "Browser", *, replay: bool) -> None:
        self._web, self._browser, self._replay = web, browser, replay
        self._opened = 0

    def task(self, task: LongContextTask) -> TaskState:
        """Check one task. Raises HarnessTrouble if the browser fails."""
        allowed = home_domains(task)
        keys = (*task.a1.route, *task.a2.route)
        if not self._replay:
            return _by_pages(task.id, self._pages(keys, allowed), len(keys))
        trajectory = self._play(task)
        result = _by_replay(task, trajectory)
        if result.verdict != "changed":
            return result
        pages = self._pages(keys, allowed)
        gone = [page for page in pages if page.verdict != "ok"]
        problems = "; ".join(f"{page.url}: {page.why}" for page in gone)
        summary = f"{len(pages) - len(gone)} of {len(pages)} key pages are there" + (
            f" ({problems})" if problems else ""
        )
        return result.model_copy(update={"why": f"{result.why}; {summary}", "pages": pages})

    def _play(self, task: LongContextTask) -> Trajectory:
        case = Case(id=f"{task.id}-live", suite=task.suite, task=task.id, noise_tokens=0)
        settings = EpisodeSettings(web="live")
        context = EpisodeContext(self._web, self._browser, Contender(agent=ORACLE), settings=settings)
        return play_once(case, task, context)

    def _pages(self, keys: Iterable[KeyStep], allowed: frozenset[str]) -> tuple[PageState, ...]:
        wanted = [(key, url) for key in keys if (url := address(key))]
        return tuple(self._page(key, url, allowed) for key, url in wanted)

    def _page(self, key: KeyStep, url: str, allowed: frozenset[str]) -> PageState:
        """Open one page in a new browser context."""
        self._opened += 1
        world = self._web.open_world(f"page-{self._opened}")
        world.home_domains = allowed | {registrable_domain(host_of(url))}
        try:
            with self._browser.session(world, self._web.proxy(world), url_policy=UrlPolicy(self._web.reach)) as session:
                session.goto(url)
                end = session.url
            documents = [
                request for request in world.log.requests if request.dest == "document" and request.mode == "navigate"
            ]
            if world.log.faults:
                raise HarnessTrouble(world.log.fault_kind, world.log.faults[-1])
            status = next(
                (request.status for request in reversed(documents) if canonical(request.url) == canonical(end)), 0
            )
            served = any(is_document(request) and canonical(request.url) == canonical(end) for request in documents)
        except HarnessTrouble as trouble:
            verdict = TROUBLE.get(trouble.kind)
            if verdict is None:
                raise
            return PageState(name=key.name, url=url, verdict=verdict, why=_short(trouble.message))
        finally:
            world.close()
        if not served:
            missing = f"missing: {status}" if status else "no document was served"
            return PageState(name=key.name, url=url, verdict="changed", why=missing)
        if not still_fits(key, end):
            return PageState(name=key.name, url=url, verdict="changed", why=f"redirects to {end}")
        return PageState(name=key.name, url=url, verdict="ok", why="served")


def address(key: KeyStep) -> str:
    """The address of a key step's page; none if it is a pattern or an element."""
    if isinstance(key, WebCanvasStep):
        return key.url if key.url.startswith(("http://", "https://")) else ""
    if not isinstance(key, UrlStep) or any("*" in value for value in key.query.values()):
        return ""
    path = next((path for path in key.paths if "*" not in path), "")
    query = f"?{urlencode(key.query)}" if key.query else ""
    return f"https://{key.host}{path}{query}" if path else ""


def still_fits(key: KeyStep, url: str) -> bool:
    """Whether the page that was served there still satisfies the key step."""
    if isinstance(key, UrlStep):
        return key.fits(url)
    if isinstance(key, WebCanvasStep) and key.match in ("url_exactly_match", "url_included_match"):
        return (url_exactly if key.match == "url_exactly_match" else url_included)(url, key.key, key.answer)
    return True


def _by_replay(task: LongContextTask, trajectory: Trajectory) -> TaskState:
    trouble = trajectory.trouble
    if trouble is not None:
        verdict = TROUBLE.get(trouble.kind)
        if verdict is None:
            raise HarnessTrouble(trouble.kind, trouble.message)
        return TaskState(task=task.id, verdict=verdict, why=_short(trouble.message))
    hits = [
        hit
        for part, phase in ((task.a1, "a1"), (task.a2, "a2"))
        for hit in evaluate(
            part.route, [step for step in trajectory.steps if step.phase == phase], ordered=part.ordered
        )
    ]
    held = sum(bool(request.held) for step in trajectory.steps for request in step.requests)
    note = f"; {held} requests were blocked" if held else ""
    missed = [hit for hit in hits if hit.step is None]
    if not missed:
        return TaskState(task=task.id, verdict="ok", why=f"the reference passes all {len(hits)} key steps{note}")
    thoughts = (step.thought for step in trajectory.steps if step.thought.startswith("The reference solution"))
    stuck = next(thoughts, f"{missed[0].name}: {missed[0].reason}")
    why = f"{len(missed)} of {len(hits)} key steps missed: {_short(stuck).rstrip('.')}{note}"
    return TaskState(task=task.id, verdict="changed", why=why)


def _by_pages(name: str, pages: tuple[PageState, ...], keys: int) -> TaskState:
    unseen = f"; {keys - len(pages)} key steps don't name a single page" if keys > len(pages) else ""
    if not pages:
        return TaskState(task=name, verdict="changed", why=f"no key step names a page: nothing to open{unseen}")
    worst = min(pages, key=lambda page: WORST.index(page.verdict))
    if worst.verdict == "ok":
        return TaskState(task=name, verdict="ok", why=f"all {len(pages)} key pages are there{unseen}", pages=pages)
    wrong = "; ".join(f"{page.url}: {page.why}" for page in pages if page.verdict != "ok")
    return TaskState(task=name, verdict=worst.verdict, why=f"{wrong}{unseen}", pages=pages)


def _short(text: str) -> str:
    return " ".join(text.split())[:300]


def chosen(tasks: Iterable[Task], globs: Sequence[str]) -> list[LongContextTask]:
    """The long-context tasks that match these names. Raises UsageError if a name matches no task,
    or one without a live web."""
    every = list(tasks)
    for glob in globs:
        named = [task for task in every if matches(task.id, (glob,))]
        if not named:
            raise UsageError(f"check-live {glob}: no task has this id")
        if not any(task.suite == "long_context" for task in named):
            raise UsageError(f"check-live {glob}: {named[0].id} ({named[0].suite}) can't be played on the live web")
    return [
        task
        for task in every
        if isinstance(task, LongContextTask) and task.suite == "long_context" and (not globs or matches(task.id, globs))
    ]


def check(tasks: Sequence[LongContextTask], web: "LiveWeb", *, replay: bool) -> Iterator[TaskState]:
    """Check every task and report each result at once."""
    from longtrail.browser.session import Browser

    with web, Browser(ViewSettings(**LIVE_WAITS), count=count) as browser:
        checker = Checker(web, browser, replay=replay)
        for task in tasks:
            yield checker.task(task)


def show(checks: Iterable[TaskState], names: Sequence[str], print_line: Callable[[str], None]) -> list[TaskState]:
    """Print a table, row by row, and a line of totals."""
    width = max(4, *map(len, names))
    print_line(f"{'task':<{width}}  {'now':<11}  why")
    rows = []
    for check in checks:
        rows.append(check)
        print_line(f"{check.task:<{width}}  {check.verdict:<11}  {check.why}")
    counts = ", ".join(f"{sum(row.verdict == verdict for row in rows)} {verdict}" for verdict in reversed(WORST))
    print_line(f"{len(rows)} tasks: {counts}")
    return rows
