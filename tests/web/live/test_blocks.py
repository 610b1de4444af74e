"""Which answers count as a site that blocks robots, and which don't."""

import gzip

import pytest

from longtrail.web.live.forward import why_blocked

HERE = "https://www.shop.com/page"


def page(title: str, body: str = "", size: int = 0) -> bytes:
    return f"<!doctype html><title>\n{title}</title>{body}{'.' * size}".encode()


@pytest.mark.parametrize(
    ("blocks", "status", "url", "headers", "body"),
    [
        (True, 403, HERE, {}, b""),
        (True, 429, HERE, {}, b""),
        (True, 200, HERE, {"cf-mitigated": "challenge"}, b""),
        (True, 503, HERE, {}, page("Just a moment...")),
        (True, 200, HERE, {}, page("Access to this page has been denied")),
        (True, 200, HERE, {}, page("Are you a robot?")),
        (True, 200, HERE, {}, page("Pardon Our Interruption")),
        (True, 200, HERE, {"content-encoding": "gzip"}, gzip.compress(page("Verify you are human"), mtime=0)),
        (True, 200, HERE, {}, page("Shop", "<div id=px-captcha></div>")),
        (True, 200, HERE, {}, page("Shop", "<script src=https://geo.captcha-delivery.com/x.js></script>")),
        (True, 200, "https://www.google.com/sorry/index?continue=x", {}, page("Sorry")),
        (False, 200, HERE, {}, page("Desks")),
        (False, 404, HERE, {}, page("Not found")),
        (False, 404, "https://www.shop.com/captcha", {}, page("Not found")),
        (False, 401, HERE, {}, page("Sign in")),
        (False, 500, HERE, {}, page("Error")),
        (False, 200, HERE, {}, page("Contact us", "<div class=g-recaptcha></div>")),
        (False, 200, HERE, {}, page("How a captcha works: a history", size=80_000)),
        (False, 200, HERE, {"content-encoding": "gzip"}, b"torn"),
        (False, 200, HERE, {}, page("Shop", "<script src=/_Incapsula_Resource></script>", size=80_000)),
    ],
)
def test_what_counts_as_a_block(blocks: bool, status: int, url: str, headers: dict[str, str], body: bytes) -> None:
    assert bool(why_blocked(status, url, headers, body)) is blocks
