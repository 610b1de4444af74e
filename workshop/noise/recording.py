"""Recording: plays errands in Chromium on the sealed web and writes them as a noise pool.

The same errands, sites and phrasings, recorded together, give the same bytes: the sites' clock is frozen, the errand's
id seeds the texts, and a ledger of the sentences written so far keeps any from being used too often. If a move can't be
done, or a text says what no page showed, recording fails with one line.
"""

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import View
from longtrail.errors import DataError
from longtrail.noise.pool import NoisePool, NoiseTrajectory, load_pool, save_pool
from longtrail.records.action import Action, Back, Click, Fill, Finish, Goto, Scroll, Search, Select
from longtrail.records.memory import PastTask, recall
from longtrail.records.trajectory import Outcome, Step
from longtrail.tasks.reference import find
from longtrail.tasks.task import SEARCH_PAGE
from workshop.noise.bearing import ungrounded
from workshop.noise.errand import ERRANDS, NoiseTask, NoiseTaskStep
from workshop.noise.ledger import Ledger
from workshop.noise.narrator import Narrator
from workshop.noise.page_summary import glance
from workshop.noise.phrasebook import phrasebook
from workshop.noise.played_step import PlayedStep
from workshop.noise.slips import SlipMaker

if TYPE_CHECKING:
    from longtrail.browser.session import Browser, Session
    from longtrail.web.sealed import SealedWeb
    from longtrail.web.world import World


def record(errands: Iterable[NoiseTask], out: Path, *, tell: Callable[[str], None] = lambda _: None) -> NoisePool:
    """Play the errands and write their trajectories to a file. `tell` is called with one line for
    each.

    The file's trajectories of other hosts are kept. Raises DataError if an errand can't be played
    as written, and HarnessTrouble.
    """
    from longtrail.browser.session import Browser
    from longtrail.web.registry import all_sites
    from longtrail.web.sealed import SealedWeb
    from longtrail.web.sites.search.app import index

    index()  # takes seconds, so it is done before the first search
    played: list[NoiseTrajectory] = []
    wanted = sorted(errands, key=lambda errand: errand.id)
    hosts = {errand.host for errand in wanted}
    kept = [other for other in load_pool(out).trajectories if other.host not in hosts] if out.exists() else []
    ledger = Ledger(text for other in kept for step in other.episode.steps for text in (step.thought, step.reflection))
    with SealedWeb(all_sites()) as web, Browser() as browser:
        for errand in wanted:
            trajectory = play(errand, web, browser, ledger)
            played.append(trajectory)
            tell(f"{errand.id}: {len(trajectory.episode.steps)} steps, {trajectory.tokens} tokens")
    save_pool([*kept, *played], out)
    return load_pool(out)


def play(errand: NoiseTask, web: "SealedWeb", browser: "Browser", ledger: Ledger | None = None) -> NoiseTrajectory:
    """Play one errand in a new world and return its trajectory."""
    world = web.open_world(f"errand-{errand.id}")
    try:
        with browser.session(world, web.proxy(world), url_policy=UrlPolicy(web.hosts)) as session:
            session.goto(SEARCH_PAGE)
            steps = _Player(errand, session, world, frozenset(web.hosts), ledger).play()
    finally:
        world.close()
    episode = PastTask(instruction=errand.instruction, steps=recall(steps))
    return NoiseTrajectory(id=errand.id, host=errand.host, topics=errand.topics, episode=episode)


