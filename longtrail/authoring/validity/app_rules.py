"""Rules on each task on a user's own app: its texts don't reveal the solution, and its reference is complete."""

from collections.abc import Callable, Iterator

from longtrail.authoring.validity.finding import ValidityFinding
from longtrail.checks.app_steps import ReadingStep, RequestStep, SqlStep
from longtrail.clock import NOW
from longtrail.tasks.app_task import AppTask
from longtrail.text.matcher import find

AppRule = Callable[[AppTask], Iterator[ValidityFinding]]


def instruction_is_silent(task: AppTask) -> Iterator[ValidityFinding]:
    """The instruction states no fact that the agent has to find."""
    for number, fact in enumerate(task.facts):
        if find((*fact.shown, *fact.said), task.instruction, NOW):
            yield ValidityFinding(f"facts.{number}", f"the instruction tells {fact.id}", (task.id,))


def reference_is_complete(task: AppTask) -> Iterator[ValidityFinding]:
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


APP_RULES: dict[str, AppRule] = {
    rule.__name__: rule
    for rule in (instruction_is_silent, reference_is_complete, changes_are_taken_back, queries_have_a_database)
}
