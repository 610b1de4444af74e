"""App session: plays episodes on a user's own app for the `web_agent` fixture.

Each process has its own browser and writes to one run that all workers of a session share. At the end of the session
the controller collects the results (`finish`).
"""

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property, partial
from pathlib import Path
from typing import Any, cast
from weakref import WeakKeyDictionary

from filelock import FileLock
from playwright.async_api import Page as AsyncPage
from playwright.sync_api import Page as SyncPage
from pydantic import TypeAdapter

from longtrail.agents.spec import AgentSpec
from longtrail.browser.session import Browser
from longtrail.browser.users_page import OpenPage, awaited, made_in
from longtrail.browser.view import ViewSettings
from longtrail.checks.app_steps import AppKeyStep, CheckStep
from longtrail.checks.hosts import origin_of
from longtrail.episode import accessibility
from longtrail.episode.context import EpisodeContext, EpisodeSettings
from longtrail.episode.open_app import Hook, OpenApp
from longtrail.episode.runner import MAX_ATTEMPTS
from longtrail.errors import DataError, HarnessTrouble, UsageError
from longtrail.llm.client import ModelCalls, ModelClient
from longtrail.llm.limits import CallLimits
from longtrail.llm.tokens import count
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.app_result import AppResult
from longtrail.pytest_plugin.playwright_options import PlaywrightOptions
from longtrail.pytest_plugin.preflight import check_model_servers
from longtrail.pytest_plugin.saved_case import case_attempts, recorder_of, save_result
from longtrail.records.memory import PastTask, remember
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Trajectory
from longtrail.runs.manifest import new_manifest
from longtrail.runs.recordings import Recordings
from longtrail.runs.rescore import store_tasks
from longtrail.runs.store import Run
from longtrail.runs.under_way import under_way
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import PlannedCase, slug
from longtrail.web.own_web import OwnWeb
from longtrail.yaml_file import validate

HERE = Path("web_agent")
"""Shown in errors instead of a file name."""
SESSION = "session"
"""The file of a run with the id of the session that made it."""
_STEP: TypeAdapter[AppKeyStep] = TypeAdapter(AppKeyStep)


