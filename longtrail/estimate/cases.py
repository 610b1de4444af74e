"""The tokens, USD and hours that planned cases would take, summed by suite.

The real agents run with their real prompts; a meter replaces the model, and a page of typical length the browser.
`assumptions.yaml` and the constants below hold the assumptions.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from longtrail.agents.agent import Assignment, Equipment
from longtrail.agents.spec import AgentSpec
from longtrail.browser.view import View
from longtrail.checks.decisions import decision_words
from longtrail.episode.rubric import PAGE_TOKENS as RUBRIC_PAGE_TOKENS
from longtrail.estimate.usage import CountedUsage, CountingModel
from longtrail.llm.models import ModelFacts
from longtrail.options.plan import contender_of
from longtrail.options.run_options import Options
from longtrail.records.action import Action, Decide, Finish, Scroll
from longtrail.records.action_forms import types_in_force
from longtrail.records.case import DECISION
from longtrail.records.grouping import grouped
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.records.observation import Observation
from longtrail.records.site_reports import RUBRIC_TIMES
from longtrail.records.trajectory import Contender, Outcome, Phase, Suite
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import appeal_prompt, case_prompt
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.interference import asked
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import LongContextTask, decision_step_limit
from longtrail.yaml_file import read_yaml

_ASSUMED: dict[str, Any] = read_yaml(Path(__file__).with_name("assumptions.yaml"))
PAGE_TOKENS: Mapping[Suite, int] = _ASSUMED["page_tokens"]
ASSUMPTIONS: tuple[str, ...] = tuple(_ASSUMED["lines"])
APPEAL_STEPS, APPEAL_STEP_LIMIT = 3, 10
"""Expected steps of an appeal (one or two pages, and a decision), and their limit."""
STEP_IN_MEMORY = 130
"""Tokens of one step in the memory of an appeal."""
STEP_IN_HISTORY = 360
"""Tokens of one step of the first part in a history, with the words of its page (`records.memory.STEP` characters)."""
CALL, STEP, READING = 1.5, 0.5, 10_000
"""Seconds per call, seconds per browser step, tokens that a model reads per second."""
RUBRIC_TOKENS, RUBRIC_ANSWER_TOKENS = 400, 100
"""Tokens of a judge's question about a rubric, without pages, and of its answer."""


@dataclass(frozen=True)
class Estimate:
    """The expected usage of one contender's cases."""

    contender: Contender
    suites: dict[Suite, CountedUsage]
    limit: CountedUsage
    """The same if every episode used all its steps."""

    @property
    def whole(self) -> CountedUsage:
        """All suites."""
        return sum(self.suites.values(), CountedUsage())


class PhasePlan(NamedTuple):
    """What is expected of one phase of a case."""

    phase: Phase
    prompt: str
    steps: int
    step_limit: int
    history_tokens: int = 0


def estimates(cases: Sequence[PlannedCase], options: Options) -> list[Estimate]:
    """One estimate for each contender, all of them built-in agents with a model."""
    return [
        _estimate(contender, [case for case in cases if contender_of(case, options) == contender])
        for contender in options.contenders
    ]


def rubric_usage(cases: Iterable[PlannedCase]) -> CountedUsage:
    """The expected usage of the judge of rubrics (`--judge`), which is asked several times for each case."""
    usage = CountedUsage()
    for case in cases:
        if isinstance(case.task, AppTask) and case.task.judge:
            steps = sum(phase.steps for phase in phases_of(case, "default"))
            pages = min(RUBRIC_PAGE_TOKENS, steps * PAGE_TOKENS["app"])
            read, answered = RUBRIC_TIMES * (RUBRIC_TOKENS + pages), RUBRIC_TIMES * RUBRIC_ANSWER_TOKENS
            usage += CountedUsage(calls=RUBRIC_TIMES, uncached_tokens=read, answer_tokens=answered)
    return usage


def expected_seconds(cases: Iterable[PlannedCase]) -> float:
    """Seconds that cases with the same first part take in one process, one after the other.

    The first part is played once for all lengths, and of each history only the part beyond the longest previous one is
    read. Only the ratios of these figures matter to their user, which divides cases among machines.
    """
    seconds, longest, first_part_played = 0.0, 0, False
    for case in cases:
        for phase in phases_of(case, "default"):
            if phase.phase == "a1" and first_part_played:
                continue
            first_part_played = first_part_played or phase.phase == "a1"
            seconds += phase.steps * (CALL + STEP)
            known = longest if phase.phase == "a2" else 0
            seconds += max(0, phase.history_tokens - known) / READING
            longest = max(longest, phase.history_tokens) if phase.phase == "a2" else longest
    return seconds


def phases_of(planned: PlannedCase, profile: str, *, to_the_limit: bool = False) -> list[PhasePlan]:
    """The phases of a case. `to_the_limit`: with as many steps as are allowed."""

    def steps(reference: int, limit: int) -> int:
        return limit if to_the_limit else min(limit, math.ceil(1.5 * reference))

    task, history = planned.task, planned.case.noise_tokens or 0
    if isinstance(task, AppTask):
        expected = steps(len(task.reference) or task.step_limit, task.step_limit)
        return [PhasePlan("main", case_prompt(task, planned.case), expected, task.step_limit)]
    if isinstance(task, LongContextTask):
        first, second = (steps(len(part.reference), part.step_limit) for part in (task.a1, task.a2))
        history = max(STEP_IN_HISTORY * first, history)
        task = asked(task, planned.case)
        return [
            PhasePlan("a1", task.a1.instruction, first, task.a1.step_limit),
            PhasePlan("a2", task.a2.instruction, second, task.a2.step_limit, history),
        ]
    if isinstance(task, ShiftTask):
        return [PhasePlan("main", case_prompt(task, planned.case), task.step_limit, task.step_limit)]
    limit = decision_step_limit(task, profile)
    main = steps(len(task.reference.path) + 1, limit)
    phases = [PhasePlan("main", case_prompt(task, planned.case), main, limit, history)]
    if planned.case.appeal:
        turns = task.appeal.deceptive if planned.case.appeal == "deceptive" else task.appeal.valid
        turn = APPEAL_STEP_LIMIT if to_the_limit else APPEAL_STEPS
        for number, text in enumerate(turns if task.hard else turns[:1]):
            memory = STEP_IN_MEMORY * (main + number * turn)
            phases.append(PhasePlan("appeal", appeal_prompt(text), turn, APPEAL_STEP_LIMIT, memory))
    return phases


