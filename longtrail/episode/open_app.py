"""Open app: a user's own app while its episodes are played: reset, log-in, and its state at the end."""

import inspect
import os
import re
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from longtrail.checks.app_steps import CheckStep, GetStep, ReadingStep, SqlStep
from longtrail.checks.hosts import Origin, origin_of
from longtrail.episode.webarena_log_in import KINDS, VERIFY_CERTIFICATES, log_in
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.records.site_reports import Reading
from longtrail.records.trajectory import Trajectory
from longtrail.tasks.app_task import App, AppTask
from longtrail.tasks.reference import ReferenceStep

HOOK_SECONDS = 120.0
"""For a reset or a query."""
Hook = Callable[..., Any]


@dataclass(frozen=True)
class OpenApp:
    """One app at its address. `values` are inserted for `{port}` and `{worker}` in its settings."""

    app: App
    address: str
    """Without a trailing slash."""
    folder: Path = field(default_factory=Path.cwd)
    """The folder to which the app's paths are relative."""
    values: Mapping[str, str] = field(default_factory=dict)
    functions: Mapping[str, Hook] = field(default_factory=dict)
    """The user's functions by their names in the task: `reset`, `login`, and those of key steps."""
    find: Callable[[str], Hook] | None = None
    """Finds a function that is named by its path."""
    home: str = ""
    """The address in tasks that this one replaces: `https://shopadmin.test/admin`."""
    turn: AbstractContextManager[object] = field(default_factory=nullcontext)
    """Lock held during an episode if other workers use the same app."""

    @property
    def origins(self) -> tuple[Origin, ...]:
        """All reachable addresses: the app, and the hosts that it names."""
        return tuple(map(origin_of, (self.address, *self.app.hosts)))

    def url(self, start: str) -> str:
        """An address on the app, for a path or a page of the site that it replaces; other addresses unchanged."""
        if self.home and start.startswith(self.home):
            start = start.removeprefix(self.home) or "/"
        return f"{self.address}{start}" if start.startswith("/") else start

    def offered(self, files: Iterable[str]) -> dict[str, Path]:
        """The files that a task offers for uploads, by the names that the agent gets. Raises UsageError."""
        paths: dict[str, Path] = {}
        for file in files:
            path = (self.folder / file).resolve()
            if not path.is_file() or path.name in paths:
                problem = "another file of the task has this name" if path.name in paths else f"there is no file {path}"
                raise UsageError(f"files: {file}: {problem}")
            paths[path.name] = path
        return paths

    def reference(self, steps: Iterable[ReferenceStep]) -> tuple[ReferenceStep, ...]:
        """A reference solution whose paths are addresses of the app."""
        return tuple(
            step.model_copy(update={step.kind: self.url(getattr(step, step.kind))})
            if step.goto or step.new_tab
            else step
            for step in steps
        )

    def reset(self) -> None:
        """Reset the app to its initial state. Raises HarnessTrouble(site_error)."""
        hook = self.app.reset
        if "reset" in self.functions:
            self._call("reset hook", self.functions["reset"])
        elif isinstance(hook, tuple):
            self._run(hook)
        elif match := re.fullmatch(r"(GET|POST|PUT|DELETE) (/\S*)", hook):
            answer = self._ask("reset hook", match[1], f"{origin_of(self.address).base}{match[2]}", {})
            if answer.status_code >= 400:
                raise HarnessTrouble("site_error", f"reset hook: {hook} was answered with {answer.status_code}")
        elif hook:
            self._call("reset hook", self._function(hook))

    def storage(self) -> dict[str, Any] | None:
        """Cookies of a new session, in Playwright's form. Raises HarnessTrouble(site_error)."""
        cookies = self._cookies()
        host, secure = origin_of(self.address).host, self.address.startswith("https:")
        base = {"domain": host, "path": "/", "expires": -1, "httpOnly": True, "secure": secure, "sameSite": "Lax"}
        kept = [{"name": name, "value": value, **base} for name, value in cookies.items()]
        return {"cookies": kept, "origins": []} if kept else None

    def read(self, steps: Iterable[object]) -> tuple[Reading, ...]:
        """The values of the app that key steps ask for. Raises HarnessTrouble(site_error)."""
        return tuple(self._read(step) for step in steps if isinstance(step, ReadingStep))

    def _read(self, step: ReadingStep) -> Reading:
        name = f"key step {step.name}"
        if isinstance(step, SqlStep):
            return Reading(name=step.name, value=_plain(self._query(name, step.query)))
        if isinstance(step, GetStep):
            answer = self._ask(name, "GET", step.path, self._cookies())
            value = answer.text if not step.json_path else _within(answer.json(), step.json_path)
            return Reading(name=step.name, value=_plain(value), note=f"status {answer.status_code}")
        assert isinstance(step, CheckStep)
        try:
            value = self._call(name, self.functions.get(step.function) or self._function(step.function))
        except AssertionError as error:
            return Reading(name=step.name, value=False, note=(str(error).splitlines() or [""])[0][:400])
        return Reading(name=step.name, value=_plain(True if value is None else value))

    def score(self, task: AppTask, trajectory: Trajectory) -> Reading:
        """What the user's scorer says of an episode. Raises HarnessTrouble(evaluator_error) if it can't."""
        function = self.functions.get(task.score) or self._function(task.score)
        try:
            value = function(trajectory, task)
            value = _checks(value) if isinstance(value, list | tuple) else value
        except AssertionError as error:
            return Reading(name="score", value=False, note=(str(error).splitlines() or [""])[0][:400])
        except Exception as error:
            raise HarnessTrouble("evaluator_error", f"score: {type(error).__name__}: {error}") from error
        if not isinstance(value, bool | int | float | list) or value == []:
            raise HarnessTrouble("evaluator_error", f"score: expected a bool, a number or checks, got {value!r:.80}")
        return Reading(name="score", value=value)

    def _cookies(self) -> Mapping[str, str]:
        if self.app.login in KINDS:
            found: Any = log_in(self.app.login, self.address)
        elif "login" in self.functions:
            found = self._call("login hook", self.functions["login"])
        elif self.app.login:
            found = self._call("login hook", self._function(self.app.login))
        else:
            found = {}
        if not isinstance(found, Mapping):
            raise UsageError(f"login hook: expected cookies (name -> value), got {type(found).__name__}")
        return {str(name): str(value) for name, value in found.items()}

    def _function(self, path: str) -> Hook:
        if self.find is None:
            raise UsageError(f"{path}: functions can't be looked up here")
        return self.find(path)

    def _call(self, what: str, function: Hook) -> Any:
        """Call a user's function. AssertionErrors are passed on; any other exception is trouble."""
        try:
            return function(self.address) if _wants_address(function) else function()
        except (AssertionError, UsageError):
            raise
        except Exception as error:
            raise HarnessTrouble("site_error", f"{what}: {type(error).__name__}: {error}") from error

    def _run(self, words: Sequence[str]) -> None:
        command = [filled(word, self.values) for word in words]
        try:
            done = subprocess.run(  # noqa: S603 (the user's own command)
                command,
                cwd=self.folder / self.app.folder,
                env=environment(self.app, self.values),
                capture_output=True,
                text=True,
                timeout=HOOK_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise HarnessTrouble("site_error", f"reset hook: {error}") from error
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["it said nothing"]
            raise HarnessTrouble("site_error", f"reset hook: {command[0]} ended with {done.returncode}: {said[0]}")

    def _ask(self, what: str, method: str, path: str, cookies: Mapping[str, str]) -> Any:
        import httpx

        try:
            with httpx.Client(
                cookies=dict(cookies), verify=VERIFY_CERTIFICATES, timeout=HOOK_SECONDS, trust_env=False
            ) as client:
                return client.request(method, self.url(path))
        except httpx.HTTPError as error:
            raise HarnessTrouble("site_error", f"{what}: {self.url(path)}: {error}") from error

    def _query(self, what: str, query: str) -> Any:
        named = os.path.expandvars(filled(self.app.database, self.values))
        try:
            is_file = "://" not in named or named.startswith("sqlite:///")
            rows = _sqlite(self.folder, named, query) if is_file else _sqlalchemy(named, query)
        except (sqlite3.Error, OSError) as error:
            raise HarnessTrouble("site_error", f"{what}: {error}") from error
        return rows[0][0] if len(rows) == 1 and len(rows[0]) == 1 else rows or None


def _checks(given: Sequence[Any]) -> list[dict[str, Any]]:
    """The checks of a scorer in one form. Raises ValueError."""
    checks = []
    for number, each in enumerate(given, 1):
        check = each if isinstance(each, Mapping) else dict(zip(("name", "passed", "reason"), each, strict=False))
        if not isinstance(check.get("passed"), bool):
            raise ValueError(f"expected a check with `passed`, true or false, got {each!r:.80}")
        name, reason = str(check.get("name", number)), str(check.get("reason", ""))
        checks.append({"name": name, "passed": check["passed"], "reason": reason})
    return checks


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with `{port}` and `{worker}` filled in; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def environment(app: App, values: Mapping[str, str]) -> dict[str, str]:
    """The environment of an app's command. `$NAME` in a value stands for a variable: secrets need not be in a file."""
    return {**os.environ, **{name: os.path.expandvars(filled(value, values)) for name, value in app.env.items()}}


def _wants_address(function: Hook) -> bool:
    """Whether it can't be called without an argument."""
    try:
        inspect.signature(function).bind()
    except TypeError:
        return True
    except ValueError:  # a built-in without a signature
        pass
    return False


def _sqlite(folder: Path, named: str, query: str) -> list[list[Any]]:
    path = folder / named.removeprefix("sqlite:///")
    if not path.is_file():
        raise OSError(f"there is no database {path}")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=HOOK_SECONDS)) as db:
        return [list(row) for row in db.execute(query).fetchall()]


