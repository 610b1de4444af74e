"""Secrets: the keys that this process knows, and their removal from texts. No written file may contain one.

A value of the environment is a key if its variable is named like one and the value looks like one: `disabled`, a
number or an address must stay readable in what a run has recorded.
"""

import base64
import logging
import os
import re
from functools import cache
from urllib.parse import quote

from longtrail.llm.models import key_variables

NAMED = re.compile(r"(^|_)(\w*apikey|keys?|tokens?|secrets?|passw\w*|auth|credentials?)($|_)", re.IGNORECASE)
"""Names of environment variables whose values may be secrets."""
_SECRET_ARGUMENT = re.compile(r"key|token|secret|passw|auth|credential|header", re.IGNORECASE)
_TOKEN_COUNT = re.compile(r"^token$|_tokens$|_per_(\w+_)?token(_|$)|_token_cost|_token_budget$|_special_tokens$")
"""Arguments whose value is a number of tokens, seconds between tokens, a price, or yes or no."""
_KEY_PREFIX = re.compile(r"(sk|pk|rk|gsk|gh[opsu]|hf|xox[abp]|AKIA|AIza)[-_A-Z0-9]")
"""How keys of well-known services begin."""
LONG = 12
"""Minimum length of a key of letters and digits only; shorter ones (`sha256v2`) are names."""
SHORTEST = 8
"""Minimum length of a key; removing shorter values would damage texts."""
REMOVED = "[key]"
_NOT_SECRET = frozenset({"AWS_PROFILE", "VERTEXAI_PROJECT", "GOOGLE_CLOUD_PROJECT"})
_registered: set[str] = set()


def keep_secret(*values: str) -> None:
    """Register further secrets (arguments of the command line)."""
    _registered.update(value for value in values if len(value) >= SHORTEST)


def redact(text: str) -> str:
    """The text without secrets, whether plain, in base64 or URL-encoded."""
    for form in _forms(frozenset(_registered | _environment())):
        if form in text:
            text = text.replace(form, REMOVED)
    return text


def looks_like_key(value: str) -> bool:
    """Whether it is random text: not words, a number, a path or an address (unless that has a password in it)."""
    if len(value) < SHORTEST or re.search(r"\s", value):
        return False
    if "://" in value:
        return bool(re.search(r"://[^/@]*:[^/@]+@", value))
    if _KEY_PREFIX.match(value):
        return True
    kinds = [re.search(kind, value) for kind in ("[a-z]", "[A-Z]", "[0-9]", r"[^A-Za-z0-9._/-]")]
    mixed_case = re.search(r"[a-z]{2}[A-Z]{2}|[A-Z]{2}[a-z][A-Z]|[a-z][A-Z][a-z][A-Z]", value)
    if not kinds[2]:
        return len(value) >= LONG and bool(mixed_case)
    letters = kinds[0] or kinds[1]
    return bool(letters) and (len(value) >= LONG or sum(map(bool, kinds)) >= 3) and not os.path.exists(value)


def is_secret(name: str, value: object) -> bool:
    """Whether an argument of the command line with this name must not be shown."""
    counts = _TOKEN_COUNT.search(name) and re.fullmatch(r"[0-9.]+(e-?[0-9]+)?|true|false", str(value), re.IGNORECASE)
    return bool(_SECRET_ARGUMENT.search(name)) and not counts


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
    names = (key_variables() - _NOT_SECRET) | {name for name in os.environ if NAMED.search(name)}
    values = {os.environ.get(name, "") for name in names}
    return {value for value in values if looks_like_key(value)}


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
                end = (offset + len(secret.encode())) // 3 * 4
                forms.add(coded[start:end])
    return tuple(sorted((form for form in forms if len(form) >= SHORTEST), key=len, reverse=True))
