"""Rules on each decision task, and on each task on a user's own app: its texts reveal nothing, and its reference is
complete. That the sites' written rules demand a task's decision is checked by `workshop/validity`.
"""

import re
from collections.abc import Callable, Iterator

from longtrail.authoring.validity import CaseRule, ValidityFinding
from longtrail.checks.app_steps import ReadingStep, RequestStep, SqlStep
from longtrail.checks.decisions import decision_table
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.task import DECISION_STEP_LIMIT, DecisionTask
from longtrail.text.matcher import Alternative, find

_VERDICTS = re.compile(
    r"\b(approv|deny\b|denie|denial|escalat|brigad|misinformation|false.alarm)\w*"
    r"|\b(PROVIDE_CONTEXT|REMOVE_ALL|LOCK_THREAD|ADD_CORRECTION|NO_ACTION)",
    re.IGNORECASE,
)
"""Words of decisions and categories, which guidance must not use."""
_ANSWERED = frozenset({"PROVIDE_CONTEXT_AWARE_RESPONSE", "ADD_WARNING_COMMENT"})
"""The decisions that come with a message to somebody."""


def _stated(facts: tuple[Fact, ...], text: str, *, paraphrases: bool = True) -> list[str]:
    """The facts that a text states (`paraphrases`: also in other words than the page's)."""
    return [fact.id for fact in facts if find((*fact.shown, *(fact.said if paraphrases else ())), text, NOW)]


def guidance_is_silent(task: DecisionTask) -> Iterator[ValidityFinding]:
    """The agent's texts contain neither a fact nor a decision."""
    texts = {"trigger": task.trigger, "prompts.hint": task.prompts.hint}
    for field, text in texts.items():
        for fact in _stated(task.investigation_facts, text):
            yield ValidityFinding(field, f"tells the fact {fact}", (task.id,))
        if word := _VERDICTS.search(text):
            yield ValidityFinding(field, f"gives the decision away: {word[0]!r}", (task.id,))


def appeals_are_silent(task: DecisionTask) -> Iterator[ValidityFinding]:
    """An appeal reveals no fact."""
    for kind in ("deceptive", "valid"):
        for turn, text in enumerate(getattr(task.appeal, kind)):
            for fact in _stated(task.investigation_facts, text):
                yield ValidityFinding(f"appeal.{kind}.{turn}", f"tells the fact {fact}", (task.id,))


def reference_is_complete(task: DecisionTask) -> Iterator[ValidityFinding]:
    """The reference states every fact, asserts no distractor, and decides within the step limit."""
    justification, path = task.reference.justification, task.reference.path
    for fact in sorted({fact.id for fact in task.required} - set(_stated(task.required, justification))):
        yield ValidityFinding("reference.justification", f"does not state the fact {fact}", (task.id,))
    for distractor in task.distractors:
        if find(distractor.said, justification, NOW):
            yield ValidityFinding("reference.justification", f"asserts the distractor {distractor.id}", (task.id,))
    if not path[-1].decide:
        yield ValidityFinding("reference.path", "expected `decide` as its last move", (task.id,))
    limit = task.step_limit or DECISION_STEP_LIMIT
    if (steps := sum(move.read is None for move in path)) > limit:
        yield ValidityFinding("reference.path", f"takes {steps} steps; the limit is {limit}", (task.id,))


def distractors_are_harmless(task: DecisionTask) -> Iterator[ValidityFinding]:
    """No distractor states a fact."""
    for number, distractor in enumerate(task.distractors):
        for text in (distractor.says, *map(_plain, distractor.said)):
            for fact in _stated(task.investigation_facts, text, paraphrases=text != distractor.says):
                yield ValidityFinding(f"distractors.{number}", f"{text!r} states the fact {fact}", (task.id,))


def _plain(way: Alternative) -> str:
    return way if isinstance(way, str) else " ".join(way.words)


