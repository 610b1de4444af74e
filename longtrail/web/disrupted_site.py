"""Disrupted site: adds disruptions to the pages of a site. The content and the addresses of the pages don't change.

Cookies of the host store a visitor's consent and the number of pages seen, as on real sites. A small form closes a
banner or an offer and leads back to the page.
"""

import asyncio
import hashlib
import sqlite3
from functools import cache
from pathlib import Path
from typing import Annotated, TypeVar

from jinja2 import Environment
from pydantic import Field
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.web.page_templates import environment
from longtrail.web.request_values import read_form
from longtrail.web.site import Edition, Site
from longtrail.web.world import whole_answer
from longtrail.yaml_file import read_yaml, validate

T = TypeVar("T")
FILE = DATA / "disruptions.yaml"
LAYOUTS = ("plain", "mirrored", "large", "two-columns", "narrow")
"""Layouts, as named by the classes of `disruptions.css`. Each host has one; `plain` changes nothing."""
SLOW_SHARE = 0.15
"""Share of pages that are slow."""
SLOWEST = 1.5
"""The longest delay of a page, in seconds."""
OFFER_AFTER = (2, 4)
"""The first and the last page number on a host at which an interstitial may appear."""


class DisruptionNotice(Record):
    """A cookie banner or an interstitial: its text, and the buttons that close it."""

    title: str
    text: str
    buttons: Annotated[tuple[str, ...], Field(min_length=1)]


