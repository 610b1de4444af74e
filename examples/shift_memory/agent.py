"""A memory for shifts whose context is cut: the webagent, reminded by BM25 of pages that it saw in earlier sessions.

pytest -m "shift_12 and sessions" --agent examples/shift_memory/agent.py:make --model gpt-4.1
"""

import math
import re
from collections import Counter, defaultdict
from dataclasses import replace

from longtrail.api import Agent, Assignment, Equipment, Move, Outcome, Reflection, View, webagent

K1, B = 1.5, 0.75
"""BM25's usual parameters: saturation of a word's count, and the weight of a passage's length."""
PASSAGES = 5
"""How many passages the agent is reminded of in each step."""


class PassageMemory:
    """Lines of pages, found again by their words."""

    def __init__(self) -> None:
        self._lines: dict[str, Counter[str]] = {}
        self._frequency: Counter[str] = Counter()

    def add(self, url: str, text: str) -> None:
        """Remember the lines of a page that are long enough to say something."""
        for line in text.splitlines():
            words = Counter(_words(line))
            if sum(words.values()) > 5 and (entry := f"{line.strip()} ({url})") not in self._lines:
                self._lines[entry] = words
                self._frequency.update(words.keys())

    def find(self, text: str) -> list[str]:
        """The lines that fit a page best, without those that it shows itself."""
        asked = {word for word in _words(text) if word in self._frequency}
        mean = sum(map(Counter.total, self._lines.values())) / max(1, len(self._lines))
        known = {line: words for line, words in self._lines.items() if line.rpartition(" (")[0] not in text}
        scores = {line: self._score(asked, words, mean) for line, words in known.items()}
        return [line for line in sorted(scores, key=lambda line: -scores[line]) if scores[line] > 0][:PASSAGES]

    def _score(self, asked: set[str], words: Counter[str], mean: float) -> float:
        total = 0.0
        for word in asked & words.keys():
            rarity = math.log(1 + (len(self._lines) - self._frequency[word] + 0.5) / (self._frequency[word] + 0.5))
            weight = words[word] + K1 * (1 - B + B * words.total() / mean)
            total += rarity * words[word] * (K1 + 1) / weight
        return total


def _words(text: str) -> list[str]:
    return re.findall(r"\w{3,}", text.lower())


MEMORIES: defaultdict[str, PassageMemory] = defaultdict(PassageMemory)
"""The memory of each episode; it lasts over its sessions."""


class RemindedAgent:
    """The webagent with a note of what it saw before."""

    def __init__(self, agent: Agent, memory: PassageMemory) -> None:
        self._agent, self._memory = agent, memory

    def act(self, view: View) -> Move:
        """Plan with the passages of the memory that fit the page."""
        found = self._memory.find(view.text)
        self._memory.add(view.url, view.text)
        note = "\n".join((view.observation.note, *(f"You saw earlier: {line}" for line in found))).strip()
        move = self._agent.act(replace(view, observation=view.observation.model_copy(update={"note": note})))
        return move if isinstance(move, Move) else Move(action=move)

    def observe(self, outcome: Outcome, view: View) -> Reflection | None:
        """As the webagent does."""
        return self._agent.observe(outcome, view)


def make(assignment: Assignment, equipment: Equipment) -> Agent:
    """The agent for one session of a shift."""
    return RemindedAgent(webagent(assignment, equipment), MEMORIES[assignment.episode])
