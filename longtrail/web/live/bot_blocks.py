"""Bot blocks: recognises answers that block robots. They make the episode invalid if the task needs the site."""

import gzip
import re
import zlib
from collections.abc import Mapping
from urllib.parse import urlsplit

SNIFFED = 200_000
"""Number of bytes of a page that are checked."""
STATUSES = {403: "403 Forbidden", 429: "429 Too Many Requests", 451: "451 Unavailable For Legal Reasons"}
_TITLES = re.compile(
    r"just a moment|attention required|access (?:to this page has been )?denied|pardon our interruption|robot check"
    r"|are you (?:a )?(?:human|robot)|human verification|verify(?:ing)? (?:that )?you(?:'re| are)? (?:a )?human"
    r"|security (?:check|verification)|bot (?:detection|verification)|unusual traffic|captcha|request blocked",
    re.IGNORECASE,
)
_TITLE = re.compile(rb"<title[^>]*>(.*?)</title", re.IGNORECASE | re.DOTALL)
_MARKS = {
    b"_cf_chl_opt": "Cloudflare's challenge",
    b"cdn-cgi/challenge-platform/h/": "Cloudflare's challenge",
    b"px-captcha": "PerimeterX's captcha",
    b"captcha-delivery.com": "DataDome's captcha",
    b"_Incapsula_Resource": "Imperva's challenge",
    b"sec-if-cpt-container": "Akamai's challenge",
    b'id="captcha-form"': "a captcha",
    b"/errors/validateCaptcha": "a captcha",
}
"""Texts of challenge pages; long ordinary pages may contain some of them (see SHORT)."""
SHORT = 60_000
"""A page with status 200 and at least this many bytes is no challenge page."""
_PATHS = re.compile(r"^/sorry/|/captcha(?:/|$)|/_incapsula_|/distil_r_captcha|^/blocked(?:/|$|\?)", re.IGNORECASE)


def why_blocked(status: int, url: str, headers: Mapping[str, str], body: bytes) -> str:
    """How a main document blocks robots; empty if it is an ordinary page. `body`: as received, perhaps compressed."""
    if headers.get("cf-mitigated") == "challenge":
        return "Cloudflare's challenge"
    if status in STATUSES:
        return STATUSES[status]
    if status == 404:
        return ""
    if _PATHS.search(urlsplit(url).path):
        return "sent on to a captcha"
    page = _plain(body, headers.get("content-encoding", "").lower())
    title = _TITLE.search(page)
    match = _TITLES.search(" ".join(title[1].decode("utf-8", "replace").split())) if title else None
    if len(page) >= SHORT and status == 200:
        return ""
    return f"a page titled {match[0]!r}" if match else next((name for mark, name in _MARKS.items() if mark in page), "")


def _plain(body: bytes, encoding: str) -> bytes:
    """The beginning of a page, decompressed; unchanged if that is impossible."""
    try:
        if encoding == "gzip" or body[:2] == b"\x1f\x8b":
            return zlib.decompressobj(31).decompress(body, SNIFFED)
        if encoding == "deflate":
            return zlib.decompressobj().decompress(body, SNIFFED)
    except (zlib.error, gzip.BadGzipFile):
        pass
    return body[:SNIFFED]