class Ad(Record):
    """One advertisement, and the page that it leads to."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    brand: str
    line: str
    call: str
    page: str


class DisruptionPlan(Record):
    """All texts of disruptions."""

    cookies: Annotated[tuple[DisruptionNotice, ...], Field(min_length=1)]
    offers: Annotated[tuple[DisruptionNotice, ...], Field(min_length=1)]
    ads: Annotated[tuple[Ad, ...], Field(min_length=1)]


@cache
def disruption_texts() -> DisruptionPlan:
    """The texts that are part of Longtrail. Raises DataError."""
    return validate(DisruptionPlan, read_yaml(FILE), FILE)


class SeededDisruptions:
    """The disruptions of one seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def cookies(self, host: str) -> DisruptionNotice | None:
        """The host's cookie banner; two of three hosts have one."""
        return self._pick("cookies", disruption_texts().cookies, host) if self._share("banner", host) < 2 / 3 else None

    def offer(self, host: str, page: int) -> DisruptionNotice | None:
        """The interstitial that covers the host's page of this number (from 1); half of the hosts have one."""
        first, last = OFFER_AFTER
        due = first + int(self._share("due", host) * (last - first + 1))
        is_shown = page == due and self._share("offers", host) < 0.5
        return self._pick("offer", disruption_texts().offers, host) if is_shown else None

    def ad(self, host: str, path: str, page: int) -> Ad:
        """The advertisement on a page; it may differ at every visit."""
        return self._pick("ad", disruption_texts().ads, host, path, str(page))

    def delay(self, host: str, path: str, page: int) -> float:
        """Delay of a page in seconds."""
        drawn = self._share("slow", host, path, str(page))
        return 0.0 if drawn >= SLOW_SHARE else round(SLOWEST * (0.2 + 0.8 * drawn / SLOW_SHARE), 3)

    def layout(self, host: str) -> str:
        """The host's layout."""
        return self._pick("layout", LAYOUTS, host)

    def _share(self, *what: str) -> float:
        """A number in [0, 1) that depends only on the seed and these words."""
        digest = hashlib.sha256("\n".join([str(self._seed), *what]).encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48

    def _pick(self, what: str, choices: tuple[T, ...], *where: str) -> T:
        return choices[int(self._share(what, *where) * len(choices))]


PREFIX = "/.notices/"
CONSENT, PAGES_SEEN = "notices_consent", "notices_pages"
_HEAD, _BODY, _MAIN, _END = "</head>", '<body class="', '<main id="main"', "</body>"


@cache
def _templates() -> Environment:
    return environment(Path(__file__).parent / "disruption_templates")


@cache
def _style() -> str:
    """The style sheet, the same on every page."""
    return _templates().get_template("disruptions.css").render()


class DisruptedSite:
    """A site with disruptions in its HTML pages; other answers are not changed."""

    def __init__(self, site: Site, seed: int) -> None:
        self.name = site.name
        self.hosts = site.hosts
        self.app: ASGIApp = self._answer
        self._site = site
        self._disruptions = SeededDisruptions(seed)

    def build(self, db: sqlite3.Connection, edition: Edition) -> None:
        """The site's own state; disruptions have none."""
        self._site.build(db, edition)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        if scope["type"] != "http":
            await self._site.app(scope, receive, send)
        elif scope["path"].startswith(PREFIX):
            await (await self._disruption_page(Request(scope, receive)))(scope, receive, send)
        else:
            await self._around(Request(scope), receive, send)

    async def _disruption_page(self, request: Request) -> Response:
        """Answer a request to the disruptions' own addresses: close a notice, or show the page of an advertisement."""
        name = request.scope["path"].removeprefix(PREFIX)
        if request.method == "POST" and name == "close":
            try:
                sent = await read_form(request)
            except HTTPException as error:
                return Response(error.detail, status_code=error.status_code)
            back, consent = str(sent.get("back", "/")), sent.get("consent")
            if not back.startswith("/") or back.startswith(("//", "/\\")):
                back = "/"
            response: Response = RedirectResponse(back, status_code=303)
            if consent:
                response.set_cookie(CONSENT, "1", path="/")
            return response
        ad = next((ad for ad in disruption_texts().ads if name == f"ad/{ad.id}"), None)
        if ad is None:
            return Response("Not Found", status_code=404)
        return HTMLResponse(_templates().get_template("ad.html").render(ad=ad))

    async def _around(self, request: Request, receive: Receive, send: Send) -> None:
        """The site's answer, with disruptions if it is a page."""
        start, body = await whole_answer(self._site.app, request.scope, receive)
        headers = Headers(raw=start["headers"])
        page = body.decode("utf-8") if headers.get("content-type", "").startswith("text/html") else ""
        if start["status"] == 200 and all(page.count(mark) == 1 for mark in (_HEAD, _BODY, _MAIN, _END)):
            host = (request.headers.get("host") or "").partition(":")[0].lower()
            number = _number(request.cookies.get(PAGES_SEEN, "")) + 1
            await asyncio.sleep(self._disruptions.delay(host, request.scope["path"], number))
            body = self._with_disruptions(request, host, number, page).encode()
            fresh = MutableHeaders(raw=list(start["headers"]))
            fresh["content-length"] = str(len(body))
            fresh.append("set-cookie", f"{PAGES_SEEN}={number}; Path=/")
            start = {**start, "headers": fresh.raw}
        await send(start)
        await send({"type": "http.response.body", "body": body})

    def _with_disruptions(self, request: Request, host: str, number: int, page: str) -> str:
        path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
        templates, disruptions = _templates(), self._disruptions
        cookies = None if CONSENT in request.cookies else disruptions.cookies(host)
        offer = disruptions.offer(host, number)
        back = request.url.path + (f"?{query}" if query else "")
        notices = templates.get_template("notices.html").render(cookies=cookies, offer=offer, back=back, place=PREFIX)
        ad = templates.get_template("banner.html").render(ad=disruptions.ad(host, path, number), place=PREFIX)
        page = page.replace(_HEAD, f"<style>{_style()}</style>{_HEAD}", 1)
        page = page.replace(_BODY, f"{_BODY}disruption-{disruptions.layout(host)} ", 1)
        return page.replace(_MAIN, f"{ad}{_MAIN}", 1).replace(_END, f"{notices}{_END}", 1)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else 0
