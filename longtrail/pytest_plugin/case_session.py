"""Case session: from collected tests to a begun run, without workers, in each worker, and in the controller.

It is registered when a test asks for one of our fixtures. Its run begins when a test that plays a planned case was
collected; files are written from then on.
"""

import os
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, get_args

import pytest

from longtrail.errors import LongtrailError, UsageError
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.evaluation import REFUSED, Evaluation
from longtrail.pytest_plugin.gate_session import SerialRepeats
from longtrail.pytest_plugin.names import CASE
from longtrail.pytest_plugin.played_tests import (
    NeededTests,
    PlayedTests,
    may_be_overridden,
    no_keys_in_logs,
    no_keys_in_reports,
)
from longtrail.pytest_plugin.xdist_start import CollectedCases, WorkerSetup
from longtrail.records.case import Prompt
from longtrail.tasks.cases import PlannedCase

if TYPE_CHECKING:
    from longtrail.pytest_plugin.gate_session import SequentialRun
    from longtrail.pytest_plugin.workers import Workers

OPTIONS: pytest.StashKey[Options] = pytest.StashKey()
"""The checked command line, in every process that plays cases."""
FOLDER: pytest.StashKey[Path] = pytest.StashKey()
"""The run's folder, in the same processes."""


def case_of(item: pytest.Item) -> PlannedCase | None:
    """The case that a test plays; None for other tests."""
    value = _parameter(item)
    return value if isinstance(value, PlannedCase) else None


@contextmanager
def errors_in_one_line() -> Iterator[None]:
    """Turn our errors into pytest's error of usage: one line, exit code 4."""
    try:
        yield
    except LongtrailError as error:
        raise pytest.UsageError(str(error)) from error


