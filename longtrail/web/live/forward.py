"""Forwarding: sites outside this process. `LiveSite` stands for all sites of the real web: it blocks requests with
real-world effects, sends the others, and reports bot blocks."""

import gzip
import json
import re
import sqlite3
import ssl
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpcore
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.checks.hosts import registrable_domain
from longtrail.errors import TroubleKind
from longtrail.web.live.commits import why_held
from longtrail.web.live.upstream import ForbiddenAddress, Upstream
from longtrail.web.proxy.exchange import HTML, BrokenUpstream, RefusedRequest
from longtrail.web.proxy.refusal import notice_page, outside_page
from longtrail.web.site import Edition
from longtrail.web.world import World

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

Headers = list[tuple[bytes, bytes]]
HOP_BY_HOP = frozenset(
    b"connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding "
    b"upgrade".split()
)
DROPPED = HOP_BY_HOP | {b"alt-svc"}
"""Headers removed from an answer: those that concern a single connection, and `alt-svc`, which offers another one."""
UNREACHABLE = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError, OSError)
"""Errors of a connection to a site."""
HELD_TITLE = "Your request was recorded"
HELD_TEXT = (
    "This is a test on real sites. Requests that would order, book, register, send or publish something are recorded, "
    "not sent. This one counts as done. Go back to the previous page and continue there."
)


class ForwardedSite(ABC):
    """A site outside this process; it has no local state."""

    hosts: tuple[str, ...] = ()

    def __init__(self, name: str) -> None:
        self.name = name
        self.app: ASGIApp = self._answer

    def build(self, db: sqlite3.Connection, _: Edition) -> None:  # noqa: B027 (there is nothing to build)
        """Does nothing."""

    @abstractmethod
    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""


class LiveSite(ForwardedSite):
    """One site for all hosts; the scope's `server` names the host."""

    def __init__(self, upstream: Upstream, *, hold: bool) -> None:
        super().__init__("live")
        self._upstream, self._hold = upstream, hold

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raises RefusedRequest for an answer of our own, BrokenUpstream if the site's answer
        is cut off."""
        host, world, target = scope["server"][0], scope["world"], target_of(scope)
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        body = (await receive()).get("body", b"")
        url = f"https://{host}{target.decode('latin-1')}"
        if self._hold and (why := why_held(scope["method"], url, headers, body)):
            raise _held(why, headers)
        document = headers.get("sec-fetch-dest") == "document" and headers.get("sec-fetch-mode") == "navigate"
        is_home = document and registrable_domain(host) in world.home_domains

        def check(status: int, head: Headers, beginning: bytes) -> None:
            if is_home:
                _note_block(world, status, url, head, beginning)

        try:
            stream = self._upstream.stream(scope["method"], host, target, onward(scope["headers"], document), body)
            await pass_on(stream, send, document=document, check=check)
        except ForbiddenAddress as error:
            raise RefusedRequest(403, outside_page(url), str(error)) from error
        except UNREACHABLE as error:
            raise unreachable(error, url, world, home=is_home) from error


def target_of(scope: Scope) -> bytes:
    """A request's path and query, as sent."""
    query: bytes = scope["query_string"]
    return bytes(scope["raw_path"]) + (b"?" + query if query else b"")


async def pass_on(
    stream: Any, send: Send, *, document: bool, check: Callable[[int, Headers, bytes], None] | None = None
) -> None:
    """Pass on a site's answer. `check` gets the status, the headers and the beginning of a document before anything is
    sent. Raises BrokenUpstream if the answer is cut off after its beginning, one of UNREACHABLE before."""
    begun = False
    try:
        async with stream as answer:
            head = [(name, value) for name, value in answer.headers if name.lower() not in DROPPED]
            pieces = answer.aiter_stream()
            beginning = b""
            if document:  # otherwise the log would miss a second visit
                head = [*without(head, b"cache-control"), (b"cache-control", b"no-store")]
            if document and check is not None:
                beginning = await _beginning(pieces)
                check(answer.status, head, beginning)
            begun = True
            await send({"type": "http.response.start", "status": answer.status, "headers": head})
            if beginning:
                await send({"type": "http.response.body", "body": beginning, "more_body": True})
            async for piece in pieces:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
    except UNREACHABLE as error:
        if begun:
            raise BrokenUpstream from error
        raise


async def _beginning(pieces: Any) -> bytes:
    """Read the part of a document that is checked before it is passed on."""
    beginning = bytearray()
    async for piece in pieces:
        beginning += piece
        if len(beginning) > SNIFFED:
            break
    return bytes(beginning)


def onward(headers: Headers, document: bool) -> Headers:
    """The headers sent to the site. For documents they allow only encodings that we can read."""
    passed_on = [(name, value) for name, value in headers if name.lower() not in HOP_BY_HOP]
    return [*without(passed_on, b"accept-encoding"), (b"accept-encoding", b"gzip")] if document else passed_on


def without(headers: Headers, name: bytes) -> Headers:
    """These headers without the one of this name."""
    return [(header, value) for header, value in headers if header.lower() != name]


def _note_block(world: World, status: int, url: str, headers: Headers, page: bytes) -> None:
    """Record a block or a server error of a site that the task needs: it ends the episode. Blocks by other
    sites are ignored: the agent can go back."""
    plain = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in headers}
    if why := why_blocked(status, url, plain, page):
        world.log.fault(f"{url} blocks robots: {why}", "anti_bot")
    elif status >= 500:
        world.log.fault(f"{url} answered {status}", "site_error")


def _held(why: str, headers: dict[str, str]) -> RefusedRequest:
    """A page for a form, an empty object for a script; neither has status 200, so no key step accepts it."""
    if headers.get("sec-fetch-mode") == "navigate":
        return RefusedRequest(202, notice_page(HELD_TITLE, HELD_TEXT), held=why)
    allowed: tuple[tuple[bytes, bytes], ...] = ((b"content-type", b"application/json"),)
    if origin := headers.get("origin"):
        allowed += (
            (b"access-control-allow-origin", origin.encode("latin-1")),
            (b"access-control-allow-credentials", b"true"),
            (b"vary", b"origin"),
        )
    return RefusedRequest(202, json.dumps({}).encode(), held=why, headers=allowed)


def unreachable(error: Exception, url: str, world: World, *, home: bool) -> RefusedRequest:
    """The answer if a site can't be reached; also a fault of the world if that ends the episode (`home`)."""
    late = isinstance(error, httpcore.TimeoutException)
    text = "The site took too long to answer." if late else f"The site could not be reached: {_reason(error)}."
    kind: TroubleKind = "site_timeout" if late else "site_error"
    if home:
        world.log.fault(f"{url}: {text}", kind)
    return RefusedRequest(504 if late else 502, notice_page("This page could not be shown", text), headers=(HTML,))


def _reason(error: Exception) -> str:
    cause = error.__cause__ or error
    if isinstance(cause, ssl.SSLCertVerificationError) or "CERTIFICATE_VERIFY_FAILED" in str(error):
        return "its certificate is not valid"
    return str(error).splitlines()[0][:200].rstrip(".") if str(error) else type(error).__name__


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
