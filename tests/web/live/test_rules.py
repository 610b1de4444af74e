"""The rules of the live web: which requests are held, which machines may be reached, and what counts as a block."""

import asyncio
import gzip
import ipaddress
import json
from typing import Any

import pytest

from longtrail.errors import UsageError
from longtrail.web.live.commits import why_held
from longtrail.web.live.forward import why_blocked
from longtrail.web.live.upstream import (
    CheckedBackend,
    ForbiddenAddress,
    forbidden,
    local_name,
    mapped,
    public_addresses,
)
from tests.tables import grouped, tables_of

TABLES = tables_of(__file__)

FORM, JSON = "application/x-www-form-urlencoded", "application/json; charset=utf-8"


def held(method: str, path: str, kind: str = "", body: Any = "", **headers: str) -> bool:
    text = body if isinstance(body, str) else json.dumps(body)
    given = {"content-type": kind, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return bool(why_held(method, f"https://www.shop.com{path}", given, text.encode()))


@pytest.mark.parametrize("path", ["/", "/checkout", "/order/place?confirm=1", "/logout"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_reading_is_sent(method: str, path: str) -> None:
    assert not held(method, path, sec_fetch_mode="navigate")


@pytest.mark.parametrize("path", ["/buy-now", "/p/5/buyItNow?qty=1", "/1-click/5", "/orders/5/cancel-order"])
def test_opening_what_orders_at_once_is_held(path: str) -> None:
    assert held("GET", path, sec_fetch_mode="navigate")


def test_a_get_in_disguise_is_none() -> None:
    assert held("GET", "/orders", x_http_method_override="POST")


@pytest.mark.parametrize(("verdict", "path", "body"), grouped(TABLES["forms"]))
def test_forms_that_commit_are_held_and_those_that_look_for_something_sent(verdict: str, path: str, body: str) -> None:
    assert held("POST", path, FORM, body, sec_fetch_mode="navigate") is (verdict == "held")


@pytest.mark.parametrize(("verdict", "method", "path", "body"), grouped(TABLES["scripts"]))
def test_scripts_that_commit_are_held_and_others_sent(verdict: str, method: str, path: str, body: Any) -> None:
    assert held(method, path, JSON, body, sec_fetch_mode="cors") is (verdict == "held")


def test_graphql_as_plain_text() -> None:
    for query, expected in (("mutation { placeBid }", True), ("query { bids }", False), ("{ bids }", False)):
        assert held("POST", "/graphql", "application/graphql", query, sec_fetch_mode="cors") is expected


def test_uploads_are_held() -> None:
    body = '--b\r\nContent-Disposition: form-data; name="photo"; filename="a.png"\r\n\r\nx\r\n--b--'
    assert held("POST", "/api/photo", "multipart/form-data; boundary=b", body, sec_fetch_mode="cors")


def test_the_reason_says_what_told() -> None:
    given = {"sec-fetch-mode": "navigate", "content-type": FORM}
    assert why_held("POST", "https://a.test/x", given, b"") == (
        "POST of a form whose purpose can't be told from its address"
    )
    assert "'checkout'" in why_held("POST", "https://a.test/checkout", given, b"")
    assert "field 'email'" in why_held("POST", "https://a.test/search", given, b"email=a")


@pytest.mark.parametrize(("address", "why"), TABLES["addresses"])
def test_addresses(address: str, why: str) -> None:
    assert forbidden(ipaddress.ip_address(address)) == why


@pytest.mark.parametrize(("kind", "name"), grouped(TABLES["names"]))
def test_names_that_are_public_and_those_that_are_not(kind: str, name: str) -> None:
    assert bool(local_name(name)) is (kind == "local")


def test_a_name_is_judged_by_what_it_leads_to() -> None:
    """Every name is resolved, and all of its addresses are checked, before a connection is made."""
    with pytest.raises(ForbiddenAddress, match="loopback address behind a public name"):
        asyncio.run(public_addresses("localhost", 443))
    with pytest.raises(ForbiddenAddress, match="loopback address"):
        asyncio.run(CheckedBackend().connect_tcp("localhost", 443, 1.0))
    with pytest.raises(ForbiddenAddress, match="metadata address"):
        asyncio.run(CheckedBackend().connect_tcp("169.254.169.254", 443, 1.0))
    with pytest.raises(ForbiddenAddress):
        asyncio.run(CheckedBackend().connect_unix_socket("/run/docker.sock"))


@pytest.mark.parametrize(("name", "address"), TABLES["only_this_machine_can_be_named"])
def test_only_this_machine_can_be_named(name: str, address: str) -> None:
    with pytest.raises(UsageError, match="expected "):
        mapped(name, address)


def test_names_of_this_machine() -> None:
    assert mapped("a.example.com", "http://localhost:80") == ("http", "127.0.0.1", 80)
    assert mapped("a.example.com", "https://127.0.0.1/") == ("https", "127.0.0.1", 443)


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
