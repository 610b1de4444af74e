"""App session: plays episodes on a user's own app for the `web_agent` fixture.

Each process has its own browser and writes to one run that all workers of a session share. At the end of the session
the controller collects the results (`finish`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
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
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.app_result import AppResult
from longtrail.pytest_plugin.evaluate import attempts_at, recorder_of, save_result
from longtrail.pytest_plugin.failures import described_failures, failure_lines
from longtrail.records.result import Result
from longtrail.records.trajectory import Case
from longtrail.report.build import write_site
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.manifest import PlannedCase, new_manifest
from longtrail.runs.own_tasks import keep_tasks, tasks_of
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from longtrail.runs.under_way import under_way
from longtrail.statistics.aggregate import summarize
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import Planned, slug
from longtrail.web.own_web import OwnWeb
from longtrail.yaml_file import validate

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
        **more: Any,
    ) -> AppResult:
        """Play one task `repeats` times on the app at `url`, and score it.

        `key_steps`: records or dictionaries as in YAML, functions of no argument (`True`, or no AssertionError), or
        paths of pages to open. `reset` runs before each episode, `login` returns cookies, `hosts` are further
        addresses that pages need; `more` are other fields of `AppTask` (`start`, `reference`, `decision`, `facts`,
        `limit` ...). Raises UsageError or DataError for what can't be played, and HarnessTrouble if an episode is
        invalid.
        """
        if repeats < 1:
            raise UsageError(f"web_agent: expected repeats of at least 1, got {repeats}")
        steps, functions = _given(key_steps)
        functions |= {name: hook for name, hook in (("reset", reset), ("login", login)) if hook is not None}
        app = {"fixture": "web_agent", "hosts": hosts, "database": database}  # the address differs each time
        entry = {"suite": "app", "id": self._id(test), "app": app, "instruction": instruction, "key_steps": steps}
        task = validate(_TASK, {**entry, **more}, HERE, test)
        if self._spec.knows_reference and not task.reference:
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

    @property
    def _spec(self) -> AgentSpec:
        return AgentSpec.parse(self.options.contenders[0].agent)

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
    failed = [result for result in results if result.outcome == "failed"]
    own = run.folder / "index.html"
    lines = failure_lines(run.folder, described_failures(run, failed, tasks), len(failed), own)
    paths = (f"run:         {run.folder}", f"report:      {own}", f"leaderboard: {page}")
    return "\n".join((leaderboard_table(summarize(results)), "", *lines, *paths))


def show(terminal: Any, folders: Iterable[str]) -> None:
    """Complete the runs of a session, and print their results."""
    for folder in sorted(folders):
        terminal.section("Longtrail: your own apps")
        terminal.write_line(finish(Path(folder)))
