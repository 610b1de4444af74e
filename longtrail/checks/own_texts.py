"""Own texts: what the agent itself put on pages and in addresses. Pages often repeat it, so it proves nothing."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote_plus, urlsplit

from longtrail.records.action import Goto, entered_texts
from longtrail.records.full_actions import NewTab, Press
from longtrail.records.trajectory import Step


def written_texts(step: Step) -> Iterator[str]:
    """The agent's own input on pages and in addresses: each text, and each value of an address."""
    action = step.action
    texts = [step.outcome.value, *entered_texts(action)]
    if isinstance(action, Goto | NewTab):
        parts = urlsplit(action.url)
        texts += [unquote_plus(part) for part in (parts.fragment, *parts.path.split("/"))]
        texts += [value for _, value in parse_qsl(parts.query)]
    for text in texts:
        yield from text.splitlines()
        yield text


class OwnTexts:
    """All that the agent wrote so far: each text, all texts in a row, and the keys that it pressed one by one."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._keys = ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Texts that pages may repeat."""
        return (*self._texts, " ".join(self._texts), self._keys)

    def add(self, step: Step) -> None:
        """What the agent wrote in a step."""
        for text in written_texts(step):
            if text:
                self._texts += [text, re.sub(r"[-_+./\s]+", " ", text)]  # pages make words of the names in addresses
        if isinstance(step.action, Press) and len(step.action.keys.removeprefix("Shift+")) == 1:
            self._keys += step.action.keys[-1]
        elif isinstance(step.action, Press) and step.action.keys == "Space":
            self._keys += " "
