"""Baselines that open pages without understanding them: records linked near the start, and their notes first. What
they quote differs; their scores show what quoting and copying earn."""

import re
from abc import abstractmethod
from collections import deque
from functools import cache

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.guessers import Baseline
from longtrail.agents.oracle import Oracle, ReferenceScript, script
from longtrail.browser.view import View
from longtrail.records import axtree_text as axtree
from longtrail.records.action import (
    MAX_JUSTIFICATION,
    MAX_PIECES,
    MAX_QUOTE,
    Action,
    Back,
    Click,
    Decide,
    Evidence,
    Finish,
)
from longtrail.records.trajectory import Phase
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask, LongContextTask

_NOTES = re.compile(
    r"comments history|view shipment|view credit memo|customer|submissions|comments|moderation log|permalink|rules"
    r"|guide"
    r"|shipments|credit memos|orders|reviews|notes|view 0+\d",
    re.IGNORECASE,
)
"""Names of links that lead to notes about a case."""
_AWAY = {"Back", "Reset", "Home"}
"""Links that lead out of a record."""
_DEEPEST = 3
"""Maximum number of links from the start page."""
_FEWEST_WORDS = 5
"""Minimum number of words of a random passage."""


class Walker(Baseline):
    """Opens pages until its steps are used up, then decides; in tasks without a decision it finishes at once. It learns
    the site's menu from the first two pages, then follows every other link once, depth first."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        super().__init__(assignment, equipment)
        self.pages: dict[str, list[str]] = {}
        """Address -> the texts of the page's lines, each once."""
        self._followed: set[str] = set()
        self._start: set[str] | None = None
        self._menu: set[str] | None = None
        self._depth = self._step = 0

    def act(self, view: View) -> Action:
        """Open another page, or end."""
        self._step += 1
        action = self._onward(view)
        if not self.assignment.decisions:
            return Finish()
        return action if self._step < self.assignment.step_limit else self.decide()

    def _onward(self, view: View) -> Action:
        """Record the page and choose the next one."""
        lines = self.pages.setdefault(view.url, [])
        texts = (axtree.words(line) for line in view.text.splitlines())
        lines += dict.fromkeys(text for text in texts if text and text not in lines)
        links = [element for element in axtree.elements(view.text) if element.role in ("link", "tab") and element.name]
        names = {link.name for link in links}
        if self._start is None:
            self._start = names
            return Click(id=links[0].id) if links else Back()
        if self._menu is None:
            self._menu = self._start & names
            return Back()
        visited = self._menu | self._followed | _AWAY
        fresh = [link for link in links if link.name not in visited]
        if not fresh or self._depth >= _DEEPEST:
            self._depth = max(0, self._depth - 1)
            return Back()
        chosen = next((link for link in fresh if _NOTES.search(link.name)), fresh[0])
        self._followed.add(chosen.name)
        self._depth += 1
        return Click(id=chosen.id)

    @abstractmethod
    def decide(self) -> Decide:
        """The decision, from what was read."""

    def random_passages(self, shows: str = "") -> tuple[Evidence, ...]:
        """As many random passages of at least five words as count."""
        passages = [
            Evidence(source=url, quote=line[:MAX_QUOTE], shows=shows)
            for url, lines in self.pages.items()
            for line in lines
            if len(line.split()) >= _FEWEST_WORDS
        ]
        return tuple(self.random.sample(passages, min(MAX_PIECES, len(passages))))


class Quoter(Walker):
    """quoter: quotes twelve random passages as evidence, and decides by the request's wording. Its score shows what
    quoting without understanding earns."""

    def decide(self) -> Decide:
        evidence = self.random_passages("This bears the decision out.")
        return Decide(decision=self.guess(), justification="The pages quoted bear it out.", evidence=evidence)


class PackedNotes(Walker):
    """packed_notes: packs all that the pages read last say into twelve long quotations, longest lines first, and
    decides by the request's wording. Its score shows what quoting everything earns."""

    def decide(self) -> Decide:
        pieces: list[Evidence] = []
        for url, lines in reversed(self.pages.items()):
            quote = ""
            for line in sorted(lines, key=len, reverse=True):
                if quote and len(quote) + len(line) >= MAX_QUOTE:
                    pieces.append(Evidence(source=url, quote=quote))
                    quote = ""
                quote = f"{quote} {line}".strip()[:MAX_QUOTE]
            pieces.append(Evidence(source=url, quote=quote))
        evidence = tuple(pieces[:MAX_PIECES])
        return Decide(decision=self.guess(), justification="All that the pages say bears it out.", evidence=evidence)


