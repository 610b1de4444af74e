"""Erring agents: three agents with known weaknesses, for pictures and demonstrations of reports that show spread.

    PYTHONPATH=benchmarks pytest --agent erring_agents:steady --agent erring_agents:hasty --agent-arg vision=true

They follow the reference solution as far as their weakness lets them, and decide by the facts that they have read:

    steady     stops early in a few cases
    hasty      stops early in many cases, in fewer if the prompt says where to look; gives in to every appeal
    forgetful  opens every page, but remembers only the last two; remembers only the last task of a history

With `ERRING_AGENTS_HASTE=0.3` in the environment, `hasty` stops early in another 30 % of all cases, the same ones in
every run: a regression that a gate finds.
They know the solutions, so what they score says nothing about agents.
"""

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import cache

from longtrail.agents.agent import Agent, AgentFactory, Assignment, Equipment, Move
from longtrail.agents.guessers import guess
from longtrail.agents.oracle import Notes, Oracle, ReferenceScript, script
from longtrail.browser.view import View
from longtrail.llm.mock.prompt_reading import salient
from longtrail.records.action import Action, Decide, Evidence, Finish
from longtrail.records.trajectory import Outcome
from longtrail.tasks.briefing import guidance_plan_of
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.reference import Locator, ReferenceStep
from longtrail.tasks.task import DecisionTask, LongContextTask, Task

Moves = tuple[ReferenceStep, ...]
STEADY, HASTY, HASTY_GUIDED = 0.15, 0.5, 0.25
"""How often each stops on the way; `hasty` less often where the prompt says where to look."""


class Erring:
    """Follows a path, and takes its decision by those facts that it still remembers."""

    def __init__(self, assignment: Assignment, task: Task, moves: Moves, *, memory: int, yields: bool) -> None:
        self._assignment, self._task, self._memory, self._yields = assignment, task, memory, yields
        self._inner = Oracle(script(task, assignment.phase).model_copy(update={"moves": moves}))
        self._seen: list[View] = []

    def act(self, view: View) -> Action | Move:
        """The next step of the path; at its end a decision."""
        self._seen.append(view)
        move = self._inner.act(view)
        if isinstance(move.action, Decide):
            decided = self._decide(move.action)
            return Move(action=decided, thought=decided.justification)
        if isinstance(move.action, Finish) and not move.action.answer:
            return Move(action=Finish(), thought="That should do.")
        return move

    def observe(self, outcome: Outcome, view: View) -> None:
        """What the path needs to know."""
        self._inner.observe(outcome, view)

    def _decide(self, right: Decide) -> Decide:
        task = self._task
        assert isinstance(task, DecisionTask)
        if self._assignment.phase == "appeal":
            return self._answer_appeal(task, right)
        remembered = self._remembered(task)
        if len(remembered) == len([fact for fact in task.required if not fact.pictured]):
            return right.model_copy(update={"evidence": remembered})
        said = " ".join(piece.shows for piece in remembered)
        return Decide(
            decision=self._guess(task),
            justification=f"{said} Nothing else that I have seen speaks against it.".strip(),
            evidence=remembered,
        )

    def _remembered(self, task: DecisionTask) -> tuple[Evidence, ...]:
        notes = Notes(task.required)
        kept = list(dict.fromkeys(view.url for view in reversed(self._seen)))[: self._memory]
        for view in self._seen:
            if view.url in kept:
                notes.read(view)
        return notes.evidence(())

    def _guess(self, task: DecisionTask) -> str:
        """What the wording suggests; where that happens to be right, the first decision that is not."""
        guessed = guess(task.trigger, self._assignment.decisions)
        wrong = (decision for decision in (guessed, *self._assignment.decisions) if decision != task.truth.optimal)
        return next(wrong)

    def _answer_appeal(self, task: DecisionTask, right: Decide) -> Decide:
        if not self._yields:
            return right
        valid = any(turn.strip() in self._assignment.prompt for turn in task.appeal.valid)
        decision = task.truth.optimal if valid else self._guess(task)
        said = task.reference.justification if valid else "You are right, and I am sorry; I take it back."
        return Decide(decision=decision, justification=said)


@cache
def _tasks() -> dict[str, Task]:
    return load_tasks()


def _task(assignment: Assignment) -> Task:
    """The task whose words are in the prompt."""
    for task in _tasks().values():
        if isinstance(task, LongContextTask):
            words: Sequence[str] = ((task.a2 if assignment.phase == "a2" else task.a1).instruction,)
        elif isinstance(task, DecisionTask):
            words = (task.trigger,) if assignment.phase != "appeal" else (*task.appeal.deceptive, *task.appeal.valid)
        else:
            continue
        if any(" ".join(word.split()) in " ".join(assignment.prompt.split()) for word in words):
            return task
    raise LookupError("the erring agents know the shipped tasks only")


def _chance(assignment: Assignment) -> float:
    """A number in [0, 1) that is always the same for a prompt."""
    digest = hashlib.sha256(f"{assignment.phase} {assignment.prompt}".encode()).digest()
    return int.from_bytes(digest[:4]) / 2**32


def _short(assignment: Assignment, moves: Moves, error: float) -> Moves:
    """The path; with the probability `error` only its beginning, up to where the first page of evidence is opened."""
    if _chance(assignment) >= error:
        return moves
    reads = [place for place, move in enumerate(moves) if place and move.read is not None]
    end = reads[0] if reads else len(moves) * 2 // 3
    return moves[: max(1, end - 1)]


def _steady(task: Task, assignment: Assignment, moves: Moves) -> Moves:  # noqa: ARG001
    return _short(assignment, moves, STEADY)


def _forgetful(task: Task, assignment: Assignment, moves: Moves) -> Moves:
    if assignment.phase != "a2" or not isinstance(task, LongContextTask):
        return moves
    if assignment.history and assignment.history[-1].instruction.strip() == task.a1.instruction.strip():
        return moves
    words = " ".join(salient(task.a2.instruction)[:5])
    some = Locator(role="link", name="*", nth=4)
    return (ReferenceStep(search=words, why="I don't remember where that was."), ReferenceStep(click=some))


def _hasty(task: Task, assignment: Assignment, moves: Moves) -> Moves:
    guided = isinstance(task, DecisionTask) and any(
        " ".join(text.split()) in " ".join(assignment.prompt.split())
        for text in (task.prompts.hint, guidance_plan_of(task))
    )
    more = float(os.environ.get("ERRING_AGENTS_HASTE", "0"))
    return _short(assignment, moves, more + (HASTY_GUIDED if guided else HASTY))


def _maker(path: Callable[[Task, Assignment, Moves], Moves], *, memory: int, yields: bool) -> AgentFactory:
    def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
        task = _task(assignment)
        whole: ReferenceScript = script(task, assignment.phase)
        return Erring(assignment, task, path(task, assignment, whole.moves), memory=memory, yields=yields)

    return make


steady = _maker(_steady, memory=99, yields=False)
forgetful = _maker(_forgetful, memory=2, yields=False)
hasty = _maker(_hasty, memory=99, yields=True)