def response_keeps_its_rule(task: DecisionTask) -> Iterator[ValidityFinding]:
    """If an answer to somebody is required, the reference's says what it must and nothing that it must not."""
    text = task.reference.response
    for fact in sorted({fact.id for fact in task.response.must} - set(_stated(task.response.must, text))):
        yield ValidityFinding("reference.response", f"lacks {fact}", (task.id,))
    for forbidden in task.response.must_not:
        if find(forbidden.said, text, NOW):
            yield ValidityFinding("reference.response", f"says {forbidden.id}, which it must not", (task.id,))
    if bool(task.response.must) != (task.truth.optimal in _ANSWERED):
        yield ValidityFinding("response.must", "expected if, and only if, the decision includes an answer", (task.id,))


def decision_is_known(task: DecisionTask) -> Iterator[ValidityFinding]:
    """Truth, alternatives and harmful decisions are words of the suite, and don't contradict each other."""
    table = decision_table(task.suite)
    for field in ("acceptable", "harmful"):
        for word in getattr(task.truth, field) or ():
            if table.resolve(word) is None:
                yield ValidityFinding(f"truth.{field}", f"{word!r} is no decision of {task.suite}", (task.id,))
    if table.resolve(task.truth.optimal) is None:
        yield ValidityFinding("truth.optimal", f"{task.truth.optimal!r} is no decision of {task.suite}", (task.id,))
    if both := {task.truth.optimal, *(task.truth.acceptable or ())} & {*task.truth.harmful}:
        yield ValidityFinding("truth.harmful", f"{', '.join(sorted(both))} can't be both right and harmful", (task.id,))


CASE_RULES: tuple[CaseRule, ...] = (
    decision_is_known,
    guidance_is_silent,
    appeals_are_silent,
    reference_is_complete,
    distractors_are_harmless,
    response_keeps_its_rule,
)


AppRule = Callable[[AppTask], Iterator[ValidityFinding]]


def instruction_is_silent(task: AppTask) -> Iterator[ValidityFinding]:
    """The instruction states no fact that the agent has to find."""
    for number, fact in enumerate(task.facts):
        if find((*fact.shown, *fact.said), task.instruction, NOW):
            yield ValidityFinding(f"facts.{number}", f"the instruction tells {fact.id}", (task.id,))


def app_reference_is_complete(task: AppTask) -> Iterator[ValidityFinding]:
    """The reference exists, and its answer states every fact."""
    if not task.reference:
        yield ValidityFinding(
            "reference", "is missing: without a reference nothing shows that the task is solvable", (task.id,)
        )
    if task.reference and task.answer and not task.answer.check(task.reference[-1].finish)[0]:
        yield ValidityFinding("reference", "its last step does not `finish` with the right answer", (task.id,))
    words = " ".join([task.justification, *(step.finish or "" for step in task.reference)])
    for fact in task.facts:
        if not find((*fact.shown, *fact.said), words, NOW):
            field = "justification" if task.decision else "reference"
            yield ValidityFinding(field, f"does not state the fact {fact.id}", (task.id,))


def changes_are_taken_back(task: AppTask) -> Iterator[ValidityFinding]:
    """An episode must not find another one's changes: an app that tasks change must be reset."""
    app = task.app
    changed = any(isinstance(key, RequestStep | ReadingStep) for key in task.key_steps)
    if changed and not (app.reset or app.fixture):
        text = "expected a hook: the task changes the app, and the next episode would find it changed"
        yield ValidityFinding("app.reset", text, (task.id,))


def queries_have_a_database(task: AppTask) -> Iterator[ValidityFinding]:
    """A query needs a database."""
    for number, key in enumerate(task.key_steps):
        if isinstance(key, SqlStep) and not task.app.database:
            yield ValidityFinding(f"key_steps.{number}", "a query needs app.database", (task.id,))


APP_RULES: tuple[AppRule, ...] = (
    instruction_is_silent,
    app_reference_is_complete,
    changes_are_taken_back,
    queries_have_a_database,
)