class Paster(Walker):
    """paster: pastes the pages' text disguised (an invisible character in every fourth word) and always gives the same
    decision (option `decision`, default: ESCALATE, or the first). Its score shows what copying everything earns."""

    usual = "ESCALATE"

    def decide(self) -> Decide:
        pages = self.pages.items()
        stories = sorted(((len(line), line, url) for url, lines in pages for line in lines), reverse=True)
        return Decide(
            decision=self.decision,
            justification=disguised("\n".join(line for _, line, _ in stories))[: 2 * MAX_JUSTIFICATION],
            evidence=tuple(
                Evidence(source=url, quote=disguised(line)[:MAX_QUOTE]) for _, line, url in stories[:MAX_PIECES]
            ),
        )


_INVISIBLE = "\u200b"


def disguised(text: str) -> str:
    """The text with an invisible character in every fourth word of each line."""
    return "\n".join(
        " ".join(
            f"{word[:1]}{_INVISIBLE}{word[1:]}" if number % 4 == 0 else word for number, word in enumerate(line.split())
        )
        for line in text.splitlines()
    )


WORDS = ("the", "of", "and", "to", "a", "in", "for", "on", "is", "with", "at", "by")


class WordList(Walker):
    """word_list: quotes twelve common words as evidence, and always gives the same decision (option `decision`,
    default: the first). Its score shows what evidence without content earns."""

    def decide(self) -> Decide:
        urls = list(self.pages)
        evidence = tuple(Evidence(source=urls[n % len(urls)], quote=word) for n, word in enumerate(WORDS))
        return Decide(decision=self.decision, justification="The pages bear it out.", evidence=evidence)


LONGEST = 20_000
"""Maximum characters of a justification."""


class Visitor(Baseline):
    """visitor: follows each link once, starting from the bottom of a page (navigation is at the top), pastes all pages
    into its answer, and decides by the request's wording. Its score shows what opening every page earns."""

    def __init__(self, assignment: Assignment, equipment: Equipment) -> None:
        super().__init__(assignment, equipment)
        self._step = 0
        self._followed: set[str] = set()
        self._pages: deque[str] = deque(maxlen=30)

    def act(self, view: View) -> Action:
        self._step += 1
        self._pages.append(axtree.words(view.text))
        if self._step >= self.assignment.step_limit:
            return self._end()
        links = [element for element in axtree.elements(view.text) if element.role in ("link", "tab")]
        for link in reversed(links):
            if link.name and link.name not in self._followed:
                self._followed.add(link.name)
                return Click(id=link.id)
        return Back()

    def _end(self) -> Action:
        if not self.assignment.decisions:
            return Finish()
        return Decide(decision=self.guess(), justification="\n".join(self._pages)[-LONGEST:])


_WORD = re.compile(r"[a-z]{4,}")


@cache
def published() -> tuple[tuple[frozenset[str], str], ...]:
    """The words of each published request, and the right decision."""
    tasks = (task for task in load_tasks().values() if isinstance(task, DecisionTask))
    return tuple((_words(task.trigger), task.truth.optimal) for task in tasks)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def remembered(prompt: str, decisions: tuple[str, ...]) -> str:
    """The decision of the published request that shares most of its words with a prompt."""
    words = _words(prompt)
    answers = [(len(words & request) / len(request), answer) for request, answer in published() if answer in decisions]
    return max(answers)[1] if answers else decisions[0]


def published_route(prompt: str, phase: Phase) -> ReferenceScript:
    """The reference of the published long-context part whose request shares most words with a prompt."""
    words = _words(prompt)
    requests = _published_requests(phase)
    name = max(requests, key=lambda name_known: len(words & requests[name_known]) / len(words | requests[name_known]))
    return script(load_tasks()[name], phase)


@cache
def _published_requests(phase: Phase) -> dict[str, frozenset[str]]:
    """Long-context task -> the words of its published request in this phase."""
    tasks = {name: task for name, task in load_tasks().items() if isinstance(task, LongContextTask)}
    return {name: _words((task.a1 if phase == "a1" else task.a2).instruction) for name, task in tasks.items()}


class Lookup(Walker):
    """lookup: knows the published answer of every decision task by the wording of its request, opens pages in a fixed
    order, and quotes random passages. Its score shows what a memory of the published tasks earns."""

    def decide(self) -> Decide:
        decision = remembered(self.assignment.prompt, self.assignment.decisions)
        return Decide(decision=decision, justification="I know this case.", evidence=self.random_passages())


def make_lookup(assignment: Assignment, equipment: Equipment) -> Agent:
    """lookup, for one phase: in long-context tasks it replays the published reference and reads no history."""
    if assignment.suite in ("long_context", "discovered"):
        return Oracle(published_route(assignment.prompt, assignment.phase))
    return Lookup(assignment, equipment)
