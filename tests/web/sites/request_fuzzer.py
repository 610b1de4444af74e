"""Request fuzzer: changes the addresses and forms that the sites' pages offer, as an agent could, without a browser.

A crawl collects links and forms. Each is then sent again with some of its parts replaced: pieces of the path, values
and names of parameters, fields, headers, the method, the body's form.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import parse_qsl, quote, urlencode, urljoin, urlsplit

import httpx

from longtrail.web.site import Site
from longtrail.web.world import World, in_world

# fmt: off
NASTY = (
    "", " ", "0", "-1", "--5", "+7", "1e9", "1e999", "nan", "inf", "-0", "007", "9" * 23, "9" * 5000,
    "-" + "9" * 20, "9223372036854775807", "9223372036854775808", "²", "٣", "½", "2026/03/²", "2026-02-30",
    "0000-00-00", "9999-12-31", "13/45/2026", "9999999-12-31", "12:61", "%", "%%", "%zz", "_", "!", "'", '"', "\\",
    "`", "*", "(", ")", "a OR b", 'NEAR("a" b)', "-", "^a", "a*", "NOT", "AND", "col:x", "{x}", "{{x}}", "{% x %}",
    "<script>", "\x00", "a\x00b", "\n", "\r\nx: y", "\ud7ff", "😀", "\u202e", "a" * 300, "a " * 1500, "ä" * 3000,
    "../..", "//", "/", "?", "#", "&", "=", ";", "[]", "][", "null", "true", "None", "undefined", "[1]", '{"a":1}',
    "javascript:x", "https://evil.test/", "$1,234.56", "1,2,3", "%ff%fe", "%ed%a0%80", "*****" * 400, "[" * 2000,
    "> " * 2000, "((((" * 500, "`" * 3001,
)
# fmt: on
"""Values that parsers of numbers, dates, searches and markup stumble over."""
NAMES = (
    *("", "x", "[", "q", "page", "sort", "submitted", "next[rank]", "next[id]", "filters[x]"),
    "filters[created_at][from]",
)
METHODS = ("GET", "GET", "GET", "HEAD", "POST", "POST", "PUT", "DELETE", "OPTIONS", "PATCH")


@dataclass(frozen=True)
class Offer:
    """A request that a page offers: a link, or a form with the values that it shows."""

    method: str
    url: str
    fields: tuple[tuple[str, str], ...] = ()


class _Offers(HTMLParser):
    """Collects the offers of one page."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self.offers: list[Offer] = []
        self._form: tuple[str, str, list[tuple[str, str]]] | None = None

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = (values.get("method", "get").upper(), urljoin(self._url, values.get("action", "")), [])
        elif tag in ("input", "select", "textarea", "button", "option") and self._form and values.get("name"):
            self._form[2].append((values["name"], values.get("value", "x")))
        for name in ("href", "src", "data-url", "formaction"):
            if values.get(name):
                self.offers.append(Offer("GET", urljoin(self._url, values[name])))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form" and self._form is not None:
            self.offers.append(Offer(self._form[0], self._form[1], tuple(self._form[2])))
            self._form = None


@dataclass
class SiteClient:
    """Sends requests to a site's app, without a network. A site that raises raises here."""

    site: Site
    world: World
    answers: dict[int, int] = field(default_factory=dict)
    """Status -> how often it was answered."""

    async def send(self, request: httpx.Request) -> httpx.Response:
        transport = httpx.ASGITransport(in_world(self.site.app, self.world))  # type: ignore[arg-type]
        response = await transport.handle_async_request(request)
        await response.aread()
        self.answers[response.status_code] = self.answers.get(response.status_code, 0) + 1
        return response

    async def crawl(self, start: str, most: int, rng: random.Random) -> list[Offer]:
        """The offers of at most so many pages of one host, from its start page on."""
        host = urlsplit(start).hostname
        waiting, seen, offers = [start], {start}, dict[Offer, None]()
        for _ in range(most):
            if not waiting:
                break
            url = waiting.pop(rng.randrange(len(waiting)))
            response = await self.send(httpx.Request("GET", url))
            if target := response.headers.get("location"):
                waiting.append(urljoin(url, target))
            if "html" not in response.headers.get("content-type", ""):
                continue
            parser = _Offers(url)
            parser.feed(response.text)
            for offer in parser.offers:
                if urlsplit(offer.url).hostname == host:
                    offers[offer] = None
                    address = offer.url.partition("#")[0]
                    if offer.method == "GET" and address not in seen:
                        seen.add(address)
                        waiting.append(address)
        return list(offers)