class CaseSession:
    """Hooks of a session whose tests ask for our fixtures."""

    def __init__(self, config: pytest.Config, began: str, episodes_at_once: int) -> None:
        """`began`: the session's start time. `episodes_at_once`: the number of xdist's workers, for `--estimate`."""
        self._config, self._setup, self._at_once = config, WorkerSetup.of(config), episodes_at_once
        root = self._setup.root if self._setup else str(config.rootpath)
        self.evaluation = Evaluation(config, self._setup.began if self._setup else began, root)
        self.workers: Workers | None = None
        """In the controller of a begun run: the hooks for xdist's workers."""
        self._refused = ""
        """In a worker: why nothing can be played. The controller reports it."""

    def register_overrides(self) -> None:
        """Of two fixtures for the whole session, pytest takes the one that is registered later. Ours come after the
        conftest.py of the root folder, so its fixtures of the same names are registered once more."""
        manager, root = self._config.pluginmanager, self._config.rootpath
        for path, conftest in manager.list_name_plugin():
            if not path.endswith("conftest.py") or not root.is_relative_to(Path(path).parent):
                continue
            overrides = ModuleType("longtrail_overrides")
            for name in filter(may_be_overridden, dir(conftest)):
                setattr(overrides, name, getattr(conftest, name))
            manager.register(overrides, f"longtrail-overrides-{Path(path).parent}")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        """First report options that can't work. Last remove tests by `--sample` and `--shard`."""
        ours = _ours(items)
        if not ours:
            return (yield)
        if self._setup:
            self._refused = self.evaluation.problem()
        else:
            with errors_in_one_line():
                self.evaluation.check()
        try:
            yield
        except pytest.UsageError:  # of `-m` or `-k`
            if not self._refused:
                raise
        if self._refused:
            items[:] = ours[:1]
        else:
            self._select(items)

    def _select(self, items: list[pytest.Item]) -> None:
        cases = [planned for item in items if (planned := case_of(item)) is not None]
        try:
            chosen = self.evaluation.chosen(cases)
        except LongtrailError as error:
            if not self._setup:
                items.clear()  # otherwise pytest reports its collection, which would begin the run
                raise pytest.UsageError(str(error)) from error
            self._refused, chosen = str(error), {cases[0].case.id}
        ours = _ours(items)
        gone = {item for item in ours if (planned := case_of(item)) is None or planned.case.id not in chosen}
        if gone:
            self._config.hook.pytest_deselected(items=[item for item in ours if item in gone])
            items[:] = [item for item in items if item not in gone]
        played = [item for item in ours if item not in gone]
        sequential = self.evaluation.options.rules.sequential
        in_order = iter(sorted(played, key=lambda item: (_repeat(item) if sequential else 0, _guidance(item))))
        ordered = set(played)
        items[:] = [next(in_order) if item in ordered else item for item in items]

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Without workers, and in each worker: at this point it is known whether this process plays cases."""
        ours = _ours(session.items)
        if not ours or self._config.option.collectonly:
            return
        repeats = {item.nodeid: planned.case.repeat for item in ours if (planned := case_of(item)) is not None}
        tests = {item.nodeid: planned.case.id if (planned := case_of(item)) else item.nodeid for item in ours}
        if self._setup:
            collected = CollectedCases(tests, self.evaluation.unsharded, self._refused, os.getpid())
            collected.write(Path(self._setup.report))
            if not self._refused:
                self._prepare_to_play(tests)
                if self.evaluation.options.rules.sequential:
                    needed = NeededTests(self.evaluation.folder, repeats)
                    self._config.pluginmanager.register(needed, "longtrail-needed-tests")
        elif self._config.option.longtrail_estimate:
            with errors_in_one_line():
                estimate = EstimateSession(self.evaluation.options, self._at_once)
            self._config.pluginmanager.register(estimate, "longtrail-estimate")
        else:
            sequential = self._begin(tests)
            self._prepare_to_play(tests)
            if sequential:
                self._config.pluginmanager.register(SerialRepeats(sequential, session), "longtrail-repeats")

    def worker_collected(self, node: Any, collected: CollectedCases) -> None:
        """In the controller, when a worker has collected tests that play a case. The first one begins the run."""
        if collected.refused:
            raise pytest.UsageError(collected.refused)
        if FOLDER not in self._config.stash:
            self.evaluation.unsharded = tuple(collected.whole)
            self._begin(collected.tests)
        if self.workers is not None:
            self.workers.collected(node, collected.pid)

    def scheduler(self) -> Any:
        """xdist's scheduler for this session; None: xdist's own."""
        return self.workers.scheduler() if self.workers else None

    def _begin(self, tests: Mapping[str, str]) -> "SequentialRun | None":
        """Begin the run of these tests (node id -> case). Returns what chooses its repeats, if it is sequential."""
        with errors_in_one_line():
            controller = self.evaluation.begin(tests)
        self._config.stash[FOLDER], self.workers = controller.folder, controller.workers
        no_keys_in_reports(self._config, tests)
        if (gate := controller.gate) and (reason := gate.refuse(self.evaluation.options.contenders[0])):
            pytest.exit(f"gate: INVALID: {reason}", returncode=gate.rules.exit_code("INVALID"))
        return controller.sequential

    def _prepare_to_play(self, tests: Mapping[str, str]) -> None:
        """Set what the fixtures read, and remove keys from logs and reports."""
        stash = self._config.stash
        stash[OPTIONS], stash[FOLDER] = self.evaluation.options, self.evaluation.folder
        self._config.pluginmanager.register(PlayedTests(self.evaluation.folder, tests), "longtrail-played-tests")
        no_keys_in_logs(self._config)
        if self._setup:
            no_keys_in_reports(self._config, tests)


class EstimateSession:
    """Replaces the test loop with `--estimate`: cases are collected as usual and counted, but not run."""

    def __init__(self, options: Options, workers: int) -> None:
        """`workers`: those of xdist. Raises UsageError for agents whose prompts are unknown."""
        from longtrail.agents.spec import PROMPTS, AgentSpec

        for agent in (contender.agent for contender in options.contenders):
            if not AgentSpec.parse(agent).calls_model:
                known = ", ".join(PROMPTS)
                raise UsageError(f"--estimate: needs a --model and an agent with known prompts ({known}), not {agent}")
        self._options = options
        self._workers = options.ray_workers or max(1, workers)
        """How many episodes run at the same time."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        from longtrail.estimate.cases import estimates
        from longtrail.estimate.text import assumptions, estimate_text, rubric_text, total_text

        options = self._options
        cases = [planned for item in session.items if (planned := case_of(item)) is not None]
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        terminal.section("Estimate")
        found = estimates(cases, options) if cases else []
        rules = (options.limits, options.model_args, self._workers)
        alone = len(found) == 1
        texts = [estimate_text(estimate, *rules, alone=alone) for estimate in found]
        texts += [] if alone or not found else [total_text(found, *rules)]
        for text in filter(None, [*texts, rubric_text(cases, options)]):
            terminal.write_line(text)
            terminal.write_line("")
        terminal.write_line(assumptions())
        return True


def _ours(items: list[pytest.Item]) -> list[pytest.Item]:
    """The tests that play a case, or the placeholder REFUSED."""
    return [item for item in items if isinstance(_parameter(item), PlannedCase) or _parameter(item) == REFUSED]


def _parameter(item: pytest.Item) -> object:
    callspec = getattr(item, "callspec", None)
    return callspec.params.get(CASE) if callspec else None


def _repeat(item: pytest.Item) -> int:
    planned = case_of(item)
    return planned.case.repeat if planned else 0


def _guidance(item: pytest.Item) -> int:
    """How much guidance a case gives. Cases with less are played first and appeals last, so that an agent that
    remembers earlier cases gains nothing in those of the same task with less."""
    planned = case_of(item)
    if planned is None or planned.case.prompt is None:
        return 0
    prompts = get_args(Prompt)
    return len(prompts) if planned.case.appeal else prompts.index(planned.case.prompt)
