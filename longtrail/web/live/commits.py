"""Commits: which requests would have real-world effects, and are therefore not sent on the live web.

The rules, in order (docs/live.md gives their reasons):

1. GET, HEAD and OPTIONS are sent, unless their path orders something at once (`/buy-now`). GraphQL queries of scripts
   are sent.
2. A write (any other method) is held if a word in its path or in the name of its operation (GraphQL; `action=`,
   `method=` and the like) means a commit. Words for things instead of actions (`orders`, `reservation`) count only if
   no word next to them means a look-up.
3. A write is held if it fills in a field for a secret, a payment, a person or a message.
4. Any other write is held unless a word shows a harmless purpose: searching, filtering, consent, language, place, the
   visitor's own cart and lists; of scripts also telemetry and a site's checks for robots.

In doubt, a request is held: to hold a request wrongly costs one page, to send it wrongly may order something.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from longtrail.yaml_file import read

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_LISTS = read(dict[str, str], Path(__file__).with_name("words.yaml"))
DEEDS, THINGS, LOOKING, TELEMETRY = (
    frozenset(_LISTS[name].split()) for name in ("deeds", "things", "looking", "telemetry")
)
ROOTS = tuple(_LISTS["roots"].split())
HARMLESS = LOOKING | frozenset(_LISTS["own"].split())
AT_ONCE = re.compile(
    r"buy.?(?:it.?)?now|(?:one|1).?click|instant.?buy|(?:order|pay|book|subscribe).?now|(?:place|confirm|submit).?order"
    r"|confirm.?(?:booking|purchase|payment|reservation)|cancel.?(?:order|booking|subscription)|unsubscribe"
    r"|delete.?account",
    re.IGNORECASE,
)
"""Paths that do something even if they are only opened."""
SECRET_FIELDS = re.compile(
    r"passw|passwd|card.?num|cardholder|cvv|cvc|\biban\b|ssn|security.?code|e-?mail|phone|^tel$|first.?name|last.?name"
    r"|full.?name|street|address.?line",
    re.IGNORECASE,
)
"""Names of fields that are filled in only for a commit."""
TEXT_FIELDS = re.compile(r"message|comment|review|feedback|^body$", re.IGNORECASE)
"""The same, if filled in with more than one word."""
OPERATION_FIELDS = frozenset({"action", "cmd", "command", "op", "operation", "operationname", "do", "method", "task"})
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_GRAPHQL = re.compile(r"^(?:\s|#.*\n)*(?P<kind>query\b|mutation\b|subscription\b|\{)(?P<rest>.{0,200})", re.DOTALL)
_SWITCHES = frozenset({"", "true", "false", "0", "1"})


def why_held(method: str, url: str, headers: Mapping[str, str], body: bytes) -> str:
    """Why this request is not sent, in one line; empty if it is sent. `headers`: by lower-case name."""
    method = (headers.get("x-http-method-override") or method).upper()
    parts = urlsplit(url)
    if method in SAFE:
        at_once = AT_ONCE.search(unquote(parts.path))
        return f"{method} that commits: {at_once[0]!r} in its address" if at_once and method == "GET" else ""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    form = headers.get("sec-fetch-mode") == "navigate"
    fields = _fields(kind, body)
    graphql = [match for name, value in fields if name == "query" and "{" in value and (match := _GRAPHQL.match(value))]
    mutations = [match["rest"] for match in graphql if match["kind"] in ("mutation", "subscription")]
    if graphql and not mutations and method == "POST" and not form:
        return ""
    operations = [value for name, value in (*parse_qsl(parts.query), *fields) if name.lower() in OPERATION_FIELDS]
    words = _words(" ".join([unquote(parts.path), *operations, *mutations]))
    if word := _committing(words):
        return f"{method} that commits: {word!r} in its address or operation"
    if field := next((name for name, value in fields if _meant(name, value)), ""):
        return f"{method} that commits: field {field[:40]!r} is filled in"
    harmless = HARMLESS if form else HARMLESS | TELEMETRY
    if harmless & {*words, *_words((parts.hostname or "").partition(".")[0])}:
        return ""
    return f"{method} of a {'form' if form else 'script'} whose purpose can't be told from its address"


def _words(text: str) -> list[str]:
    """`placeOrder/add_to-cart` -> place, order, add, to, cart."""
    return [word.lower() for word in _WORDS.findall(text)]


def _committing(words: list[str]) -> str:
    """The word that means a commit; empty if there is none."""
    deed = next((word for word in words if word in DEEDS or any(root in word for root in ROOTS)), "")
    looking = not LOOKING.isdisjoint(words)
    return deed or ("" if looking else next((word for word in words if word in THINGS), ""))


def _meant(name: str, value: str) -> bool:
    """Whether a filled field means a commit. Switches (`includeReviews: true`) don't."""
    if value.strip().lower() in _SWITCHES:
        return False
    return bool(SECRET_FIELDS.search(name) or (TEXT_FIELDS.search(name) and " " in value.strip()))


def _fields(kind: str, body: bytes) -> list[tuple[str, str]]:
    """Names and values of the sent data, as far as readable; for JSON only of the first levels."""
    text = body.decode("utf-8", "replace")
    if kind == "application/x-www-form-urlencoded":
        return parse_qsl(text, keep_blank_values=True)
    if kind == "application/graphql":
        return [("query", text)]
    if kind == "multipart/form-data":
        return [(name, "given in parts") for name in re.findall(r'name="([^"\r\n]*)"', text)]
    if kind.endswith("json") or text[:1] in ("{", "["):
        try:
            return list(_flat(json.loads(text)))
        except (ValueError, RecursionError):
            return []
    return []


def _flat(data: Any, name: str = "", depth: int = 0) -> Iterable[tuple[str, str]]:
    if isinstance(data, dict) and depth < 6:
        for key, value in data.items():
            yield from _flat(value, str(key), depth + 1)
    elif isinstance(data, list) and depth < 6:
        for value in data[:50]:
            yield from _flat(value, name, depth + 1)
    elif data is not None and not isinstance(data, dict | list):
        yield name, str(data)
