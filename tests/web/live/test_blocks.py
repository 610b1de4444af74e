"""Which answers count as a site that blocks robots, and which don't."""

import gzip

import pytest

from longtrail.web.live.forward import why_blocked

HERE = "https://www.shop.com/page"


def page(title: str, body: str = "", size: int = 0) -> bytes:
    return f"<!doctype html><title>\n{title}</title>{body}{'.' * size}".encode()


@pytest.mark.parametrize(
    ("status", "url", "headers", "body"),
    [
        (403, HERE, {}, b""),
        (429, HERE, {}, b""),
        (200, HERE, {"cf-mitigated": "challenge"}, b""),
        (503, HERE, {}, page("Just a moment...")),
        (200, HERE, {}, page("Access to this page has been denied")),
        (200, HERE, {}, page("Are you a robot?")),
        (200, HERE, {}, page("Pardon Our Interruption")),
        (200, HERE, {"content-encoding": "gzip"}, gzip.compress(page("Verify you are human"), mtime=0)),
        (200, HERE, {}, page("Shop", "<div id=px-captcha></div>")),
        (200, HERE, {}, page("Shop", "<script src=https://geo.captcha-delivery.com/x.js></script>")),
        (200, "https://www.google.com/sorry/index?continue=x", {}, page("Sorry")),
    ],
)
def test_blocks(status: int, url: str, headers: dict[str, str], body: bytes) -> None:
    assert why_blocked(status, url, headers, body)


@pytest.mark.parametrize(
    ("status", "url", "headers", "body"),
    [
        (200, HERE, {}, page("Desks")),
        (404, HERE, {}, page("Not found")),
        (404, "https://www.shop.com/captcha", {}, page("Not found")),
        (401, HERE, {}, page("Sign in")),
        (500, HERE, {}, page("Error")),
        (200, HERE, {}, page("Contact us", "<div class=g-recaptcha></div>")),
        (200, HERE, {}, page("How a captcha works: a history", size=80_000)),
        (200, HERE, {"content-encoding": "gzip"}, b"torn"),
        (200, HERE, {}, page("Shop", "<script src=/_Incapsula_Resource></script>", size=80_000)),
    ],
)
def test_no_blocks(status: int, url: str, headers: dict[str, str], body: bytes) -> None:
    assert not why_blocked(status, url, headers, body)
