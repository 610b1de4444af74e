"""How much do kinds of memory keep of a shift whose context is cut? Plays hard shifts and their twins without a model.

    python -m benchmarks.shift_memories [--size 24] [--shifts 2] [--domains shop forum] [--memories none bm25]

The player works like the reference, but uses a record, a memo or an earlier decision only if it was shown since the
context was last cut, or if its memory returns it. It asks its memory with the words of the pages that it has opened for
the ticket at hand. What it does not know it decides as the ticket looks by itself. The memories:

- none: nothing lasts.
- notes: after each ticket it notes the mails that it read, the decision, and the evidence for it (the `note` action).
- bm25: `examples/shift_memory` with all pages; it returns the five lines that fit best.
- whole: all pages.
"""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from examples.shift_memory.agent import PassageMemory
from longtrail.agents import oracle
from longtrail.agents.agent import Agent, Assignment, Equipment, Move
from longtrail.browser.session import Browser
from longtrail.browser.view import View
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import play_once
from longtrail.records.action import Action, Decide, Note
from longtrail.records.case import ShiftMode
from longtrail.records.observation import words_of
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Contender
from longtrail.scoring.score import score
from longtrail.statistics.twin_pairs import with_pairs
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.plans import DOMAINS, load_shifts
from longtrail.tasks.shifts.shift import Shift, ShiftTask, Ticket, twin_of_shift
from longtrail.text.matcher import find
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb

LONGEST_NOTE, A_SENTENCE = 2000, 60
"""Characters of a note; from this length on a line of a mail is one of its sentences."""
REFUSED = {"shop": "DENY", "forum": "REMOVE"}
"""What a ticket without evidence looks like."""


class Memory(Protocol):
    """What lasts when the context is cut."""

    def add(self, url: str, text: str) -> None:
        """A page was shown."""

    def find(self, text: str) -> list[str]:
        """What it returns for the pages of the ticket at hand."""


@dataclass
class Nothing:
    """Keeps nothing; also the notes' memory, since the notebook is part of the assignment."""

    def add(self, url: str, text: str) -> None:
        """Forget it."""

    def find(self, text: str) -> list[str]:  # noqa: ARG002
        """Nothing."""
        return []


@dataclass
class Everything:
    """Keeps all pages."""

    pages: list[str] = field(default_factory=list)

    def add(self, url: str, text: str) -> None:  # noqa: ARG002
        """Keep it."""
        self.pages.append(text)

    def find(self, text: str) -> list[str]:  # noqa: ARG002
        """All pages."""
        return self.pages


MEMORIES: dict[str, Callable[[], Memory]] = {
    "none": Nothing,
    "notes": Nothing,
    "bm25": PassageMemory,
    "whole": Everything,
}


