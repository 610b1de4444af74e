"""Trajectory: the record of one episode: observations exactly as delivered, actions exactly as taken, requests exactly
as served. It contains no judgement."""

from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.errors import TroubleKind
from longtrail.records.action import Action
from longtrail.records.case import ActionSet, WebKind
from longtrail.records.case import Case as Case
from longtrail.records.case import Suite as Suite
from longtrail.records.observation import Box, Observation
from longtrail.records.record import Record
from longtrail.records.site_reports import Listed, PageError, Reading

SCHEMA = 2
"""Version of the trajectory's form; a file of another version is refused."""

Phase = Literal["a1", "a2", "main", "appeal"]
"""Long context: `a1`, then `a2`. Decision tasks: `main`, then `appeal` if there is one; with `lost_evidence`, an
earlier episode is their `a1`."""


class Request(Record):
    """One HTTP request as the site saw it; an independent record besides the browser's."""

    method: str
    url: str
    """Absolute, as requested."""
    status: int
    dest: str = ""
    """`sec-fetch-dest`: document, iframe, image, empty ..."""
    mode: str = ""
    """`sec-fetch-mode`: navigate, cors, no-cors ..."""
    purpose: str = ""
    """`sec-purpose`: prefetch ... or empty."""
    world: str = ""
    scripted: bool = False
    """For an agent that drives the browser itself: a document that a script requested, rather than the page's own
    code, a click or a key. It counts as a page against the step limit."""
    refused: bool = False
    """Whether we answered it with a page of our own, instead of the site."""
    held: str = ""
    """Live web: why it was blocked instead of sent to the site (it would have had a real-world effect)."""
    listed: Listed | None = None
    """The items that the served page lists, if its site reports them."""


class Target(Record):
    """The element of an action, as it was at that moment."""

    role: str
    name: str
    url: str = ""
    """A link's absolute address."""
    attributes: dict[str, str] = {}
    """`id`, `name`, `type`, `data-testid`, as far as the element has them."""
    unserved: bool = False
    """For an agent that drives the browser itself: the site served no such element for this page."""
    path: str = ""
    """Its position in the document as a CSS path from the root: `html>body>div#cart.wide:nth-child(2)>a`."""


class Outcome(Record):
    """What an action did."""

    ok: bool
    error: str = ""
    """One line for the agent that says what to do instead."""
    target: Target | None = None
    value: str = ""
    """The text typed or the option selected."""
    url: str = ""
    """The active page's real address after settling."""
    navigations: tuple[str, ...] = ()
    """Addresses of main-frame documents that the browser committed during the step; of redirects, only the last."""
    routes: tuple[str, ...] = ()
    """Addresses that the page showed without loading a document (history API, fragment); not on embedded sites."""
    note: str = ""
    violations: tuple[str, ...] = ()
    """Attempts to leave the allowed sites (`file:` address, unknown host, control path ...), one line each."""


Count = Annotated[int, Field(ge=0, le=10**15)]


class Usage(Record):
    """Tokens and cost of the model calls of one step. An agent in its own process reports them itself."""

    calls: Count = 0
    prompt_tokens: Count = 0
    cached_tokens: Count = 0
    completion_tokens: Count = 0
    usd: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = 0.0
    """None: the price is unknown."""

    def __add__(self, other: "Usage") -> "Usage":
        both = {name: (mine, getattr(other, name)) for name, mine in self}
        return Usage(**{name: None if None in pair else sum(pair) for name, pair in both.items()})


class Timing(Record):
    """Seconds of one step, by what they were spent on."""

    model: float = 0.0
    browser: float = 0.0
    harness: float = 0.0
    person: float = 0.0
    """Of a person who plays, while their page is open."""

    def __add__(self, other: "Timing") -> "Timing":
        return Timing(**{name: seconds + getattr(other, name) for name, seconds in self})


class Change(Record):
    """One changed row of one site's state; `before` is None for a new row, `after` for a deleted one."""

    site: str
    table: str
    key: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


AGENT_FAILED, MODEL_REFUSED = "the agent failed", "the model refused"
"""Errors of steps without an action that are no malformed answers."""


class Step(Record):
    """One turn of the agent: it saw, thought, acted, and perhaps reflected."""

    number: Annotated[int, Field(ge=1)]
    """From 1 within the phase; from 1 again in each message of an appeal."""
    phase: Phase
    observation: Observation
    summary: str = ""
    """iRAG's summary of the history made before planning, if the agent makes one."""
    thought: str = ""
    action: Action | None
    """None: the agent gave no valid action (see `raw`)."""
    raw: str = ""
    """The agent's answer if it was malformed, at most 4,000 characters."""
    cut_off: bool = False
    """It has no action because the model's answer was cut off at its maximum length."""
    outcome: Outcome
    box: Box | None = None
    """The place of the target element in the screenshot, if one was taken and the element was in view."""
    reflection: str = ""
    requests: tuple[Request, ...] = ()
    """Every request that the sites served during this step."""
    page_errors: tuple[PageError, ...] = ()
    changes: tuple[Change, ...] = ()
    """What it changed in the sites' state, if it sent something. Episodes of earlier versions lack this."""
    usage: Usage = Usage()
    summary_usage: Usage | None = None
    """Usage of the summary alone, if reported; `usage` includes it."""
    timing: Timing = Timing()

    @property
    def malformed(self) -> bool:
        """Whether the agent's answer had no valid action."""
        return self.action is None and self.outcome.error not in ("", AGENT_FAILED, MODEL_REFUSED)


