"""oracle: replays a task's reference solution through the agent's own observations. It proves every task solvable.

The solution names elements by role and name. The oracle finds them in the text that it is shown, and scrolls if they
are not in view. If it can't find one it says so and finishes: the episode fails with this reason.
"""

import re
from collections.abc import Sequence
from typing import Literal

from longtrail.agents.agent import Agent, Assignment, Equipment, Move
from longtrail.browser.view import View
from longtrail.checks.facts import Fact
from longtrail.checks.page_names import page_key
from longtrail.clock import NOW
from longtrail.errors import UsageError
from longtrail.records import axtree_text as axtree
from longtrail.records.action import MAX_PIECES, MAX_QUOTE, Click, Decide, Evidence, Finish, HandoverLine, Scroll
from longtrail.records.observation import Observation, words_of
from longtrail.records.record import Record
from longtrail.records.trajectory import Outcome, Phase
from longtrail.tasks import reference as solution
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.shifts.shift_site import reference_of
from longtrail.tasks.task import DecisionTask, LongContextTask, Task
from longtrail.text.folding import squeeze
from longtrail.text.matcher import find

MAX_SCROLLS = 15
"""Maximum number of scrolls in search of one thing."""
MANNERS = (
    "Accept all cookies",
    "Reject all",
    "Only necessary cookies",
    "No thanks, continue to the site",
    "Not now",
    "Skip this message",
)
"""Buttons that it presses first, as a person would: they close the overlays of `--disruptions`."""


class ReferenceScript(Record):
    """A reference solution as the oracle plays it (given as `Equipment.options["reference"]`)."""

    moves: tuple[solution.ReferenceStep, ...]
    decision: str = ""
    """Empty if there is nothing to decide."""
    justification: str = ""
    response: str = ""
    evidence: tuple[Evidence, ...] = ()
    """Empty: quote what was read."""
    facts: tuple[Fact, ...] = ()
    """The facts for the decision; each is quoted from the first page on which it was read."""
    tickets: tuple[Decide, ...] = ()
    """Shift: the decisions in their order, without evidence."""
    ticket_facts: tuple[tuple[str, ...], ...] = ()
    """Shift: the ids of the facts for each of these decisions."""
    handover: tuple[HandoverLine, ...] = ()


def script(task: Task, phase: Phase) -> ReferenceScript:
    """What the oracle plays in a phase of a task. In an appeal it keeps its decision."""
    if isinstance(task, AppTask):
        if not task.reference:
            raise UsageError(f"agent oracle: task {task.id} has no reference; name another --agent, or a --model")
        decision = task.decision.optimal if task.decision else ""
        return ReferenceScript(moves=task.reference, decision=decision, justification=task.justification)
    if isinstance(task, LongContextTask):
        return ReferenceScript(moves=(task.a1 if phase == "a1" else task.a2).reference)
    if isinstance(task, ShiftTask):
        return _shift_script(task)
    return ReferenceScript(
        moves=() if phase == "appeal" else task.reference.path,
        decision=task.truth.optimal,
        justification=task.reference.justification,
        response=task.reference.response,
        facts=task.required,
    )


def _shift_script(task: ShiftTask) -> ReferenceScript:
    """The tickets of a shift in the order in which they come in."""
    shift = compose(task)
    played = reference_of(shift)
    return ReferenceScript(
        moves=played.moves,
        facts=tuple(
            {fact.id: fact for ticket in shift.tickets for fact in (*ticket.facts, *ticket.first_facts)}.values()
        ),
        tickets=tuple(
            Decide(decision=each.truth, justification=each.justification, ticket=each.ticket)
            for each in played.decisions
        ),
        ticket_facts=tuple(each.facts for each in played.decisions),
        handover=played.handover,
    )


def from_decision(script: ReferenceScript, number: int) -> ReferenceScript:
    """The rest of a shift's script after so many decisions."""
    after = [at + 1 for at, move in enumerate(script.moves) if move.decide]
    start = after[number - 1] if number else 0
    return script.model_copy(
        update={
            "moves": script.moves[start:],
            "tickets": script.tickets[number:],
            "ticket_facts": script.ticket_facts[number:],
        }
    )


def needs_screenshots(task: Task) -> bool:
    """Whether the reference reads a picture; otherwise it needs no screenshots."""
    return isinstance(task, DecisionTask) and any(move.picture for move in task.reference.path)


class Notes:
    """For each fact, the first passage read, as a piece of evidence."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts
        self._found: dict[str, Evidence] = {}

    def read(self, view: View) -> None:
        """Record the facts that a page shows, if it is one of their pages: others may have the same words."""
        key = (page_key(view.url) or "").casefold()
        for fact in self._facts:
            if fact.id in self._found or fact.pictured or not _is_of(key, fact):
                continue
            if quote := passage(fact, view.observation):
                self._found[fact.id] = Evidence(source=view.url, quote=quote, shows=fact.says)

    def of(self, names: Sequence[str], known: Sequence[Fact]) -> tuple[Evidence, ...]:
        """The passages of these facts. Those that were read in an earlier session are quoted from the reference."""
        facts = {fact.id: fact for fact in known}
        return tuple(self._found.get(name) or _from_reference(facts[name]) for name in names)[:MAX_PIECES]

    def evidence(self, read: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """The facts in order, then everything else that was read and is in none of these quotes."""
        facts = [self._found[fact.id] for fact in self._facts if fact.id in self._found]
        quoted = " ".join(piece.quote for piece in facts)
        further = [piece for piece in read if piece.quote not in quoted]
        return tuple([*facts, *further][:MAX_PIECES])


def _from_reference(fact: Fact) -> Evidence:
    form = fact.shown[0]
    quote = form if isinstance(form, str) else " ".join(form.words)
    return Evidence(source=fact.pages[0], quote=quote, shows=fact.says)


def _is_of(key: str, fact: Fact) -> bool:
    """Whether a page is one of a fact's pages, or has one of them as a tab."""
    pages = [page.casefold() for page in fact.pages]
    return any(page == key or page.startswith(f"{key}/") or key.startswith(f"{page}/") for page in pages)


