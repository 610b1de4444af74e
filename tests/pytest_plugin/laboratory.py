"""A laboratory: cases played in this process, in a real browser on the embedded web, as workers of runs do."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

from longtrail.agents.spec import AgentSpec
from longtrail.browser.session import Browser
from longtrail.browser.view_settings import ViewSettings
from longtrail.checks.decisions import decision_words
from longtrail.episode.context import EpisodeContext, FirstPartCache
from longtrail.episode.runner import run
from longtrail.llm.tokens import count
from longtrail.noise.pool import load_pool
from longtrail.records.trajectory import Case, Contender, Trajectory
from longtrail.tasks.briefing import briefing
from longtrail.tasks.cases import Conditions, Planned, plan
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb

CASES = {
    planned.task.id: planned
    for planned in plan(load_tasks(), Conditions(lengths=(25_000,), relocated=False, prompts=("raw",)))
}
"""By task: one case of each."""


class Laboratory:
    """Web, browsers and noise, the same for all cases."""

    def __init__(self, web: SealedWeb, opened: ExitStack) -> None:
        self._web, self._opened, self._kept = web, opened, FirstPartCache()
        self._browser, self._pool = cache(self._open), cache(load_pool)
        self.shots: list[str] = []
        opened.callback(self._kept.close)

    def play(self, planned: Planned, agent: str, *, shots: bool = False, **options: str) -> Trajectory:
        """A case, played by the agent of this name; without trouble, else it fails."""
        task, factory = planned.task, AgentSpec.parse(agent).factory
        prompt = briefing(task, "raw", decision_words(task.suite)) if isinstance(task, DecisionTask) else ""
        contender = Contender(agent=agent, vision=shots, options=options)
        browser = self._browser(shots)
        lab = EpisodeContext(
            self._web, browser, contender, factory, self._pool, self._kept, prompt=prompt, options=options
        )
        lab.save_shot = self._save_shot
        trajectory = run(planned.case, task, lab, lambda _: None)
        assert trajectory.trouble is None, trajectory.trouble
        return trajectory

    def _open(self, shots: bool) -> Browser:
        return self._opened.enter_context(Browser(ViewSettings(screenshot=shots), count=count))

    def _save_shot(self, case: Case, attempt: int, name: str, image: bytes) -> str:
        self.shots.append(f"{case.id}.a{attempt}.{name}.jpg")
        return self.shots[-1]


@contextmanager
def opened() -> Iterator[Laboratory]:
    """A laboratory while it lasts; its browsers start when they are needed."""
    with ExitStack() as stack:
        yield Laboratory(stack.enter_context(SealedWeb(all_sites())), stack)