class Contender(Record):
    """Who is evaluated: an agent, and its model if it has one. One row of the leaderboard."""

    agent: str
    model: str | None = None
    profile: str = "default"
    vision: bool = False
    options: dict[str, Any] = {}
    prompts: str = ""
    """sha256 over the agent's prompt files (12 hex digits)."""

    @property
    def label(self) -> str:
        """Its name in reports: `webagent / gpt-4.1`, or only the agent."""
        return f"{self.agent} / {self.model}" if self.model else self.agent


class Provenance(Record):
    """How the episode was made; two runs are comparable only if these agree."""

    longtrail: str
    data: str
    """sha256 over all data files that scoring or sites read (12 hex digits)."""
    task: str
    """sha256 over the task's own entry (12 hex digits)."""
    browser: str = ""
    web: WebKind | Literal["own"] = "embedded"
    actions: ActionSet = "paper"
    """What the agent could do."""
    seed: int = 0
    step_limit: int = 0
    model_reported: str = ""
    """The model id that the server said it ran."""


class History(Record):
    """The history before the second subtask."""

    target_tokens: int
    tokens: int
    """Counted with `tokenizer`, the agent's own first part included."""
    tokenizer: str
    injected: tuple[str, ...] = ()
    """Ids of the injected trajectories, in order."""
    similar: tuple[str, ...] = ()
    """The ids of those on the task's own site."""
    lookalikes: tuple[str, ...] = ()
    """The ids of those that can be confused with the first part."""
    before: int = 0
    """Tokens of noise before the agent's own first part."""
    last_url: str = ""
    """The address that the browser was moved to."""
    sha256: str = ""
    """Checksum of the rendered history, to compare what two runs were given."""


class Trouble(Record):
    """Why the episode is invalid."""

    kind: TroubleKind
    message: str
    traceback: str = ""


class End(Record):
    """How the episode (or a phase of it) ended."""

    reason: Literal["finish", "decide", "all_key_steps", "session", "step_limit", "trouble", "refusal", "agent_error"]
    phase: Phase
    detail: str = ""
    traceback: str = ""


class JudgeUsage(Record):
    """The model that judged a task's rubric (`--judge`), and what that took. Its verdict is among the readings."""

    model: str
    model_reported: str = ""
    usage: Usage = Usage()
    """Not part of the agent's usage."""


class Trajectory(Record):
    """Everything that happened in one attempt at one case."""

    form: int = SCHEMA
    case: Case
    contender: Contender
    attempt: Annotated[int, Field(ge=0)] = 0
    provenance: Provenance
    prompt: str
    """The instruction that the agent got (long context: for the second part)."""
    first_part_of: str = ""
    """Long context: the attempt (`CASE.aN`) that played the first part, if this one only shares it."""
    steps: tuple[Step, ...] = ()
    history: History | None = None
    ends: tuple[End, ...] = ()
    trouble: Trouble | None = None
    changes: tuple[Change, ...] = ()
    """The difference between the sites' final state and their state at the start."""
    changes_before_appeal: tuple[Change, ...] | None = None
    """The same at the moment before the second user turn, if there was one."""
    readings: tuple[Reading, ...] = ()
    seconds: float = 0.0
    """Wall time of the attempt in seconds."""
    opinion: JudgeUsage | None = None

    @property
    def usage(self) -> Usage:
        """Tokens and cost of this episode. A shared first part counts only in the episode that played it."""
        return sum((step.usage for step in self.steps if not self._shared(step)), Usage())

    @property
    def saved(self) -> Usage:
        """Tokens and cost that playing a shared first part again would have added."""
        return sum((step.usage for step in self.steps if self._shared(step)), Usage())

    def _shared(self, step: Step) -> bool:
        return bool(self.first_part_of) and step.phase == "a1"

    @property
    def valid(self) -> bool:
        """Whether it counts: nothing went wrong except through the agent itself (a refusal)."""
        return self.trouble is None or self.trouble.kind == "llm_refusal"

    def phase(self, *phases: Phase) -> tuple[Step, ...]:
        """The steps of these phases, in order."""
        return tuple(step for step in self.steps if step.phase in phases)

    def end(self, phase: Phase) -> End | None:
        """How this phase ended, or None if it was never reached."""
        return next((end for end in self.ends if end.phase == phase), None)
