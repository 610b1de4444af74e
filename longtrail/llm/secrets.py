"""Secrets: the keys that this process knows, and their removal from texts. No written file may contain one."""

import base64
import logging
import os
import re
from functools import cache
from urllib.parse import quote

from longtrail.llm.models import KEYS

NAMED = re.compile(r"(^|_)(\w*apikey|keys?|tokens?|secrets?|passw\w*|auth|credentials?)($|_)", re.IGNORECASE)
"""Names of environment variables whose values are secrets."""
SHORTEST = 8
"""Minimum length of a key; removing shorter values would damage texts."""
REMOVED = "[key]"
_PLACES = frozenset({"AWS_PROFILE", "VERTEXAI_PROJECT", "GOOGLE_CLOUD_PROJECT"})
_told: set[str] = set()


def keep_secret(*values: str) -> None:
    """Register further secrets (arguments of the command line)."""
    _told.update(value for value in values if len(value) >= SHORTEST)


def redact(text: str) -> str:
    """The text without secrets, whether plain, in base64 or URL-encoded."""
    for form in _forms(frozenset(_told | _environment())):
        if form in text:
            text = text.replace(form, REMOVED)
    return text


class SecretFilter(logging.Filter):
    """A filter for log handlers: passes every record, without keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Redact the message and its traceback."""
        record.msg, record.args = redact(record.getMessage()), None
        if record.exc_info:
            text = record.exc_text or logging.Formatter().formatException(record.exc_info)
            record.exc_info, record.exc_text = None, redact(text)
        return True


def _environment() -> set[str]:
    names = {name for own in KEYS.values() for name in own} - _PLACES
    names |= {name for name in os.environ if NAMED.search(name)}
    values = {os.environ.get(name, "") for name in names}
    return {value for value in values if len(value) >= SHORTEST and not os.path.exists(value)}


@cache
def _forms(secrets: frozenset[str]) -> tuple[str, ...]:
    """Every encoding of these secrets, longest first. In base64 a text has three forms, one per offset."""
    forms: set[str] = set()
    for secret in secrets:
        forms |= {secret, quote(secret, safe=""), quote(secret)}
        forms |= {secret.replace("\\", "\\\\").replace('"', '\\"')}
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            for offset in range(3):
                coded = encode(b"\0" * offset + secret.encode()).decode().rstrip("=")
                start = (0, 2, 3)[offset]
                whole = (offset + len(secret.encode())) // 3 * 4
                forms.add(coded[start:whole])
    return tuple(sorted((form for form in forms if len(form) >= SHORTEST), key=len, reverse=True))
