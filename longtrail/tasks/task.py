"""Task: the request, the criteria and a reference solution. `suite` distinguishes the four kinds."""

import math
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, model_validator

from longtrail.checks.answers import Answer
from longtrail.checks.decisions import DecisionTruth as DecisionTruth
from longtrail.checks.facts import Distractor, Fact
from longtrail.checks.key_steps import KeyStep, RouteStep, route
from longtrail.checks.site_state import StateCheck
from longtrail.checks.webcanvas import WebCanvasStep
from longtrail.records.case import HARD
from longtrail.records.record import Record
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.hard import STEP_LIMIT, AppealDocuments, Planted, WorldEvents
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.text.matcher import Alternative

Url = Annotated[str, Field(pattern=r"^https://[a-z0-9.-]+/")]
LEAVES_THINGS_AS_THEY_ARE = frozenset(("APPROVE", "NO_ACTION", "CONFIRM_FACTUAL"))
"""Decisions of the forum after which nothing has changed."""
SEARCH_PAGE = "https://www.google.com/"
"""Where an agent starts by default: an empty search page, like a new browser tab."""


class Carry(Record):
    """Information that only the first part gives and the second part needs: site, place, team, filter ..."""

    id: str
    says: str
    said: tuple[Alternative, ...]
    found: bool = False
    """No instruction contains it: the agent finds it on a page in the first part."""


class Subtask(Record):
    """One of the two dependent subtasks."""

    instruction: str
    asks: tuple[Answer, ...] = ()
    """The information that the instruction asks for, if any. The answer should state all of it; success doesn't depend
    on it."""
    key_steps: tuple[KeyStep, ...] = Field(min_length=1)
    ordered: bool = False
    reference: tuple[ReferenceStep, ...] = Field(min_length=1)

    @property
    def route(self) -> tuple[RouteStep | WebCanvasStep, ...]:
        """The key steps of the annotated route, by URL and element only; these count on the live web."""
        return route(self.key_steps)

    @property
    def step_limit(self) -> int:
        """max(10, ceil(1.5 x reference steps)), at most 25 (docs/metrics.md)."""
        return min(25, max(10, math.ceil(1.5 * len(self.reference))))


class LongContextTask(Record):
    """Two dependent subtasks on one site; noise goes between them."""

    suite: Literal["long_context", "discovered"]
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_]*$")]
    number: Annotated[int, Field(ge=1, le=56)] | None = None
    """The task's number in the paper's list A.6; the user's own tasks have none."""
    title: str
    host: str
    topics: tuple[str, ...] = Field(min_length=1)
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    start: Url = SEARCH_PAGE
    carry: tuple[Carry, ...] = Field(min_length=1)
    a1: Subtask
    a2: Subtask


class Prompts(Record):
    """Guidance beyond the trigger. It states no required fact and no decision. The plan of the condition `explicit`
    belongs to the kind of case (longtrail/tasks/briefing.py)."""

    hint: str


class Appeals(Record):
    """The second user turn: up to five messages of each kind. The first one alone is the single-turn appeal. Without a
    message of a kind, the task is not played with such an appeal."""

    deceptive: tuple[str, ...] = Field(default=(), max_length=5)
    valid: tuple[str, ...] = Field(default=(), max_length=5)
    documents: AppealDocuments = AppealDocuments()
    """Hard tier: records that appear in the site with a turn of an appeal."""


class ResponseRule(Record):
    """What the message to the user must and must not contain (user_history_context)."""

    must: tuple[Fact, ...] = ()
    must_not: tuple[Distractor, ...] = ()


class Reference(Record):
    """The steps of a careful person, and their justification."""

    path: tuple[ReferenceStep, ...] = Field(min_length=1)
    justification: str
    response: str = ""


