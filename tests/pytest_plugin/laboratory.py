"""A laboratory: cases played in this process, in a real browser on the embedded web, as workers of runs do."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

from longtrail.browser.session import Browser
from longtrail.browser.view import ViewSettings
from longtrail.episode.context import EpisodeContext, Recorder
from longtrail.episode.first_part import FirstPartCache
from longtrail.llm.tokens import count
from longtrail.records.trajectory import Contender, Trajectory
from longtrail.tasks.cases import Conditions, PlannedCase, plan
from longtrail.tasks.loading import load_tasks
from longtrail.variants import shipped_tasks, vary
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from tests.made import play_case

CASES = {
    planned.task.id: planned
    for planned in plan(load_tasks(), Conditions(lengths=(25_000,), relocated=False, prompts=("raw",)))
}
"""By task: one case of each."""


class Laboratory:
    """Web, browsers and noise, the same for all cases."""

    def __init__(self, web: SealedWeb, opened: ExitStack) -> None:
        self._web, self._opened, self._shared = web, opened, FirstPartCache()
        self._browser = cache(self._open)
        self.shots: list[str] = []
        opened.callback(self._shared.close)

    def play(self, planned: PlannedCase, agent: str, *, shots: bool = False, **options: str) -> Trajectory:
        """A case, played by the agent of this name; without trouble, else it fails."""
        contender = Contender(agent=agent, vision=shots, options=options)
        browser = self._browser(shots)
        context = EpisodeContext(
            self._web, browser, contender, options=options, recorder=Recorder(save_shot=self._save_shot)
        )
        trajectory = play_case(planned.case, planned.task, context, cache=self._shared)
        assert trajectory.trouble is None, trajectory.trouble
        return trajectory

    def _open(self, shots: bool) -> Browser:
        return self._opened.enter_context(Browser(ViewSettings(screenshot=shots), count=count))

    def _save_shot(self, image: bytes) -> str:
        self.shots.append(f"{len(self.shots)}.jpg")
        return self.shots[-1]


@contextmanager
def opened(seed: int) -> Iterator[Laboratory]:
    """A laboratory while it lasts, with the variant of a seed. Its browsers start when they are needed."""
    sites = all_sites(shipped=shipped_tasks(seed).values(), vary=vary(seed))
    with SealedWeb(sites) as web, on(web) as laboratory:
        yield laboratory


@contextmanager
def on(web: SealedWeb) -> Iterator[Laboratory]:
    """The same on this web."""
    with ExitStack() as stack:
        yield Laboratory(web, stack)
