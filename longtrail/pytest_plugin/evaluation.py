"""Evaluation: the plan of one pytest session, its checks, and the start of its run.

It is made when a test requests one of our fixtures; before `begin`, nothing is written. Each process of a session has
one and plans the same cases, because workers get the controller's command line.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.agents.spec import HUMAN
from longtrail.errors import LongtrailError, UsageError
from longtrail.options.flag_groups import THIS_MACHINE
from longtrail.options.flag_values import read_from
from longtrail.options.plan import check_distribution, check_markers, planned_cases, run_folder
from longtrail.options.run_options import Options, read_options, select_tasks
from longtrail.pytest_plugin.playwright_options import check_browser, check_output
from longtrail.tasks.cases import Conditions, PlannedCase, sample
from longtrail.tasks.loading import read_own_tasks
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import DecisionTask
from longtrail.variants import shipped_tasks

if TYPE_CHECKING:
    from longtrail.pytest_plugin.controller import Controller
    from longtrail.pytest_plugin.html_page import SessionReport
    from longtrail.pytest_plugin.remote.engine import WorkerPool

REFUSED = "longtrail-refused-r0"
"""Name and parameter of the placeholder test of a plan that could not be made; with it the session can report why."""


class Evaluation:
    """The plan of a session."""

    def __init__(self, config: Any, began: str, root: str) -> None:
        """`config`: pytest's configuration. `began`: the session's start time, part of the run's name. `root`: its
        root folder."""
        self._config, self._began, self._root = config, began, Path(root)
        self.html_report: SessionReport | None = None
        """Our columns of pytest-html's page, if there are any."""
        self.unsharded: tuple[str, ...] = ()
        """With `--shard`: names of the cases of all shards."""

    @cached_property
    def options(self) -> Options:
        """The checked command line. Raises UsageError, DataError."""
        given, config = read_from(self._config.option), self._config
        check_browser(config)
        if given.tasks is None and (folder := config.getini("longtrail_tasks")):
            given.tasks = (config.inipath.parent if config.inipath else self._root) / folder
        options = read_options(given, self._root)
        check_output(config, options.reports)
        return options

    @cached_property
    def cases_by_kind(self) -> dict[str, tuple[PlannedCase, ...]]:
        """The plan, made once: cases without an appeal (`plain`), those with one (`appeal`), and counterfactual twins
        (`twin`) if they are asked for. Raises UsageError, DataError."""
        own = read_own_tasks(self.options.own_tasks)
        twins = self._twins()
        shifts, conditions = self._shifts()
        shipped = shipped_tasks(self.options.variant)
        chosen = select_tasks({**shipped, **own, **twins, **shifts}, self.options.tasks)
        tasks = {name: task for name, task in chosen.items() if name not in twins}
        with_tasks = tasks if self.options.twins else {}
        twins = {name: task for name, task in twins.items() if name in chosen or task.twin in with_tasks}
        known = {line.partition(":")[0] for line in self._config.getini("markers")}
        for name in sorted({getattr(task, "category", "") for task in own.values()} - known - {""}):
            self._config.addinivalue_line("markers", f"{name}: category of your own tasks")
        options = self.options.model_copy(update={"conditions": conditions})
        plans = {kind: planned_cases(tasks, options, appeal=kind == "appeal", own=own) for kind in ("plain", "appeal")}
        return plans | {"twin": planned_cases(twins, self.options, appeal=False) if twins else ()}

    def _shifts(self) -> tuple[Mapping[str, ShiftTask], Conditions]:
        """The shifts, if a marker or an id asks for them: they are long, so no other run plays them. With the marker
        `twin` or `--twins` their twins, with the marker `sessions` the condition of that name."""
        options, marks = self.options, self._config.option.markexpr or ""
        if not (re.search(r"\bshift", marks) or any(glob.lower().startswith("shift") for glob in options.tasks)):
            return {}, options.conditions
        from longtrail.tasks.shifts.plans import load_shift_twins, load_shifts

        shifts = dict(load_shifts(options.variant))
        if options.twins or re.search(r"\btwin\b", marks) or any("-twin" in glob for glob in options.tasks):
            shifts |= load_shift_twins(options.variant)
        sessions = re.search(r"\bsessions\b", marks)
        kinds = ("continuous", "sessions") if sessions else ("continuous",)
        return shifts, options.conditions.model_copy(update={"shifts": kinds})

    def _twins(self) -> Mapping[str, DecisionTask]:
        """The counterfactual twins, if `--twins`, a marker or a task's id asks for them. Raises UsageError for
        `--twins` in a variant, which has none."""
        options = self.options
        if options.variant is not None:
            if options.twins:
                raise UsageError(
                    "--twins: a variant has no twins, because it plays some of them instead of their tasks"
                )
            return {}
        named = any("-twin" in glob for glob in options.tasks)
        if not (options.twins or named or re.search(r"\btwin\b", self._config.option.markexpr or "")):
            return {}
        from longtrail.tasks.twins import load_twins

        return load_twins()

    @cached_property
    def _by_name(self) -> dict[str, PlannedCase]:
        return {planned.case.id: planned for cases in self.cases_by_kind.values() for planned in cases}

    @property
    def folder(self) -> Path:
        """The run's folder, which may not exist yet."""
        return run_folder(self.options, self._began)

    def cases(self, marks: set[str]) -> list[tuple[str, PlannedCase | str, tuple[str, ...]]]:
        """Name, case and markers of each parameter of a test with these markers. If the plan can't be made, one
        placeholder: an error in pytest's hooks would print many lines."""
        try:
            return [
                (planned.case.id, planned, planned.markers)
                for planned in self.cases_by_kind[next((kind for kind in ("appeal", "twin") if kind in marks), "plain")]
                if marks & {planned.case.suite, "appeal", "twin"}
            ]
        except LongtrailError:
            return [(REFUSED, REFUSED, ())]

    def chosen(self, cases: Sequence[PlannedCase]) -> set[str]:
        """Names of the cases that `--sample` and `--shard` keep. Raises LongtrailError for an impossible shard."""
        size = self.options.sample
        kept = cases if size is None or size >= len(cases) else sample(tuple(cases), size, self.options.seed)
        if self.options.shard is None:
            return {planned.case.id for planned in kept}
        from longtrail.pytest_plugin.sharding import in_shard

        self.unsharded = tuple(planned.case.id for planned in kept)
        return set(in_shard(kept, self.options))

    def check(self) -> None:
        """Raise LongtrailError, in one line, for options that can't work with any cases."""
        config = self._config
        _ = self.cases_by_kind  # categories of the user's own tasks are markers, too
        check_markers(config.getoption("markexpr"), config.getini("markers"))
        check_distribution(config.getoption("dist", "no"))

    def problem(self) -> str:
        """The error of `check`, or an empty text."""
        try:
            self.check()
        except LongtrailError as error:
            return str(error) or type(error).__name__
        return ""

    def begin(self, tests: Mapping[str, str]) -> "Controller":
        """Begin the run of these tests (node id -> id of the case that it plays); files are written from now on. Raises
        LongtrailError, before anything is written, for failures that can be foreseen.
        """
        self.check()
        if strange := [case for case in tests.values() if case not in self._by_name]:
            raise UsageError(f"a worker's plan of cases has {strange[0]}, the controller's has not: run without -n")
        planned = {nodeid: self._by_name[case] for nodeid, case in tests.items()}
        from longtrail.pytest_plugin import preflight
        from longtrail.pytest_plugin.controller import Controller
        from longtrail.runs.baseline import read_scores

        preflight.check(self.options, tuple(planned.values()))
        baseline = read_scores(self.options.baseline) if self.options.baseline else None
        engine = engine_for(self._config, self.options)
        every = tuple(self._by_name.values())
        controller = Controller(self._config, self.options, every, planned, self.folder, engine, baseline)
        if self.html_report:
            self.html_report.run, self.html_report.contenders = controller.run, self.options.contenders
        controller.plan(tuple(dict.fromkeys(tests.values())), self.unsharded)
        self._config.pluginmanager.register(controller, "longtrail-controller")
        return controller