class _Player:
    """Executes the moves of one errand."""

    def __init__(
        self,
        errand: NoiseTask,
        session: "Session",
        world: "World",
        hosts: frozenset[str],
        ledger: Ledger | None = None,
    ) -> None:
        self._errand, self._session, self._world, self._hosts = errand, session, world, hosts
        self._narrator = Narrator(errand, phrasebook(), ledger)
        self._slips = SlipMaker(errand, phrasebook(), ledger)
        self._seen = errand.instruction
        self._number = 0

    def play(self) -> list[Step]:
        """All steps, including useless ones."""
        steps: list[Step] = []
        view, left = self._look(), ""
        for number, move in enumerate(self._errand.moves, 1):
            self._number = number
            aim = self._errand.aim_at(number)
            fresh, left = view.url != left, view.url
            slips = self._slips.before(move, glance(view.observation), aim) if fresh else ()
            for slip, following in pairwise((*slips, move)):
                step, view = self._step(len(steps) + 1, slip, view, following, aim, aim, slips=True)
                steps.append(step)
            upcoming = next(iter(self._errand.moves[number : number + 1]), None)
            step, view = self._step(len(steps) + 1, move, view, upcoming, aim, self._errand.aim_at(number + 1))
            steps.append(step)
        return steps

    def _step(
        self,
        number: int,
        move: NoiseTaskStep,
        view: View,
        upcoming: NoiseTaskStep | None,
        aim: str,
        aim_after: str,
        *,
        slips: bool = False,
    ) -> tuple[Step, View]:
        self._check(move.why)
        self._check(move.finish or "")
        action, typed = self._action(move, view)
        outcome = self._act(action, slips=slips)
        deed = PlayedStep(move, glance(view.observation), outcome.target, typed, aim, aim_after, upcoming)
        thought = self._narrator.thought(deed)
        self._seen += f"\n{typed}\n{move.goto or ''}"
        after = view if isinstance(action, Finish) else self._look()
        self._check(move.then)
        reflection = self._narrator.reflection(deed, glance(after.observation)) if upcoming else ""
        step = Step(
            number=number,
            phase="main",
            observation=view.observation,
            thought=thought,
            action=action,
            outcome=outcome,
            reflection=reflection,
        )
        return step, after

    def _look(self) -> View:
        view = self._session.observe()
        host = urlsplit(view.url).hostname or ""
        if host not in self._hosts:
            raise self._wrong(f"led to {view.url}, which is not served")
        self._seen += f"\n{view.observation.title}\n{view.url}\n{view.text}"
        return view

    def _action(self, move: NoiseTaskStep, view: View) -> tuple[Action, str]:
        """The action, and the text that it types, searches for or selects."""
        locator = move.click or move.fill or move.select
        if locator is None:
            return _plain(move)
        element = find(view.text, locator)
        if element is None:
            raise self._wrong(f'{locator.role} "{locator.name}" no. {locator.nth} is not on the page {view.url}')
        if move.fill:
            return Fill(id=element, text=locator.text, enter=locator.enter), locator.text
        if move.select:
            return Select(id=element, option=locator.option), locator.option
        return Click(id=element), ""

    def _act(self, action: Action, *, slips: bool) -> Outcome:
        if isinstance(action, Finish):
            return Outcome(ok=True, url=self._session.url)
        served = len(self._world.log.requests)
        outcome = self._session.act(action)
        if failures := [*self._world.log.faults, *self._world.log.crashes]:
            raise self._wrong(f"the site failed: {failures[-1].strip().splitlines()[-1]}")
        if not outcome.ok:
            raise self._wrong(f"can't be carried out at {self._session.url}: {outcome.error}")
        for request in self._world.log.requests[served:]:
            if request.dest == "document" and request.status >= 400 and not slips:
                raise self._wrong(f"led to {request.url}, which answers {request.status}")
        return outcome

    def _check(self, words: str) -> None:
        if claims := ungrounded(words, self._seen):
            raise self._wrong(f"says {', '.join(claims)}, which no page has shown so far")

    def _wrong(self, message: str) -> DataError:
        return DataError(ERRANDS / f"{self._errand.host}.yaml", f"{self._errand.id}.moves.{self._number}", message)


def _plain(move: NoiseTaskStep) -> tuple[Action, str]:
    if move.goto is not None:
        return Goto(url=move.goto), ""
    if move.search is not None:
        return Search(query=move.search), move.search
    if move.back:
        return Back(), ""
    if move.scroll is not None:
        return Scroll(direction=move.scroll), ""
    return Finish(answer=move.finish or ""), ""
