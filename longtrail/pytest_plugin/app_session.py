"""App session: plays episodes on a user's own app for the `web_agent` fixture.

Each process has its own browser and writes to one run that all workers of a session share. At the end of the session
the controller collects the results (`finish`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import fmean
from typing import Any

from filelock import FileLock
from pydantic import TypeAdapter

from longtrail.agents.spec import AgentSpec
from longtrail.browser.session import Browser
from longtrail.browser.view_settings import ViewSettings
from longtrail.checks.app_steps import AppKeyStep, CheckStep
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.open_app import Hook, OpenApp
from longtrail.errors import DataError, HarnessTrouble, UsageError
from longtrail.llm.tokens import count
from longtrail.options.gate_rules import GateRules
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.evaluate import attempts_at, recorder_of, save_result
from longtrail.pytest_plugin.terminal_summary import described_failures, failure_lines
from longtrail.records.result import Result
from longtrail.records.trajectory import Case
from longtrail.report.build import write_site
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.baseline import read_scores
from longtrail.runs.manifest import PlannedCase, new_manifest
from longtrail.runs.own_tasks import keep_tasks, tasks_of
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from longtrail.runs.under_way import under_way
from longtrail.statistics.aggregate import summarize
from longtrail.statistics.paired import Stratum
from longtrail.statistics.permutation import permutation_test
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import Planned, slug
from longtrail.web.own_web import OwnWeb
from longtrail.yaml_file import validate


@dataclass(frozen=True)
class Comparison:
    """Whether something is not worse than its baseline: usable as a boolean, with the reason as its text."""

    good: bool
    reason: str

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class AppResult:
    """One task's results, one for each repeat."""

    task: str
    results: tuple[Result, ...]
    reports: Path

    @property
    def success_rate(self) -> float:
        """Share of the repeats that passed. In [0, 1]."""
        return sum(result.outcome == "passed" for result in self.results) / len(self.results)

    @property
    def key_step_rate(self) -> float:
        """Mean share of key steps hit. In [0, 1]; 1 without key steps."""
        rates = [result.number("key_step_rate") for result in self.results]
        return fmean(1.0 if rate is None else rate for rate in rates)

    @property
    def reasons(self) -> tuple[str, ...]:
        """For each repeat, why it passed or failed."""
        return tuple(f"{result.outcome}: {result.reason}" for result in self.results)

    def not_worse_than(self, baseline: str | Path, alpha: float = GateRules().alpha) -> Comparison:
        """Compare with the same task of a baseline: a run's name or folder, or a file of `longtrail baseline`.

        False if the share of passed repeats dropped significantly: one-sided p < `alpha` by exact permutation of the
        repeats. With few repeats, only large drops are significant; the reason gives the figures. Raises UsageError if
        the baseline can't be read or lacks the task.
        """
        places = (Path(baseline), self.reports / "runs" / baseline, self.reports / "baselines" / f"{baseline}.json")
        found = next((place for place in places if place.exists()), None)
        if found is None:
            raise UsageError(f"not_worse_than: there is no file or run {baseline}")
        scores = read_scores(found)
        before = tuple(
            float(one.outcome == "passed")
            for one in scores.cases
            if one.case.task == self.task and one.outcome != "invalid"
        )
        if not before:
            raise UsageError(f"not_worse_than: {baseline} has no valid case of {self.task}")
        after = tuple(float(result.outcome == "passed") for result in self.results)
        p = permutation_test([Stratum(self.task, before, after)]).lower
        told = f"{fmean(after):.0%} of {len(after)} passed, {fmean(before):.0%} of {len(before)} in {scores.name}"
        worse = fmean(after) < fmean(before) and p < alpha
        return Comparison(not worse, f"{told}; p = {p:.3f}, {'worse' if worse else 'not shown to be worse'}")

    def __repr__(self) -> str:
        return f"<{self.task}: {self.success_rate:.0%} of {len(self.results)} passed; {'; '.join(self.reasons)[:2000]}>"


HERE = Path("web_agent")
"""Shown in errors instead of a file name."""
SESSION = "session"
"""The file of a run with the id of the session that made it."""
_STEP: TypeAdapter[AppKeyStep] = TypeAdapter(AppKeyStep)
_TASK = TypeAdapter(AppTask)


