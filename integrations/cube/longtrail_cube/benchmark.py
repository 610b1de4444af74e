"""The benchmark: the tasks of four suites, and the sealed web and the browser that they are played in.

The tasks as they ship are for tests. A seed generator that yields seeds from 100000 on gives variants for training.
"""

from collections.abc import Generator
from typing import ClassVar

from cube.benchmark import Benchmark, BenchmarkConfig, BenchmarkMetadata, ResetIsolation
from cube.task import TaskConfig, TaskMetadata

import longtrail
from longtrail.environment.cases import SUITES
from longtrail.environment.episode import SharedWeb, shared_browser, shared_web
from longtrail.records.case import LONG, Suite
from longtrail.tasks.loading import load_tasks
from longtrail_cube.task import CaseConfig, CaseMetadata

ABOUT: dict[Suite, str] = {
    "shopping_admin": "A decision in the back office of a shop that needs evidence from several pages",
    "reddit": "A decision in the moderation of a forum that needs evidence from several pages",
    "long_context": "Two dependent errands on a site, with other tasks between them",
    "discovered": "Two dependent errands on a site; the second one needs what the first one found",
}
TASKS: dict[str, TaskMetadata] = {
    task.id: CaseMetadata(id=task.id, suite=task.suite, abstract_description=ABOUT[task.suite])
    for task in load_tasks().values()
    if task.suite in SUITES
}


class LongtrailBenchmark(Benchmark["LongtrailConfig"]):
    """The web and the browser of all tasks of a process."""

    _web: SharedWeb | None = None

    def _setup(self) -> None:
        self._web = shared_web()
        shared_browser()

    def close(self) -> None:
        """Let go of the web. The browser ends with the process."""
        self._web = None


class LongtrailConfig(BenchmarkConfig[CaseMetadata]):
    """Which tasks are played, and under which condition."""

    benchmark_metadata: ClassVar[BenchmarkMetadata] = BenchmarkMetadata(
        name="longtrail",
        version=longtrail.__version__,
        description="Web agents with long contexts and hidden evidence: a sealed web, real Chromium, no model as judge",
        license="Apache-2.0",
        num_tasks=len(TASKS),
        tags=["web", "browser", "long-context", "offline"],
        reset_isolation=ResetIsolation.NEW_INSTANCE,
        named_subsets={suite: ("suite", suite) for suite in SUITES},
    )
    task_metadata: ClassVar[dict[str, TaskMetadata]] = TASKS
    task_config_class: ClassVar[type[TaskConfig]] = CaseConfig
    benchmark_class: ClassVar[type[Benchmark]] = LongtrailBenchmark

    prompt: str = "raw"
    """Decision tasks: `raw`, `hint` or `explicit`."""
    length: int = 0
    """Long-context tasks: tokens of other trajectories between the two parts."""

    def get_task_configs(self) -> Generator[TaskConfig, None, None]:
        """A config for each task (and seed), under this condition. Long-context tasks have no `prompt`."""
        for config in super().get_task_configs():
            condition = {"length": self.length} if config.metadata.suite in LONG else {"prompt": self.prompt}
            yield config.model_copy(update=condition)
