"""App task: a task on a user's own web app. It has the app's location, the request, the key steps and maybe a
reference."""

import math
from typing import Annotated, Literal

from pydantic import Field, model_validator

from longtrail.checks.answers import AnswerCheck
from longtrail.checks.app_steps import AppKeyStep
from longtrail.checks.hosts import origin_of
from longtrail.records.record import Record
from longtrail.tasks.reference import ReferenceStep
from longtrail.text.matcher import Alternative

CRITERIA = ("answer", "score", "judge", "no_server_error", "no_accessibility_violation")
"""Fields that count like a key step of their name."""
Command = tuple[str, ...]


class App(Record):
    """A web app: an address, a command that starts it, or a pytest fixture. Paths are relative to the folder of tasks.

    In `command`, `env`, `database` and hooks `{port}` is the port that the app must listen on, `{worker}` the worker's
    name (`main`, `gw0` ...), and `{python}` this Python: each worker starts its own app.
    """

    name: str = ""
    """Its name in `--site NAME=ADDRESS`; for an app in `apps.yaml`, its name there."""
    address: str = ""
    """Address of an app that is already running, such as `http://127.0.0.1:8000`. All workers share it."""
    command: Command = ()
    """Arguments of a command that serves at `http://127.0.0.1:{port}` until it is stopped. It is run without a shell.
    """
    fixture: str = ""
    """Name of a pytest fixture that gives an address, or an object with a `url` (`live_server` of pytest-django)."""
    folder: str = "."
    """Working directory of the command and of the hooks' commands."""
    env: dict[str, str] = {}
    """Environment variables for these commands, added to the session's."""
    ready: str = "/"
    """A path that answers once the app is ready."""
    hosts: tuple[str, ...] = ()
    """Further addresses that its pages need. All other addresses are blocked."""
    reset: str | Command = ""
    """Before each episode: `package.module:function`, `POST /path` on the app, or a command."""
    login: str = ""
    """`package.module:function`, called with the address; returns the cookies (name -> value) of a new session. Or
    `magento`, `postmill`: log in by their forms, with the accounts that WebArena publishes."""
    database: str = ""
    """The database that `sql` key steps query: a SQLite file or an SQLAlchemy URL. `$NAME` is an environment
    variable."""
    parallel: bool = False
    """For an app given by address: may several workers use it at once? If so, episodes must not affect each other."""

    @model_validator(mode="after")
    def _one_place(self) -> "App":
        given = [name for name in ("address", "command", "fixture") if getattr(self, name)]
        if len(given) != 1:
            raise ValueError(f"expected one of address, command and fixture, got {' and '.join(given) or 'none'}")
        for url in filter(None, (self.address, *self.hosts)):
            origin_of(url)
        return self


class AppFact(Record):
    """A piece of evidence that the agent must be shown, and must state in its answer or decision."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    says: str
    """The fact in one sentence, for people."""
    shown: tuple[Alternative, ...] = Field(min_length=1)
    """The forms in which pages show it."""
    said: tuple[Alternative, ...] = ()
    """Further forms in which an agent may state it."""
    paths: tuple[str, ...] = ()
    """The pages on which it counts; empty: any."""


class AppDecision(Record):
    """What the agent has to decide."""

    options: dict[Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")], str] = Field(min_length=2)
    """Decision -> its meaning in one line; the agent sees all of them."""
    optimal: str
    acceptable: tuple[str, ...] = ()
    """Worth 0.8."""
    harmful: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _known(self) -> "AppDecision":
        if unknown := sorted({self.optimal, *self.acceptable, *self.harmful} - self.options.keys()):
            raise ValueError(f"these are not among the options: {', '.join(unknown)}")
        return self


class AppTask(Record):
    """One task on one app."""

    suite: Literal["app"]
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
    title: str = ""
    app: App
    """In YAML also the name of an app in `apps.yaml` next to the file."""
    start: str = "/"
    """A path on the app, or an address on one of its hosts."""
    instruction: str
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    category: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$|^$")] = ""
    """A group of tasks in reports, and a marker."""
    key_steps: tuple[AppKeyStep, ...] = ()
    ordered: bool = False
    decision: AppDecision | None = None
    facts: tuple[AppFact, ...] = ()
    answer: AnswerCheck | None = None
    """What the final answer must be."""
    score: str = ""
    """`package.module:function`, called at the end with the trajectory and the task. It returns whether the case is
    solved, a share (1.0: solved), or a list of checks, each `{name, passed, reason}` or `[name, passed, reason]`."""
    judge: str = ""
    """A rubric: what is true of good work, for the model of `--judge`. Without `--judge` it does not count."""
    no_server_error: bool = False
    """Whether every request must be answered with a status below 500."""
    accessibility: bool = False
    """Whether axe checks the page where the agent ended (needs `longtrail[axe]`)."""
    no_accessibility_violation: bool = False
    """The same, and it must violate no rule of serious or critical impact. A page that can't be checked does not
    count."""
    files: tuple[str, ...] = ()
    """Files that the agent may upload, in the folder of tasks. It gets their names, without folders."""
    critical: tuple[str, ...] = ()
    """Paths of the pages that an investigation must open; used by PATHWAYS' own investigation measure."""
    reference: tuple[ReferenceStep, ...] = ()
    """The steps of a careful person; the oracle replays them. `goto` may be a path."""
    justification: str = ""
    """The justification of a careful person."""
    limit: Annotated[int, Field(ge=1, le=200)] | None = None
    """Step limit; by default 1.5 times the reference's steps and at least 10, or 25 without a reference."""

    @model_validator(mode="after")
    def _measurable(self) -> "AppTask":
        if not (self.judge or self.has_rules):
            raise ValueError(
                "expected key_steps, decision, facts, answer, score or judge: nothing says when it is done"
            )
        names = [*(key.name for key in self.key_steps), *(name for name in CRITERIA if getattr(self, name))]
        if len(set(names)) != len(names):
            raise ValueError("two key steps have the same name")
        if not self.start.startswith("/"):
            origin_of(self.start)
        return self

    @property
    def has_rules(self) -> bool:
        """Whether something other than a model judges it."""
        return bool(self.key_steps or self.decision or self.facts or self.answer or self.score or self.no_server_error)

    @property
    def checks_accessibility(self) -> bool:
        """Whether axe checks the page where the agent ended."""
        return self.accessibility or self.no_accessibility_violation

    @property
    def step_limit(self) -> int:
        """Maximum number of steps of an episode."""
        if self.limit is not None:
            return self.limit
        return max(10, math.ceil(1.5 * len(self.reference))) if self.reference else 25
