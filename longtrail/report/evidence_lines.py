"""Evidence lines: which delivered lines of a page state a required fact."""

from longtrail.clock import NOW
from longtrail.records.observation import Observation
from longtrail.scoring.decision_view import DecisionView
from longtrail.text.matcher import matches
from longtrail.text.page_words import words_of


def telling_lines(view: DecisionView) -> dict[int, frozenset[str]]:
    """Number of a step in the episode -> lines of its observation. A fact that spans several lines marks none."""
    found: dict[int, frozenset[str]] = {}
    for place, (step, page) in enumerate(zip((*view.noted, *view.steps), view.known_pages, strict=True), 1):
        here = [
            fact
            for fact in view.task.sought
            if not fact.pictured and page.keys & {key.casefold() for key in fact.pages}
        ]
        ways = [way for fact in here for way in fact.shown if matches(way, page.text, NOW)]
        if ways:
            lines = {line: _words(step.observation, line) for line in step.observation.text.split("\n") if line.strip()}
            found[place] = frozenset(
                line for line, words in lines.items() if any(matches(way, words, NOW) for way in ways)
            )
    return found


def _words(observation: Observation, line: str) -> str:
    return words_of(observation.model_copy(update={"text": line, "title": "", "note": "", "unserved": ()}))