class AppSession:
    """One process's part of a session. Always close it."""

    def __init__(self, options: Options, name: str, uid: str) -> None:
        """`uid` is the session's, the same in all of its workers."""
        self.options, self._name, self._uid = options, name, uid
        self._opened = ExitStack()
        self._known: set[str] = set()

    @cached_property
    def run(self) -> Run:
        """The session's run; the first worker that needs it creates it. Raises UsageError if the name is taken."""
        runs = self.options.reports / "runs"
        runs.mkdir(parents=True, exist_ok=True)
        with FileLock(runs / f".{self._name}.lock"):
            folder, made_by = runs / self._name, runs / self._name / SESSION
            if not (made_by.is_file() and made_by.read_text("utf-8") == self._uid):
                options = self.options.model_copy(update={"own_tasks": None})  # its tests bring their tasks
                Run.create(folder, new_manifest(self._name, options.public())).close()
                made_by.write_text(self._uid, "utf-8")
        return Run.open(folder)

    @cached_property
    def _web(self) -> OwnWeb:
        return self._opened.enter_context(OwnWeb())

    @cached_property
    def _browser(self) -> Browser:
        settings = ViewSettings(form=self.options.observation, tokens=self.options.observation_tokens)
        return self._opened.enter_context(Browser(settings, count=count))

    def close(self) -> None:
        """End browser and web."""
        self._opened.close()

    def play(
        self,
        test: str,
        url: str,
        instruction: str,
        key_steps: Sequence[object] = (),
        *,
        repeats: int = 1,
        reset: Hook | None = None,
        login: Hook | None = None,
        hosts: Sequence[str] = (),
        database: str = "",
        score: Hook | str = "",
        files: Iterable[str | Path] = (),
        **more: Any,
    ) -> AppResult:
        """Play one task `repeats` times on the app at `url`, and score it.

        `key_steps`: records or dictionaries as in YAML, functions of no argument (`True`, or no AssertionError), or
        paths of pages to open. `reset` runs before each episode, `login` returns cookies, `hosts` are further
        addresses that pages need; `score` is a function of the trajectory and the task; `files` may be uploaded, by
        their paths from the working directory; `more` are other fields of `AppTask` (`start`, `reference`, `decision`,
        `facts`, `answer`, `limit` ...). Raises UsageError or DataError for what can't be played, and HarnessTrouble if
        an episode is invalid.
        """
        if repeats < 1:
            raise UsageError(f"web_agent: expected repeats of at least 1, got {repeats}")
        steps, functions = _given(key_steps)
        hooks = {"reset": reset, "login": login, "score": score if callable(score) else None}
        functions |= {name: hook for name, hook in hooks.items() if hook is not None}
        app = {"fixture": "web_agent", "hosts": hosts, "database": database}  # the address differs each time
        entry = {"suite": "app", "id": self._id(test), "app": app, "instruction": instruction, "key_steps": steps}
        entry["files"] = [str(file) for file in files]
        entry["score"] = "score" if callable(score) else score
        task = validate(_TASK, entry | more, HERE, test)
        if AgentSpec.parse(self.options.contenders[0].agent).knows_reference and not task.reference:
            raise UsageError("web_agent: no agent: give --agent or --model, or give the test a reference")
        keep_tasks(self.run, [task])
        opened = OpenApp(task.app, url.rstrip("/"), functions=functions)
        results = []
        for repeat in range(repeats):
            case = Case(id=f"{slug(task.id)}-r{repeat}", suite="app", task=task.id, repeat=repeat)
            planned = Planned(case, task, (), self.options.contenders[0])
            result = self._played(planned, opened)
            if result.trouble is not None and result.outcome == "invalid":
                raise HarnessTrouble(result.trouble.kind, result.trouble.message)
            results.append(result)
        return AppResult(task.id, tuple(results), self.options.reports)

    def _played(self, planned: Planned, app: OpenApp) -> Result:
        """The result of one case, played on the app."""
        options, contender = self.options, self.options.contenders[0]
        settings = EpisodeSettings.chosen(options)
        with under_way(self.run.folder, planned.case.id) as mark:
            context = EpisodeContext(
                self._web,
                self._browser,
                contender,
                model=self._model(contender.model) if contender.model else None,
                options=options.agent_args,
                settings=settings.model_copy(update={"shots": options.shots or contender.vision}),
                app=lambda: app,
                recorder=recorder_of(self.run, mark, options.cassette),
            )
            trajectory = attempts_at(planned, context, self.run).play_all()
        return save_result(trajectory, planned.task, self.run)

    def _model(self, name: str) -> Any:
        from longtrail.llm.call_book import CallBook
        from longtrail.llm.limits import Limiter
        from longtrail.llm.litellm_client import LiteLLMClient

        limiter = Limiter(CallBook(self.run.folder, self.options.limits), lambda: self.run.stop_reason)
        return LiteLLMClient(name, self.options.model_args, limiter=limiter)

    def _id(self, test: str) -> str:
        """A task's id, made from the test's id; each call in a test is a task."""
        stem = slug(test.rpartition("/")[2].replace(".py::", "-"))[:80]
        name = next(found for n in range(1, 1000) if (found := stem if n == 1 else f"{stem}-{n}") not in self._known)
        self._known.add(name)
        return name


