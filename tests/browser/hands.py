"""Helpers that find an element by its words, and click it."""

import re

from longtrail.browser.session import Session
from longtrail.records.action import Click
from longtrail.records.trajectory import Outcome


def number_of(session: Session, words: str) -> str:
    """The id in the line that holds these words."""
    text = session.observe().text
    found = re.search(rf"\[(\d+)\] [^\[\n]*{re.escape(words)}", text)
    assert found, f"{words!r} is not in\n{text}"
    return found[1]


def click(session: Session, words: str) -> Outcome:
    """Click the element whose line holds these words."""
    return session.act(Click(id=number_of(session, words)))