class AppSession:
    """One process's part of a session. Always close it."""

    def __init__(
        self,
        options: Options,
        name: str,
        uid: str,
        playwright: PlaywrightOptions,
        model_calls: Callable[[Path, CallLimits], ModelCalls],
    ) -> None:
        """`uid` is the session's, the same in all of its workers. `model_calls`: those for the run in a folder."""
        self.options, self._name, self._uid, self._playwright = options, name, uid, playwright
        self._model_calls = model_calls
        self._opened = ExitStack()
        self._known: set[str] = set()
        self._past: WeakKeyDictionary[Any, tuple[PastTask, ...]] = WeakKeyDictionary()
        """The tasks that were played in each open page."""

    @cached_property
    def run(self) -> Run:
        """The session's run; the first worker that needs it creates it. Raises UsageError if the name is taken."""
        runs = self.options.reports / "runs"
        runs.mkdir(parents=True, exist_ok=True)
        with FileLock(runs / f".{self._name}.lock"):
            folder, made_by = runs / self._name, runs / self._name / SESSION
            if not (made_by.is_file() and made_by.read_text("utf-8") == self._uid):
                check_model_servers(self.options)
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
        given = self._playwright
        return self._opened.enter_context(Browser(settings, given.launch, given.context, count=count))

    @cached_property
    def _recordings(self) -> Recordings:
        given = self._playwright
        return self._opened.enter_context(Recordings(given.rules, self.run.folder, given.output))

    def close(self) -> None:
        """End browser and web."""
        self._opened.close()

    def play(
        self, test: str, url: str, instruction: str, key_steps: Sequence[object] = (), *, repeats: int = 1, **more: Any
    ) -> AppResult:
        """Play one task `repeats` times on the app at `url`, and score it.

        `key_steps`: records or dictionaries as in YAML, functions of no argument (`True`, or no AssertionError), or
        paths of pages to open. `reset` runs before each episode, `login` returns cookies, `hosts` are further
        addresses that pages need; `score` is a function of the trajectory and the task; `files` may be uploaded, by
        their paths from the working directory; `more` are other fields of `AppTask` (`start`, `reference`, `decision`,
        `facts`, `answer`, `limit` ...). Raises UsageError or DataError for what can't be played, and HarnessTrouble if
        an episode is invalid.
        """
        task, functions = self._task(test, instruction, key_steps, repeats, **more)
        app = OpenApp(task.app, url.rstrip("/"), functions=functions)
        results = [self._repeat(task, repeat, app)[1] for repeat in range(repeats)]
        return AppResult(task.id, tuple(results), self.run.folder)

    def play_in_page(
        self, test: str, instruction: str, page: Any, key_steps: Sequence[object] = (), **more: Any
    ) -> AppResult | Coroutine[Any, Any, AppResult]:
        """The same in an open page of Playwright's sync or async API, or for `repeats` in the fresh pages that the
        function `page` opens. For pages of the async API it is a coroutine. Without a criterion, an agent that ends by
        itself passes. A page's later tasks get its earlier ones as history."""
        if given := [name for name in ("reset", "login", "start") if name in more]:
            raise UsageError(f"web_agent: with page=, the test itself prepares app and page; leave out {given[0]}")
        is_function = inspect.isroutine(page)
        if not is_function and more.get("repeats", 1) != 1:
            raise UsageError("web_agent: repeats need a function that opens a fresh page: page=lambda: ...")
        first = page() if is_function else page
        playing = self._in_pages(first, page, self._page_task(test, instruction, key_steps, **more))
        if inspect.isawaitable(first) or isinstance(first, AsyncPage):
            return playing
        try:
            playing.send(None)  # pages of the sync API never make it wait
        except StopIteration as end:
            return cast(AppResult, end.value)
        raise UsageError("web_agent: expected pages of one of Playwright's APIs, got both")

    def _page_task(
        self, test: str, instruction: str, key_steps: Sequence[object], *, repeats: int = 1, **more: Any
    ) -> tuple[AppTask, dict[str, Hook], int]:
        if not (key_steps or more.keys() & {"decision", "facts", "answer", "score", "judge"}):
            more["score"] = ended_by_itself
        return *self._task(test, instruction, key_steps, repeats, **more), repeats

    async def _in_pages(self, first: Any, page: Any, given: tuple[AppTask, dict[str, Hook], int]) -> AppResult:
        task, functions, repeats = given
        results = []
        for repeat in range(repeats):
            opened = await awaited(first if repeat == 0 else page())
            if not isinstance(opened, SyncPage | AsyncPage):
                raise UsageError(f"web_agent: expected a page of Playwright's, got {opened!r:.80}")
            open_page = OpenPage(opened)
            in_thread = {name: made_in(open_page.thread, function) for name, function in functions.items()}
            app = OpenApp(task.app, origin_of(open_page.url).base, functions=in_thread)
            past = self._past.get(opened, ())
            play = partial(self._repeat, task, repeat, app, open_page, past)
            trajectory, result = await awaited(open_page.thread.play(play))
            self._past[opened] = (*past, PastTask(instruction=task.instruction, steps=remember(trajectory.steps)))
            results.append(result)
        return AppResult(task.id, tuple(results), self.run.folder)

    def _task(
        self,
        test: str,
        instruction: str,
        key_steps: Sequence[object],
        repeats: int,
        *,
        reset: Hook | None = None,
        login: Hook | None = None,
        hosts: Sequence[str] = (),
        database: str = "",
        score: Hook | str = "",
        files: Iterable[str | Path] = (),
        **more: Any,
    ) -> tuple[AppTask, dict[str, Hook]]:
        """The task of a test, and the test's functions by their names in it; the run keeps the task."""
        if repeats < 1:
            raise UsageError(f"web_agent: expected repeats of at least 1, got {repeats}")
        steps, functions = _given(key_steps)
        hooks = {"reset": reset, "login": login, "score": score if callable(score) else None}
        functions |= {name: hook for name, hook in hooks.items() if hook is not None}
        app = {"fixture": "web_agent", "hosts": hosts, "database": database}  # the address differs each time
        entry = {"suite": "app", "id": self._id(test), "app": app, "instruction": instruction, "key_steps": steps}
        entry["files"] = [str(file) for file in files]
        entry["score"] = "score" if callable(score) else score
        task = validate(AppTask, entry | more, HERE, test)
        accessibility.require([task])
        if AgentSpec.parse(self.options.contenders[0].agent).knows_reference and not task.reference:
            raise UsageError("web_agent: no agent: give --agent or --model, or give the test a reference")
        store_tasks(self.run, [task])
        return task, functions

    def _repeat(
        self, task: AppTask, repeat: int, app: OpenApp, page: OpenPage | None = None, past: tuple[PastTask, ...] = ()
    ) -> tuple[Trajectory, Result]:
        options, contender = self.options, self.options.contenders[0]
        case = Case(id=f"{slug(task.id)}-r{repeat}", suite="app", task=task.id, repeat=repeat)
        planned = PlannedCase(case, task, (), contender)
        settings = EpisodeSettings.chosen(options)
        with under_way(self.run.folder, case.id) as mark:
            context = EpisodeContext(
                self._web,
                self._browser,
                contender,
                model=self._model(contender.model) if contender.model else None,
                options=options.agent_args,
                settings=settings.model_copy(update={"shots": options.shots or contender.vision}),
                app=lambda: app,
                page=page,
                past=past,
                recorder=recorder_of(self.run, mark, options.cassette, self._recordings),
            )
            most = MAX_ATTEMPTS if page is None else 1  # a page can't be brought back to its first state
            trajectory = case_attempts(planned, context, self.run, most=most).play_all()
        result = save_result(trajectory, task, self.run, self._recordings)
        if result.trouble is not None and result.outcome == "invalid":
            raise HarnessTrouble(result.trouble.kind, result.trouble.message)
        return trajectory, result

    def _model(self, name: str) -> ModelClient:
        calls = self._model_calls(self.run.folder, self.options.limits)
        return calls.client(name, self.options.model_args)

    def _id(self, test: str) -> str:
        """A task's id, made from the test's id; each call in a test is a task."""
        stem = slug(test.rpartition("/")[2].replace(".py::", "-"))[:80]
        name = next(found for n in range(1, 1000) if (found := stem if n == 1 else f"{stem}-{n}") not in self._known)
        self._known.add(name)
        return name


def refuse_flags(options: Options, *, beside_cases: bool) -> None:
    """Raise UsageError for the first flag that these tests would ignore. Some may be for cases beside them."""
    message = "is for planned cases, not for tests with web_agent"
    flags = {
        "--shard": (options.shard is not None, f"{message}; give each machine files of its own"),
        "--reports": (bool(options.address), f"ADDRESS {message}; name a folder"),
        "--agent": (len(options.contenders) > 1, "and --model: tests with web_agent are played by one agent and model"),
        "--baseline": (options.baseline is not None and not beside_cases, f"{message}; use result.not_worse_than(...)"),
        "--resume": (options.resume and not beside_cases, message),
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
            message = f"expected a record, a dictionary, a function or a path, got {given!r:.80}"
            raise DataError(HERE, f"key_steps.{number - 1}", message)
    return steps, functions


def ended_by_itself(trajectory: Trajectory, _: AppTask) -> list[dict[str, object]]:
    """The scorer of a task without a criterion."""
    end = trajectory.ends[-1]
    return [{"name": "finished", "passed": end.reason in ("finish", "decide"), "reason": end.detail or end.reason}]