def engine_for(config: Any, options: Options) -> "WorkerPool | None":
    """The engine that plays this session's cases, checked; None: this process, one after the other. `config`: pytest's.

    Raises UsageError for one that can't play: nothing is written yet.
    """
    engine = _engine(config, options)
    if engine is not None:
        if any(contender.agent == HUMAN for contender in options.contenders):
            raise UsageError(f"--agent {HUMAN}: a person plays one case at a time: leave out -n and --ray")
        engine.check()
    return engine


def _engine(config: Any, options: Options) -> "WorkerPool | None":
    local = len(config.getoption("tx", None) or ()) if config.getoption("dist", "no") != "no" else 0
    if options.ray is None:
        if options.ray_workers is not None:
            raise UsageError("--ray-workers: needs --ray")
        if options.ray_runtime_env is not None:
            raise UsageError("--ray-runtime-env: needs --ray ADDRESS")
        from longtrail.pytest_plugin.workers import Xdist

        return Xdist(local) if local else None
    if local:
        raise UsageError("--ray and -n: give only one of them; --ray-workers is the number of workers on the cluster")
    from longtrail.pytest_plugin.remote.ray_cluster import read_runtime_env
    from longtrail.pytest_plugin.remote.ray_engine import RayEngine
    from longtrail.pytest_plugin.remote.setup import check_paths, not_sent, project

    if options.ray != THIS_MACHINE:
        check_paths(config)
        if options.cassette and options.cassette.mode == "record":
            raise UsageError("--record: the calls would stay on the cluster's machines; record without --ray ADDRESS")
    root = project(config)[0]
    if options.ray == THIS_MACHINE and options.ray_runtime_env is not None:
        raise UsageError("--ray-runtime-env: needs --ray ADDRESS; on this machine, install packages where pytest is")
    needed = read_runtime_env(options.ray_runtime_env)
    return RayEngine(options.ray, options.ray_workers, root, not_sent(root, options.reports), needed)
