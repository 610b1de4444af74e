"""Page words: the words of a page in an observation, without element ids, roles and markup."""

import html
import re
from functools import lru_cache

from longtrail.records.observation import Observation

_ELEMENT = re.compile(r'\[\d{1,7}\] [a-z][a-z-]*(?= ")|\[\d{1,7}\]|(?<=") level=\d')
"""`[12] link` before a name, ` level=2` after a heading."""
_TAG = re.compile(r"<[^<>]*>")
SPLIT_AT = 700
"""Lines at least this long that end within a sentence are pieces of one paragraph."""


def words_of(observation: Observation) -> str:
    """All text that the agent could read: the title, the page's text, and dialogs; one line per block. Text that the
    site did not serve is left out."""
    title, text = observation.title, observation.text
    if observation.unserved:
        foreign = set(observation.unserved)
        title = "" if title in foreign else title
        text = "\n".join(line for line in text.split("\n") if line not in foreign)
    return "\n".join(part for part in (title, _plain(text, observation.form), observation.note) if part)


@lru_cache(maxsize=256)
def _plain(text: str, form: str) -> str:
    if form == "html":
        return html.unescape(_TAG.sub(" ", text))
    return _rejoined(_ELEMENT.sub("", text) if form == "axtree" else text)


def _rejoined(text: str) -> str:
    """Join pieces of long paragraphs that were cut within a sentence."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and len(lines[-1]) >= SPLIT_AT and lines[-1].rstrip()[-1:] not in ".!?:;\"')":
            lines[-1] = f"{lines[-1].rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
    return "\n".join(lines)
