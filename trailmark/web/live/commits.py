"""Commits: which requests would do something for real, and are therefore not sent on the live web.

The rule, in its order (docs/live.md has it with its reasons):

1. GET, HEAD and OPTIONS are sent.
2. A write (any other method) is held if it says that it commits: by a committing word in its path or in the name of its
   operation (GraphQL; `action=`, `method=` and the like).
3. It is held if it fills in a field of a secret, a payment, a person or a message.
4. A form, and of scripts PUT, PATCH, DELETE, uploads and GraphQL mutations, is held unless some word tells a harmless
   purpose: searching, filtering, consent, language, place, or the visitor's own cart and lists.
5. Other writes of scripts are sent: searches, availability, telemetry, a site's checks for robots.

What can't be told is held, where a person would have pressed a button; held too often costs a run one page, sent once
too often orders something.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_COMMITTING = """
order orders checkout purchase buy pay payment payments place book booking bookings reserve reservation reservations
subscribe subscription subscriptions unsubscribe signup register registration join login signin logon logout auth oauth
password account accounts message messages send contact feedback inquiry enquiry comment comments review reviews reply
replies publish submit apply application applications vote like follow share invite donate donation bid bids offer
offers enroll rsvp cancel newsletter upload transfer confirm complete finalize finalise delete post posts tweet report
refund return returns redeem renew upgrade import
"""
COMMITTING = frozenset(_COMMITTING.split())
"""Words of paths and operations. One of them decides, whatever stands beside it."""
ROOTS = ("checkout", "purchas", "subscri", "signup", "register", "placeorder", "newsletter", "createaccount", "payment")
"""Found within words, too: `expresscheckout`, `emailsubscribe`."""
_HARMLESS = """
search find query lookup filter filters facet facets sort results result list listing browse suggest suggestion
suggestions autocomplete typeahead cart carts bag basket trolley wishlist wishlists favorite favorites favourite
favourites saved compare consent cookie cookies gdpr ccpa privacy preference preferences locale language currency
country region zip zipcode postal postcode location locations locator store stores geo availability quote calendar
schedule schedules fare fares trip trips planner map maps session challenge
"""
HARMLESS = frozenset(_HARMLESS.split())
"""Words of forms that look for something, say how pages are to be shown, or fill what only this visitor sees."""
SECRET_FIELDS = re.compile(
    r"passw|passwd|card.?num|cardholder|cvv|cvc|\biban\b|ssn|security.?code|e-?mail|phone|^tel$|first.?name|last.?name"
    r"|full.?name|street|address.?line|message|comment|review|feedback",
    re.IGNORECASE,
)
"""Names of fields that only somebody fills in who means it."""
OPERATION_FIELDS = frozenset({"action", "cmd", "command", "op", "operation", "operationname", "do", "method", "task"})
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MUTATION = re.compile(r"^\s*(?:#.*\n\s*)*mutation\b(?P<named>.{0,200})", re.IGNORECASE | re.DOTALL)


def why_held(method: str, url: str, headers: Mapping[str, str], body: bytes) -> str:
    """Why this request is not sent, in a line; empty if it is. `headers` by lower-case name."""
    method = (headers.get("x-http-method-override") or method).upper()
    if method in SAFE:
        return ""
    parts = urlsplit(url)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    fields = _fields(kind, body)
    mutations = [found["named"] for name, value in fields if name == "query" and (found := _MUTATION.match(value))]
    operations = [value for name, value in (*parse_qsl(parts.query), *fields) if name.lower() in OPERATION_FIELDS]
    operations += mutations
    said = [*_words(unquote(parts.path)), *(word for operation in operations for word in _words(operation))]
    if word := next((word for word in said if _commits(word)), ""):
        return f"{method} that commits: {word!r} in its address or operation"
    if field := next((name for name, value in fields if value and SECRET_FIELDS.search(name)), ""):
        return f"{method} that commits: field {field[:40]!r} is filled in"
    form = headers.get("sec-fetch-mode") == "navigate"
    strong = method != "POST" or kind == "multipart/form-data" or bool(mutations)
    if not (form or strong):
        return ""
    purpose = {*said, *_words((parts.hostname or "").partition(".")[0])}
    if purpose & HARMLESS:
        return ""
    return f"{method} {'of a form' if form else 'of a script'} whose purpose can't be told from its address"


def _words(text: str) -> list[str]:
    """`placeOrder/add_to-cart` -> place, order, add, to, cart."""
    return [word.lower() for word in _WORDS.findall(text)]


def _commits(word: str) -> bool:
    return word in COMMITTING or any(root in word for root in ROOTS)


def _fields(kind: str, body: bytes) -> list[tuple[str, str]]:
    """Names and values of what is sent, as far as it can be read; at most those of the first levels of a JSON."""
    text = body.decode("utf-8", "replace")
    if kind == "application/x-www-form-urlencoded":
        return parse_qsl(text, keep_blank_values=True)
    if kind == "multipart/form-data":
        return [(name, "given") for name in re.findall(r'name="([^"\r\n]*)"', text)]
    if kind.endswith("json") or (text[:1] in "{[" and text):
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
