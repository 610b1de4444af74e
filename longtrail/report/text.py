"""Makes untrusted text (page titles, model names, answers, errors) safe to show. Templates escape HTML; this module
handles the rest: control and bidirectional characters, terminal sequences, very long names, unsafe link addresses.
"""

import io
import re
from urllib.parse import urlsplit

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
"""Invisible characters that change how others look. Joiners (U+200C, U+200D) belong to letters."""

_TERMINAL_SEQUENCE = re.compile(
    r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # operating system command: titles, links, clipboard
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # device control strings
    r"|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # colours, cursor, screen
    r"|\x1b[ -/]*[0-~]"
)
_HOST = re.compile(r"^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$")


def visible(text: str) -> str:
    """Replace every invisible character by a visible mark: ESC by its control picture, U+202E by its number."""
    return _INVISIBLE.sub(_mark, text.replace("\r\n", "\n"))


def _mark(match: re.Match[str]) -> str:
    code = ord(match.group())
    return chr(0x2400 + code) if code < 0x20 else f"\u27e8U+{code:04X}\u27e9"


def accept_all_characters(out: object) -> None:
    """From now on, characters that an output (such as `sys.stdout`) can't show become `?`. Otherwise they would raise,
    and pytest would print the whole text as one line of escapes."""
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="replace")


def plain(text: str) -> str:
    """One line for a terminal, without sequences, control and bidirectional characters; white space becomes single
    spaces."""
    return " ".join(_INVISIBLE.sub("", _TERMINAL_SEQUENCE.sub("", text.replace("\r", " ").replace("\n", " "))).split())


def no_formula(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula: with an apostrophe before what would begin one."""
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def clip(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis if it was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def web_link(url: str) -> str | None:
    """The address if it may become a link, otherwise None: http(s), a plain host, no user name, no invisible
    characters or spaces."""
    if len(url) > 4_000 or _INVISIBLE.search(url) or re.search(r"[\s\"'<>\\`]", url):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port_is_number = parts.port is None or parts.port > 0
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not port_is_number:
        return None
    return url if _HOST.match(host) else None


def page_link(href: str) -> str | None:
    """A relative address of one of our own pages if it stays below the linking page, otherwise None."""
    parts = href.split("/")
    hostile = ".." in parts or "" in parts or set(href) & set(":\\?#\"'<>& ") or _INVISIBLE.search(href)
    return href if href.endswith(".html") and not hostile else None