class DecisionTask(Record):
    """One case of the shop's back office or the forum: investigate, reason, decide."""

    suite: Literal["shopping_admin", "reddit", "hard_shop", "hard_forum"]
    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
    category: str
    difficulty: Literal["easy", "medium", "hard", "very_hard", "expert"]
    hops: Annotated[int, Field(ge=1, le=8)]
    twin: str = ""
    """Id of the task with the same surface and another decision."""
    counterfactual: bool = False
    """A twin in a world of its own: the same request, few records differ (longtrail/tasks/twins.py)."""
    start: Url
    trigger: str
    """The request: the whole `raw` prompt except for the list of decisions and the answer format."""
    prompts: Prompts
    facts: tuple[Fact, ...] = Field(min_length=1)
    distractors: tuple[Distractor, ...] = Field(min_length=3)
    relevant_pages: tuple[str, ...] = ()
    """Keys of pages that help without being critical (weight 0.1 in the efficiency measure)."""
    truth: DecisionTruth
    appeal: Appeals = Appeals()
    reference: Reference
    end_state: tuple[StateCheck, ...] = ()
    """The changes that carrying out the decision makes in the site; empty if it changes nothing."""
    allowed_changes: tuple[StateCheck, ...] = ()
    response: ResponseRule = ResponseRule()
    policy: dict[str, Any]
    """Structured facts for the suite's executable rules: `decision == policy(facts)`."""
    story: dict[str, Any] = {}
    """Records this task adds to its site's world (the site's own schema)."""
    step_limit: STEP_LIMIT | None = None
    """Hard tier only, and required there; the other suites have the paper's limit."""
    events: WorldEvents = WorldEvents()
    """Hard tier only: answers, the end of the session, a notice."""
    planted: tuple[Planted, ...] = ()
    """Hard tier only: instructions of interested parties in the records."""

    @model_validator(mode="after")
    def _tier(self) -> "DecisionTask":
        """Raise ValueError if fields of the hard tier are in another suite, or missing in it."""
        if self.hard:
            if self.step_limit is None:
                raise ValueError("step_limit: expected a number from 40 to 60")
            turns = {len(self.appeal.deceptive), len(self.appeal.valid)}
            if turns != {APPEAL_TURNS} and self.appeal != Appeals():
                raise ValueError(f"appeal: expected {APPEAL_TURNS} turns of each kind, or none")
            return self
        extra = {
            "hops above 4": self.hops > 4,
            "step_limit": self.step_limit is not None,
            "planted": bool(self.planted),
            "events": self.events != WorldEvents(),
            "appeal.documents": self.appeal.documents != AppealDocuments(),
        }
        if given := [name for name, is_given in extra.items() if is_given]:
            raise ValueError(f"{given[0]}: only tasks of the suites {' and '.join(HARD)} may have it")
        return self

    @property
    def hard(self) -> bool:
        """Whether it belongs to the hard tier."""
        return self.suite in HARD

    @property
    def false_alarm(self) -> bool:
        """Forum: whether nothing is wrong, so that the right decision leaves things as they are."""
        return self.base_suite == "reddit" and self.truth.optimal in LEAVES_THINGS_AS_THEY_ARE

    @property
    def base_suite(self) -> Literal["shopping_admin", "reddit"]:
        """The suite of the paper whose site, rules and story schema it uses."""
        return "shopping_admin" if self.suite in ("shopping_admin", "hard_shop") else "reddit"

    @property
    def execution_steps(self) -> int:
        """The reference's steps after its last reading step: they carry out the decision in the site."""
        path = self.reference.path
        read = max((place for place, step in enumerate(path) if step.read is not None), default=-1)
        return sum(not step.decide for step in path[read + 1 :])

    @property
    def investigation_facts(self) -> tuple[Fact, ...]:
        """The facts that an investigation should find: the required and the supporting ones."""
        return tuple(fact for fact in self.facts if not fact.anywhere)

    @property
    def required(self) -> tuple[Fact, ...]:
        """The facts that must be delivered and stated: each of them can change the decision."""
        return tuple(fact for fact in self.investigation_facts if not fact.supporting)

    @property
    def supporting(self) -> tuple[Fact, ...]:
        """The facts that an investigation should find, but that don't affect the decision."""
        return tuple(fact for fact in self.investigation_facts if fact.supporting)

    @property
    def critical_pages(self) -> frozenset[str]:
        """Keys of the pages that show required facts."""
        return frozenset(page for fact in self.required for page in fact.pages)

    @property
    def helpful_pages(self) -> frozenset[str]:
        """Keys of the pages that help without being critical: those listed, and those that show supporting facts."""
        return frozenset((*self.relevant_pages, *(page for fact in self.supporting for page in fact.pages)))


Task = Annotated[LongContextTask | DecisionTask | ShiftTask | AppTask, Field(discriminator="suite")]
TASK: TypeAdapter[Task] = TypeAdapter(Task)
DECISION_STEP_LIMIT = 25
"""PATHWAYS: at most 25 steps."""
APPEAL_TURNS = 5
"""The turns of each appeal in the hard tier; they are all played."""


def decision_step_limit(task: DecisionTask, profile: str) -> int:
    """The paper's 25 steps (profile `pathways`); by default, plus the steps that carry out the decision. Tasks of the
    hard tier have their own limit under any profile."""
    if task.step_limit is not None:
        return task.step_limit
    return DECISION_STEP_LIMIT + (0 if profile == "pathways" else task.execution_steps)
