"""Cases: the tokens, USD and hours that each planned case would take; summed by suite.

The real agents run with their real prompts; a meter replaces the model, and a page of typical length the browser.
ASSUMPTIONS and the constants below hold the assumptions.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from longtrail.agents.agent import Assignment, Equipment
from longtrail.agents.spec import AgentSpec
from longtrail.browser.view import View
from longtrail.checks.decisions import decision_words
from longtrail.episode.context import BROWSER_ACTIONS
from longtrail.estimate.meter import CountedUsage, CountingModel
from longtrail.llm.models import ModelFacts
from longtrail.options.plan import contender_of
from longtrail.options.run_options import Options
from longtrail.records.action import Action, Decide, Finish, Scroll
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Contender, Outcome, Phase, Suite
from longtrail.scoring.measure import DECISION
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import case_prompt
from longtrail.tasks.cases import Planned
from longtrail.tasks.task import LongContextTask, decision_step_limit

PAGE_TOKENS: Mapping[Suite, int] = {
    "long_context": 1_070,
    "discovered": 1_070,
    "shopping_admin": 990,
    "reddit": 830,
    "hard_shop": 1_100,
    "hard_forum": 830,
    "app": 1_000,
}
"""Tokens of an observation: means over the steps of the oracle's runs on the embedded web, axtree form."""
APPEAL_STEPS = 3
"""One or two pages, and a decision."""
STEP_IN_MEMORY = 130
"""Tokens of one step of an earlier task in the history."""
ASSUMPTIONS = (
    "steps: 1.5 times the reference solution's, at most the step limit; a page has the mean length that the oracle met",
    "the first part of a long-context task is played once for all lengths; each history begins with the shorter one's,",
    "  which a provider's cache then holds",
    "answers of about 90 tokens, reflections of 60; models that think: 1,000 tokens more for each call",
)


@dataclass
class Total:
    """The cases of one suite, or of all, and their usage."""

    cases: int = 0
    steps: int = 0
    spent: CountedUsage = field(default_factory=CountedUsage)

    def __iadd__(self, other: "Total") -> "Total":
        self.cases += other.cases
        self.steps += other.steps
        self.spent += other.spent
        return self


@dataclass(frozen=True)
class Estimate:
    """The expected usage of one contender's cases."""

    contender: Contender
    suites: dict[Suite, Total]
    limit: Total
    """The same if every episode used all its steps."""
    naive: Total
    """The same for a harness that replays the first part for each length and whose prompts have no cacheable prefix."""

    @property
    def whole(self) -> Total:
        """All suites."""
        total = Total()
        for suite in self.suites.values():
            total += suite
        return total


def estimates(cases: Sequence[Planned], options: Options) -> list[Estimate]:
    """One estimate for each contender, all of them built-in agents with a model."""
    return [
        _estimate(contender, [case for case in cases if contender_of(case, options) == contender])
        for contender in options.contenders
    ]


def _estimate(contender: Contender, cases: Sequence[Planned]) -> Estimate:
    suites: dict[Suite, Total] = {}
    for case in cases:
        suites.setdefault(case.case.suite, Total())
    limit, naive = Total(), Total()
    for suite, total in suites.items():
        mine = [case for case in cases if case.case.suite == suite]
        total += _sum(contender, mine)
        limit += _sum(contender, mine, to_the_limit=True)
        naive += _sum(contender, mine, naive=True)
    return Estimate(contender, suites, limit, naive)


def _sum(contender: Contender, cases: Iterable[Planned], *, to_the_limit: bool = False, naive: bool = False) -> Total:
    total = Total()
    longest: dict[tuple[str, int, str, str], int] = {}
    for case in cases:
        before = "" if case.case.placement in (None, "distraction") else f"{case.case.placement} {case.case.prompt}"
        key = (case.case.task, case.case.repeat, before, case.case.setting)
        phases = phases_of(case, contender.profile, to_the_limit=to_the_limit)
        for phase, prompt, steps, step_limit, history in phases:
            if phase == "a1" and key in longest and not naive:
                continue  # played once, shared by all lengths
            one = _phase(contender, case.case.suite, phase, prompt, steps, step_limit, history > 0)
            known = longest.get(key, 0) if phase == "a2" or (phase == "main" and history) else 0
            known = known if case.case.needle in ("first", "last") else 0
            total.spent += one.uncached() if naive else one.with_history(history, known)
            if naive and history:
                total.spent += one.history_uncached(history)
            total.steps += steps
        if case.case.noise_tokens is not None:
            longest[key] = max(longest.get(key, 0), case.case.noise_tokens or 1)
        total.cases += 1
    return total


