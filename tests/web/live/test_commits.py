"""The rules that hold requests with real-world effects, case by case."""

import json
from typing import Any

import pytest

from longtrail.web.live.commits import why_held
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
