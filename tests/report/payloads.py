"""Payloads: what a hostile page, model or task may put into any text that a report shows."""

from collections.abc import Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

PAYLOADS = (
    "<script>window.ran=1;alert(1)</script>",
    '"><img src=x onerror="window.ran=1;alert(2)">',
    "'><svg/onload=alert(3)>",
    "</script><script>window.ran=1</script>",
    "</style><script>window.ran=1</script>",
    "</title></textarea></pre><script>window.ran=1</script>",
    "<!-- ]]> --!><script>window.ran=1</script>",
    '<iframe src="https://evil.test/frame"></iframe><base href="https://evil.test/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.test/refresh">',
    '<link rel="stylesheet" href="https://evil.test/x.css"><form action="https://evil.test/"><button>go</button></form>',
    '" style="background:url(https://evil.test/pixel)" data-x="',
    "red;background-image:url(https://evil.test/css)",
    "javascript:window.ran=1",
    "JaVaScRiPt:alert(4)",
    "\x01javascript:alert(5)",
    "data:text/html,<script>window.ran=1</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "//evil.test/protocol-relative",
    "https://trusted.test@evil.test/",
    'https://evil.test/"onmouseover="window.ran=1',
    "../../../../etc/passwd.html",
    "\u202egpj.exe\u202c \u2066isolated\u2069 \u200binvisible\ufeff",
    "\x1b[31mred\x1b[0m \x1b]8;;https://evil.test\x07link\x1b]8;;\x07 \x9b2J \x1b]0;title\x07",
    '=HYPERLINK("https://evil.test","click")',
    "+1+cmd|'/c calc'!A1",
    "{{ 7 * 7 }}{% for x in y %}${7*7}<%= 7*7 %>",
    "nul \x00 bell \x07 back \x08 form \x0c delete \x7f",
    "line\nbreak\rcarriage\ttab\u2028separator",
    "::set-output name=x::y\n::error::broken",
    "A" * 10_000,
    "مرحبا " * 40 + "שלום",
    "",
)
"""Each fills a field by itself; so does the empty text."""


def filled(record: Any, payload: str) -> Any:
    """The record, and those in it, with the payload as each text, except where the type lists the words."""
    fields = type(record).model_fields
    update = {name: _filled(getattr(record, name), field.annotation, payload) for name, field in fields.items()}
    return record.model_copy(update=update)


def _filled(value: Any, kind: Any, payload: str) -> Any:
    if isinstance(value, BaseModel):
        return filled(value, payload)
    if kind == tuple[str, ...]:
        return (payload,)
    if isinstance(value, tuple):
        return tuple(_filled(each, kind, payload) for each in value)
    if isinstance(value, Mapping):
        return {name: _filled(each, kind, payload) for name, each in value.items()}
    is_text = isinstance(value, str) or (value is None and kind == (str | None))
    return payload if is_text and not _lists_words(kind) else value


def _lists_words(kind: Any) -> bool:
    return get_origin(kind) is Literal or any(map(_lists_words, get_args(kind)))