def _sqlalchemy(named: str, query: str) -> list[list[Any]]:
    try:
        import sqlalchemy  # type: ignore[import-not-found, unused-ignore]
    except ImportError as error:
        raise UsageError("app.database: an address of a database needs SQLAlchemy: pip install sqlalchemy") from error
    try:
        engine = sqlalchemy.create_engine(named)
    except (ImportError, sqlalchemy.exc.ArgumentError) as error:  # its words may repeat the address, and the password
        kind = named.partition("://")[0]
        why = f"its driver is missing ({error.name})" if isinstance(error, ImportError) else "SQLAlchemy can't read it"
        raise UsageError(f"app.database: an address that begins with {kind}:// can't be used: {why}") from None
    try:
        with engine.connect() as db:
            return [list(row) for row in db.execute(sqlalchemy.text(query)).fetchall()]
    except sqlalchemy.exc.SQLAlchemyError as error:
        raise OSError(str(error).splitlines()[0]) from error
    finally:
        engine.dispose()


def _within(data: Any, path: str) -> Any:
    """`orders.0.status` within JSON; None where there is no such thing."""
    for part in path.split("."):
        if isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        elif isinstance(data, dict) and part in data:
            data = data[part]
        else:
            return None
    return data


def _plain(value: Any) -> Any:
    """A value as JSON can hold it."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [_plain(each) for each in value]
    return str(value)
