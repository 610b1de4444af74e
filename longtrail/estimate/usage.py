"""A stand-in for a model that counts an agent's calls, tokens, and the tokens that a provider's cache would hold."""

from dataclasses import astuple, dataclass
from typing import ClassVar

from longtrail.llm.chat_format import IMAGE_TOKENS
from longtrail.llm.client import Message, Reply
from longtrail.llm.models import facts
from longtrail.llm.tokens import count
from longtrail.records.action import Action
from longtrail.records.trajectory import Contender, Usage

CACHED_FROM, CACHED_BY = 1_024, 128
"""Providers cache prompt prefixes from this length on, in blocks of this size (OpenAI's rule)."""
THINKING = 1_000
"""Reasoning tokens of a thinking model per call, in addition to its answer."""


@dataclass
class CountedUsage:
    """Usage of some cases, or of one phase without the history, whose length depends on the case."""

    cases: int = 0
    steps: int = 0
    calls: int = 0
    uncached_tokens: int = 0
    cached_tokens: int = 0
    answer_tokens: int = 0
    histories: int = 0
    """Calls whose prompt holds the history."""

    @property
    def prompt_tokens(self) -> int:
        """Cached or not."""
        return self.uncached_tokens + self.cached_tokens

    def __add__(self, other: "CountedUsage") -> "CountedUsage":
        return CountedUsage(*(mine + others for mine, others in zip(astuple(self), astuple(other), strict=True)))

    def with_history(self, tokens: int, known: int) -> "CountedUsage":
        """Usage with a history of this many tokens in each prompt that has one, of which the first `known` are cached
        already. After the first call all of it is cached, because it is at the prompt's beginning and never changes."""
        if not self.histories:
            return self
        first = tokens - min(known, tokens) // CACHED_BY * CACHED_BY
        return self + CountedUsage(uncached_tokens=first, cached_tokens=tokens * self.histories - first)


class CountingModel:
    """A model with scripted answers of typical length that counts tokens."""

    HISTORY: ClassVar[str] = "the-history-stands-here"

    def __init__(self, contender: Contender, actions: list[Action], thought: str) -> None:
        self.name, self.vision = contender.model or "", contender.vision
        self.spent = CountedUsage()
        self._actions, self._thought = actions, thought
        self._thinking = THINKING if facts(self.name).thinks else 0
        self._before: list[str] = []

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 0, json: bool = False) -> Reply:  # noqa: ARG002
        """The next action for a plan; a plain text for everything else."""
        text = "\n".join(message.text for message in messages)
        audit = len(messages) > 2  # the audit of an answer: give the same action again
        answer = self._answer(repeat=audit) if json else self._thought
        tokens = count(text, self.name) + IMAGE_TOKENS * sum(len(message.images) for message in messages)
        cached = self._cached(text)
        self.spent.calls += 1
        self.spent.cached_tokens += cached
        self.spent.uncached_tokens += tokens - cached
        self.spent.answer_tokens += count(answer, self.name) + self._thinking
        self.spent.histories += self.HISTORY in text
        self._before = [*self._before[-2:], text]
        return Reply(text=answer, usage=Usage(calls=1), model=self.name)

    def _answer(self, *, repeat: bool) -> str:
        action = self._last if repeat else self._actions.pop(0)
        self._last: Action = action
        return f'{{"thought": "{self._thought}", "action": {action.model_dump_json()}}}'

    def _cached(self, text: str) -> int:
        """Tokens at the beginning that one of the last calls has in common with this one."""
        shared = max((_common_prefix(text, earlier) for earlier in self._before), default=0)
        tokens = count(text[:shared], self.name)
        return tokens // CACHED_BY * CACHED_BY if tokens >= CACHED_FROM or self.HISTORY in text[:shared] else 0


def _common_prefix(text: str, other: str) -> int:
    """Length of the beginning that two texts share."""
    shortest = min(len(text), len(other))
    return next((at for at in range(shortest) if text[at] != other[at]), shortest)