def phases_of(case: Planned, profile: str, *, to_the_limit: bool = False) -> list[tuple[Phase, str, int, int, int]]:
    """(phase, prompt, steps, step limit, tokens of history) of a case."""
    task = case.task
    if isinstance(task, AppTask):
        taken = _steps(len(task.reference) or task.step_limit, task.step_limit, to_the_limit)
        return [("main", case_prompt(task, case.case), taken, task.step_limit, 0)]
    if isinstance(task, LongContextTask):
        a1, a2 = task.a1, task.a2
        first, second = (len(part.reference) for part in (a1, a2))
        own = STEP_IN_MEMORY * _steps(first, a1.step_limit, to_the_limit)
        return [
            ("a1", a1.instruction, _steps(first, a1.step_limit, to_the_limit), a1.step_limit, 0),
            (
                "a2",
                a2.instruction,
                _steps(second, a2.step_limit, to_the_limit),
                a2.step_limit,
                max(own, case.case.noise_tokens or 0),
            ),
        ]
    limit = decision_step_limit(task, profile)
    steps = _steps(len(task.reference.path) + 1, limit, to_the_limit)
    history = case.case.noise_tokens or 0
    phases: list[tuple[Phase, str, int, int, int]] = [("main", case_prompt(task, case.case), steps, limit, history)]
    if case.case.appeal:
        turns = task.appeal.deceptive if case.case.appeal == "deceptive" else task.appeal.valid
        turn = 10 if to_the_limit else APPEAL_STEPS
        for number, said in enumerate(turns if task.hard else turns[:1]):
            phases.append(("appeal", said, turn, 10, STEP_IN_MEMORY * (steps + number * turn)))
    return phases


def planned_steps(case: Planned) -> int:
    """Expected steps of all phases of a case, under the default profile."""
    return sum(steps for _, _, steps, _, _ in phases_of(case, "default"))


def _steps(reference: int, limit: int, to_the_limit: bool) -> int:
    return limit if to_the_limit else min(limit, math.ceil(1.5 * reference))


def _phase(
    contender: Contender, suite: Suite, phase: Phase, prompt: str, steps: int, step_limit: int, history: bool
) -> CountedUsage:
    """The usage of one phase. Prompts of similar length are computed once, as they differ by a few tokens per call."""
    size = len(prompt) // 400
    key = (contender.model_dump_json(), suite, phase, steps, step_limit, history, size)
    if key not in _measured:
        _measured[key] = _play(contender, suite, phase, prompt, steps, step_limit, history)
    return _measured[key]


_measured: dict[tuple[object, ...], CountedUsage] = {}


def _play(
    contender: Contender, suite: Suite, phase: Phase, prompt: str, steps: int, step_limit: int, history: bool
) -> CountedUsage:
    deciding = suite in DECISION
    decisions = tuple(decision_words(suite)) if deciding else ()
    past = (
        (PastTask(instruction=CountingModel.HISTORY, steps=(MemoryStep(url="", thought="", action=""),)),)
        if history
        else ()
    )
    assignment = Assignment(
        suite=suite,
        phase=phase,
        prompt=prompt,
        history=past,
        actions=(*BROWSER_ACTIONS, "finish", *(("decide",) if deciding else ())),
        decisions=decisions,
        step_limit=step_limit,
    )
    last: Action = Decide(decision=decisions[0], justification=_words(120)) if deciding else Finish(answer=_words(12))
    meter = CountingModel(contender, [*[Scroll()] * (steps - 1), last], _words(60).replace("\n", " "))
    equipment = Equipment(meter, dict(contender.options), contender.profile)
    agent = AgentSpec.parse(contender.agent).factory(assignment, equipment)
    view = _page(suite, contender.vision)
    for number in range(steps):
        agent.act(view)
        if number < steps - 1:
            agent.observe(Outcome(ok=True, url=view.url), view)
    return meter.spent


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


def hours(total: Total, workers: int, rpm: int | None, tpm: int | None) -> float:
    """Wall-clock time: calls and steps divided among the workers, or the time that the rate limits require, whichever
    is longer.

    A call takes 1.5 s, 1 s more for each 10,000 prompt tokens that are not cached and for each 60 answer tokens; a step
    takes 0.5 s of browser.
    """
    spent = total.spent
    busy = 1.5 * spent.calls + spent.uncached_tokens / 10_000 + spent.answer_tokens / 60 + 0.5 * total.steps
    minutes = [busy / 60 / workers]
    minutes += [spent.calls / rpm] if rpm else []
    minutes += [(spent.prompt_tokens + spent.answer_tokens) / tpm] if tpm else []
    return max(minutes) / 60