class ForgetfulOracle(oracle.Oracle):
    """The oracle in one session of a shift, with a memory."""

    def __init__(self, script: oracle.ReferenceScript, task: ShiftTask, assignment: Assignment, memory: Memory) -> None:
        super().__init__(script)
        self._task, self._shift, self._memory = task, compose(task), memory
        self._facts = {fact.id: fact for fact in script.facts}
        self._session = list(assignment.notes)
        """What this session knows without asking: the notebook, its own pages and decisions."""
        self._case: list[str] = []
        """What was shown for the ticket at hand."""
        self._mails: list[str] = []
        self._note: str | None = ""
        """None: there is no notebook to write into."""

    def without_notebook(self) -> "ForgetfulOracle":
        """The same, but it notes nothing."""
        self._note = None
        return self

    def act(self, view: View) -> Move:
        """The next move of the reference, or what the memory leaves of it."""
        words = words_of(view.observation)
        if words not in self._case:
            self._case.append(words)
            self._session.append(words)
            self._memory.add(view.url, words)
            if "/inbox/" in view.url:
                self._mails += [line for line in words.splitlines() if len(line) > A_SENTENCE]
        return super().act(view)

    def _plain(self, planned: ReferenceStep) -> Action:
        if not planned.decide:
            return super()._plain(planned)
        if self._note == "":
            decided = self._decided
            decision = self._decide()
            self._decided, self._next = decided, self._next - 1
            quotes = (piece.quote for piece in decision.evidence)
            self._note = "\n".join((_line(decision, self._shift), *quotes, *self._mails))[:LONGEST_NOTE]
            return Note(text=self._note)
        decision = self._decide()
        line = _line(decision, self._shift)
        self._session.append(line)
        self._memory.add("decisions", line)
        self._case.clear()
        self._mails.clear()
        self._note = None if self._note is None else ""
        return decision

    def _decide(self) -> Decide:
        """The reference's decision if everything is known on which it rests."""
        names = self._script.ticket_facts[self._decided]
        decision = super()._decide()
        ticket = self._shift.ticket(decision.ticket)
        assert ticket is not None
        at_first = ticket.first is not None and decision.decision == ticket.first.truth
        known = "\n".join((*self._session, *self._memory.find("\n".join(self._case))))
        missing = [self._facts[name] for name in names if not find(self._facts[name].shown, known, NOW)]
        forgotten = [
            need.ticket
            for need in ticket.needs
            if need.kind == "decided" and not need.facts and not at_first and f"{need.ticket} was decided" not in known
        ]
        if not missing and not forgotten:
            return decision
        evidence = tuple(
            piece for name, piece in zip(names, decision.evidence, strict=False) if self._facts[name] not in missing
        )
        answer = self._without(ticket, missing, at_first=at_first)
        return decision.model_copy(update={"decision": answer, "evidence": evidence})

    def _without(self, ticket: Ticket, missing: Sequence[Fact], *, at_first: bool) -> str:
        """What the ticket looks like without these facts."""
        if ticket.first is not None and not at_first:
            return ticket.first.truth
        if all(fact.pages[0].startswith("inbox:") for fact in missing):
            return str(ticket.policy["alone"][0])
        return REFUSED[self._task.domain]


def _line(decision: Decide, shift: Shift) -> str:
    ticket = shift.ticket(decision.ticket)
    return f"{decision.ticket} was decided: {decision.decision}. {ticket.text if ticket else ''}"


def play(task: ShiftTask, name: str, condition: ShiftMode, web: SealedWeb, browser: Browser) -> Result:
    """A shift, played with a kind of memory."""
    memory = MEMORIES[name]()

    def make(assignment: Assignment, equipment: Equipment) -> Agent:
        script = equipment.options["reference"]
        assert isinstance(script, oracle.ReferenceScript)
        agent = ForgetfulOracle(script, task, assignment, memory)
        return agent if name == "notes" else agent.without_notebook()

    case = Case(
        id=f"{task.id}-{name}", suite=task.suite, task=task.id, shift=condition, twin=bool(task.twin), partner=task.twin
    )
    return score(task, play_once(case, task, EpisodeContext(web, browser, Contender(agent="oracle"), make)))


MEASURES = ("tickets_proven", "independent_proven", "dependent_proven", "memory_effect")


def main() -> None:
    """Plays and prints one row for each domain and memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=24)
    parser.add_argument("--shifts", type=int, default=2, help="shifts of each domain, each with its twin")
    parser.add_argument("--domains", nargs="+", choices=DOMAINS, default=DOMAINS)
    parser.add_argument("--memories", nargs="+", choices=MEMORIES, default=[*MEMORIES])
    args = parser.parse_args()
    print(f"{'domain':8}{'memory':8}" + "".join(f"{name:>20}" for name in MEASURES), flush=True)
    with SealedWeb(all_sites()) as web, Browser() as browser:
        for domain in args.domains:
            hard = [t for t in load_shifts().values() if t.hard and t.domain == domain and t.size == args.size]
            tasks = [each for task in hard[: args.shifts] for each in (task, twin_of_shift(task))]
            for name in args.memories:
                results = with_pairs([play(task, name, "sessions", web, browser) for task in tasks])
                cells = (_mean(results, measure) for measure in MEASURES)
                print(f"{domain:8}{name:8}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def _mean(results: Sequence[Result], measure: str) -> str:
    values = [value for result in results if (value := result.number(measure)) is not None]
    return f"{100 * sum(values) / len(values):.0f} %" if values else "-"


if __name__ == "__main__":
    main()