def _estimate(contender: Contender, cases: Sequence[PlannedCase]) -> Estimate:
    by_suite = grouped(cases, lambda planned: planned.case.suite)
    suites = {suite: _sum(contender, members) for suite, members in by_suite.items()}
    return Estimate(contender, suites, _sum(contender, cases, to_the_limit=True))


def _sum(contender: Contender, cases: Iterable[PlannedCase], *, to_the_limit: bool = False) -> CountedUsage:
    total = CountedUsage()
    longest: dict[tuple[str, int, str, str], int] = {}
    for planned in cases:
        case = planned.case
        shared = "" if case.placement in (None, "distraction") else f"{case.placement} {case.prompt}"
        key = (case.task, case.repeat, shared, case.setting)
        for phase in phases_of(planned, contender.profile, to_the_limit=to_the_limit):
            history = phase.history_tokens
            if phase.phase == "a1" and key in longest:
                continue  # played once, shared by all lengths
            continues = phase.phase == "a2" or (phase.phase == "main" and history)
            known = longest.get(key, 0) if continues and case.needle in ("first", "last") else 0
            total += _phase_usage(contender, case.suite, phase).with_history(history, known)
            total.steps += phase.steps
        if case.noise_tokens is not None:
            longest[key] = max(longest.get(key, 0), case.noise_tokens or 1)
        total.cases += 1
    return total


def _phase_usage(contender: Contender, suite: Suite, phase: PhasePlan) -> CountedUsage:
    """The usage of one phase. Prompts of similar length are computed once, as they differ by a few tokens per call."""
    size, history = len(phase.prompt) // 400, phase.history_tokens > 0
    key = (contender.model_dump_json(), suite, phase.phase, phase.steps, phase.step_limit, history, size)
    if key not in _measured:
        _measured[key] = _play(contender, suite, phase)
    return _measured[key]


_measured: dict[tuple[object, ...], CountedUsage] = {}


def _play(contender: Contender, suite: Suite, phase: PhasePlan) -> CountedUsage:
    """Let the real agent play a phase with the counting model on pages of typical length."""
    decisions = tuple(decision_words(suite)) if suite in DECISION else ()
    past = PastTask(instruction=CountingModel.HISTORY, steps=(MemoryStep(url="", thought="", action=""),))
    assignment = Assignment(
        suite=suite,
        phase=phase.phase,
        prompt=phase.prompt,
        history=(past,) if phase.history_tokens else (),
        actions=types_in_force("full" if suite == "app" else "paper", decides=bool(decisions)),
        decisions=decisions,
        step_limit=phase.step_limit,
    )
    last: Action = Decide(decision=decisions[0], justification=_words(120)) if decisions else Finish(answer=_words(12))
    model = CountingModel(contender, [*[Scroll()] * (phase.steps - 1), last], _words(60).replace("\n", " "))
    equipment = Equipment(model, dict(contender.options), contender.profile)
    agent = AgentSpec.parse(contender.agent).factory(assignment, equipment)
    view = _page(suite, contender.vision)
    for number in range(phase.steps):
        agent.act(view)
        if number < phase.steps - 1:
            agent.observe(Outcome(ok=True, url=view.url), view)
    return model.spent


@cache
def _page(suite: Suite, vision: bool) -> View:
    text = _words(PAGE_TOKENS[suite])
    return View(Observation(url="https://www.example.test/a/page", title="A page", text=text), b"" if vision else None)


@cache
def _words(tokens: int) -> str:
    """A text of this many tokens: each of these short words is one."""
    return "\n".join(" ".join(["the"] * min(10, tokens - start)) for start in range(0, tokens, 10))


def usd(spent: CountedUsage, facts: ModelFacts, prices: tuple[float, float] | None) -> float | None:
    """Its price, or None if unknown. Cached tokens are cheaper if the model's price table says so."""
    if prices is None:
        return None
    cached = facts.usd_per_cached_token
    return (
        spent.uncached_tokens * prices[0]
        + spent.cached_tokens * (prices[0] if cached is None else min(cached, prices[0]))
        + spent.answer_tokens * prices[1]
    )


def hours(spent: CountedUsage, workers: int, rpm: int | None, tpm: int | None) -> float:
    """Wall-clock time: calls and steps divided among the workers, or the time that the rate limits require, whichever
    is longer.

    A call takes 1.5 s, 1 s more for each 10,000 prompt tokens that are not cached and for each 60 answer tokens.
    """
    busy = CALL * spent.calls + spent.uncached_tokens / READING + spent.answer_tokens / 60 + STEP * spent.steps
    minutes = [busy / 60 / workers]
    minutes += [spent.calls / rpm] if rpm else []
    minutes += [(spent.prompt_tokens + spent.answer_tokens) / tpm] if tpm else []
    return max(minutes) / 60