class RequestFuzzer:
    """Requests made from offers, the same for the same seed."""

    def __init__(self, offers: Sequence[Offer], seed: int, cookies: str = "") -> None:
        self._offers, self._cookies = offers, cookies
        self._rng = random.Random(seed)

    def requests(self, number: int) -> Iterator[httpx.Request]:
        """So many requests."""
        for _ in range(number):
            yield self._request(self._rng.choice(self._offers))

    def _request(self, offer: Offer) -> httpx.Request:
        rng = self._rng
        parts = urlsplit(offer.url)
        path, pairs = self._path(parts.path), self._pairs(parse_qsl(parts.query, keep_blank_values=True))
        method = rng.choice(METHODS) if rng.random() < 0.15 else offer.method
        fields = self._pairs(list(offer.fields))
        headers = {"cookie": self._cookie(), "referer": rng.choice([offer.url, "x", "//", "https://[", "9" * 5000])}
        body: dict[str, object] = {}
        if method in ("GET", "HEAD"):
            pairs += fields
        else:
            given, body = self._body(fields)
            headers |= given
        query = urlencode(pairs, errors="replace")
        if rng.random() < 0.02:
            query = rng.choice([query + "&a=b" * 300, "=&" * 90, "%", query.replace("=", "")])
        url = f"{parts.scheme}://{parts.netloc}{path}{'?' + query if query else ''}"
        return httpx.Request(method, url, headers=headers, **body)  # type: ignore[arg-type]

    def _path(self, path: str) -> str:
        pieces = path.split("/")
        if self._rng.random() < 0.45:
            place = self._rng.randrange(len(pieces))
            pieces[place] = quote(self._rng.choice(NASTY)[:3000], safe="", errors="replace")
        if self._rng.random() < 0.05:
            pieces.insert(self._rng.randrange(len(pieces) + 1), quote(self._rng.choice(NASTY)[:3000], safe=""))
        path = "/".join(pieces)
        return path if path.startswith("/") else f"/{path}"

    def _pairs(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        rng, made = self._rng, []
        share = rng.choice((0.1, 0.5))
        for name, value in pairs:
            chance = rng.random()
            if chance < share / 8:
                continue
            made.append((name, rng.choice(NASTY) if chance < share else value))
            if chance > 0.97:
                made.append((name, rng.choice(NASTY)))
        if rng.random() < 0.2:
            made.append((rng.choice([*NAMES, *(name for name, _ in pairs)]), rng.choice(NASTY)))
        return made

    def _body(self, fields: Sequence[tuple[str, str]]) -> tuple[dict[str, str], dict[str, object]]:
        """Headers, and the body as arguments of `httpx.Request`."""
        rng = self._rng
        kind = rng.random()
        if kind < 0.8:
            content = urlencode(fields, errors="replace").encode()
            return {"content-type": "application/x-www-form-urlencoded"}, {"content": content}
        if kind < 0.9 and fields:
            return {}, {"files": [(name or "x", ("f.txt", value.encode("utf-8", "replace"))) for name, value in fields]}
        given = rng.choice(["multipart/form-data", "multipart/form-data; boundary=x", "application/json", "text/plain"])
        return {"content-type": given}, {"content": rng.choice([b"", b"--x", b"\xff\xfe", b"a=b&" * 1500, b"{"])}

    def _cookie(self) -> str:
        if self._rng.random() < 0.9:
            return self._cookies
        name = self._rng.choice(["flash", "mage-messages", "admin", "notices_pages", "session"])
        return f"{self._cookies}; {name}={quote(self._rng.choice(NASTY)[:500], safe='', errors='replace')}"