def passage(fact: Fact, observation: Observation) -> str:
    """The line of a page that states a fact; of a long line, the first part that may be quoted and states it. Empty if
    there is none."""
    line = (find(fact.shown, words_of(observation), NOW) or "").strip()
    starts = (match.start() for match in re.finditer(r"\S+", line))
    parts = [line] if len(line) <= MAX_QUOTE else [line[at : at + MAX_QUOTE].rpartition(" ")[0] for at in starts]
    return next((part for part in parts if find(fact.shown, part, NOW)), line[:MAX_QUOTE])


class Oracle:
    """Plays one script."""

    def __init__(self, script: ReferenceScript) -> None:
        self._script = script
        self._next = 0
        self._quotes: list[Evidence] = []
        self._notes = Notes(script.facts)
        self._url = ""
        self._depth = 0
        """How many windows this page is scrolled down."""
        self._hunt: _Hunt | None = None
        self._failure = ""
        self._decided = 0
        """Shift: how many decisions were given."""

    def act(self, view: View) -> Move:
        if view.url != self._url:
            self._url, self._depth, self._hunt = view.url, 0, None
        self._notes.read(view)
        if closer := _closer(view):
            return Move(action=Click(id=closer), thought="This overlay is in the way.")
        while not self._failure and self._next < len(self._script.moves):
            planned = self._script.moves[self._next]
            if planned.read is not None:
                if not (planned.picture or _delivered(planned.read, view.text)):
                    return self._scroll(view, planned, f"the text {planned.read!r}")
                self._quotes.append(Evidence(source=view.url, quote=planned.read))
                self._advance()
                continue
            return self._play(planned, view)
        return self._close()

    def observe(self, outcome: Outcome, view: View) -> None:
        """A failed reference action ends the play: the reference or the page is wrong."""
        if not outcome.ok and self._hunt is None:
            self._failure = f"step {self._next} of the reference failed at {view.url}: {outcome.error}"

    def _play(self, planned: solution.ReferenceStep, view: View) -> Move:
        element = planned.element
        ids = []
        for locator in filter(None, (element, element and element.onto)):
            found = solution.find(view.text, locator)
            if found is None:
                return self._scroll(view, planned, f'{locator.role} "{locator.name}"' + f" no. {locator.nth}")
            ids.append(found)
        self._advance()
        action = self._decide() if planned.decide else planned.action(*ids)
        if isinstance(action, Scroll) and not action.id:
            self._depth += 1 if action.direction == "down" else -1
        if isinstance(action, Finish):
            action = action.model_copy(update={"handover": self._script.handover})
        return Move(action=action, thought=planned.why)

    def _decide(self) -> Decide:
        script = self._script
        if script.tickets:
            number, self._decided = self._decided, self._decided + 1
            evidence = self._notes.of(script.ticket_facts[number], script.facts)
            return script.tickets[number].model_copy(update={"evidence": evidence})
        return Decide(
            decision=script.decision,
            justification=script.justification,
            evidence=script.evidence or self._notes.evidence(self._quotes),
            response=script.response,
        )

    def _advance(self) -> None:
        self._next += 1
        self._hunt = None

    def _scroll(self, view: View, planned: solution.ReferenceStep, wanted: str) -> Move:
        """Scroll: texts are searched downwards first, elements upwards if the page was scrolled."""
        if self._hunt is None:
            self._hunt = _Hunt("up" if planned.read is None and self._depth > 0 else "down", self._depth > 0)
        direction = self._hunt.onward(view.text)
        if direction is None:
            self._failure = f"{wanted} is not on the page {view.url}"
            return self._close()
        self._depth = max(0, self._depth + (1 if direction == "down" else -1))
        return Move(action=Scroll(direction=direction), thought=f"I look for {wanted}.")

    def _close(self) -> Move:
        if self._failure:
            return Move(action=Finish(), thought=f"The reference solution does not work: {self._failure}.")
        if self._script.decision:
            return Move(action=self._decide(), thought=self._script.justification)
        return Move(action=Finish())


class _Hunt:
    """The search for one thing on a page: to one end, then to the other if parts were not seen on the way."""

    def __init__(self, direction: str, both: bool) -> None:
        self._down = direction == "down"
        self._turns = 1 if both else 0
        self._last: str | None = None
        self._left = MAX_SCROLLS

    def onward(self, text: str) -> Literal["up", "down"] | None:
        """Where to scroll next; None once both ends have been seen."""
        if text == self._last:
            if not self._turns:
                return None
            self._turns -= 1
            self._down = not self._down
        self._last = text
        self._left -= 1
        return None if self._left < 0 else "down" if self._down else "up"


def _closer(view: View) -> str | None:
    """The first visible button that closes a banner or an offer."""
    for name in MANNERS:
        if name in view.text and (button := solution.find(view.text, solution.Locator(role="button", name=name))):
            return button
    return None


def _delivered(wanted: str, text: str) -> bool:
    """Whether the observation contains this text, ignoring line breaks and quotes."""
    return any(squeeze(wanted) in squeeze(seen) for seen in (axtree.words(text), text))


def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
    """The agent for one phase; `reference` in the options is its ReferenceScript."""
    script = equipment.options.get("reference")
    if not isinstance(script, ReferenceScript):
        raise UsageError("agent oracle needs the task's reference solution")
    return Oracle(script)