def refuse_flags(options: Options, *, beside_cases: bool) -> None:
    """Raise UsageError for the first flag that these tests would ignore. Some may be for cases beside them."""
    told = "is for planned cases, not for tests with web_agent"
    flags = {
        "--shard": (options.shard is not None, f"{told}; give each machine files of its own"),
        "--reports": (bool(options.address), f"ADDRESS {told}; name a folder"),
        "--agent": (len(options.contenders) > 1, "and --model: tests with web_agent are played by one agent and model"),
        "--baseline": (options.baseline is not None and not beside_cases, f"{told}; use result.not_worse_than(...)"),
        "--resume": (options.resume and not beside_cases, told),
    }
    for flag, (given, why) in flags.items():
        if given:
            raise UsageError(f"{flag} {why}")


def _given(key_steps: Iterable[object]) -> tuple[list[AppKeyStep], dict[str, Callable[..., Any]]]:
    """Key steps as records, and the user's functions by name. Raises DataError."""
    steps: list[AppKeyStep] = []
    functions: dict[str, Callable[..., Any]] = {}
    for number, given in enumerate(key_steps, 1):
        if isinstance(given, str):
            given = {"kind": "url", "name": slug(given.replace("_", "-")) or "start", "paths": [given]}
        if callable(given) and not isinstance(given, Mapping):
            name = slug(getattr(given, "__name__", "").replace("_", "-").strip("-")) or f"check-{number}"
            name = name if name != "lambda" else f"check-{number}"
            functions[name] = given
            steps.append(CheckStep(name=name, function=name))
        elif isinstance(given, Mapping):
            named = {"name": f"{given.get('kind', 'step')}-{number}", **given}
            steps.append(validate(_STEP, named, HERE, f"key_steps.{number - 1}"))
        elif type(given).__name__.endswith("Step"):
            steps.append(given)  # type: ignore[arg-type]
        else:
            told = f"expected a record, a dictionary, a function or a path, got {given!r:.80}"
            raise DataError(HERE, f"key_steps.{number - 1}", told)
    return steps, functions


def finish(folder: Path) -> str:
    """Complete a session's run: results, checksums, leaderboard. Returns the text to print."""
    run = Run.open(folder)
    run.lock()
    try:
        tasks = tasks_of(run)
        results = ScoredCases(run, tasks).collect().results
        run.plan(
            [result.case.id for result in results],
            [PlannedCase(case=result.case, contender=result.contender) for result in results],
        )
        run.write_results(results)
        seal(run)
    finally:
        run.close()
    page = write_site(run.folder.parents[1], tasks, only=run.folder.name)
    failed, report = [result for result in results if result.outcome == "failed"], run.folder / "index.html"
    lines = failure_lines(run.folder, described_failures(run, failed, tasks), len(failed), report)
    paths = (f"run:         {run.folder}", f"report:      {report}", f"leaderboard: {page}")
    return "\n".join((leaderboard_table(summarize(results)), "", *lines, *paths))
