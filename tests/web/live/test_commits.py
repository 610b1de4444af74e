"""The rules that hold requests with real-world effects, case by case."""

import json
from typing import Any

import pytest

from longtrail.web.live.commits import why_held

FORM, JSON = "application/x-www-form-urlencoded", "application/json; charset=utf-8"
NAVIGATES, FETCHES = {"sec-fetch-mode": "navigate"}, {"sec-fetch-mode": "cors"}


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


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/checkout", ""),
        ("/expresscheckout/start", ""),
        ("/placeOrder", ""),
        ("/account/sign-up", ""),
        ("/users/registration", ""),
        ("/newsletter", ""),
        ("/email-subscribe", ""),
        ("/forum/5/reply", ""),
        ("/reservations", ""),
        ("/cart/checkout", ""),
        ("/wp-admin/admin-ajax.php", "action=submit_comment"),
        ("/index.php?task=vote", ""),
        ("/search-and-book", ""),
        ("/reservation/search/confirm", ""),
        ("/help", "message=I+want+a+refund"),
        ("/search", "q=x&email=a%40b.test"),
        ("/cart", "card_number=4111&cvv=123"),
        ("/", "password=x"),
        ("/x/4711", ""),
        ("/", "token=abc"),
    ],
)
def test_forms_that_commit_are_held(path: str, body: str) -> None:
    assert held("POST", path, FORM, body, sec_fetch_mode="navigate")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/search", "q=desk"),
        ("/stores/find", "zip=90026"),
        ("/cart/add", "sku=5"),
        ("/us/en/favourites", "item=5"),
        ("/set-language", "lang=en"),
        ("/cookie-consent", "all=1"),
        ("/trip-planner", "from=a&to=b"),
        ("/search", "q=x&email="),
        ("/reservation/availability", "from=a&to=b"),
        ("/reviews/filter", "stars=5"),
        ("/search", "q=x&includeReviews=true"),
    ],
)
def test_forms_that_look_for_something_are_sent(path: str, body: str) -> None:
    assert not held("POST", path, FORM, body, sec_fetch_mode="navigate")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/place-order", {}),
        ("POST", "/api/v2/Orders", {}),
        ("POST", "/graphql", {"operationName": "PlaceOrder", "variables": {}}),
        ("POST", "/graphql", {"query": "mutation { submitReview(text: 1) { id } }"}),
        ("POST", "/graphql", {"query": "mutation Foo { bar }"}),
        ("POST", "/graphql", {"query": "# a comment\nmutation { bar }"}),
        ("POST", "/graphql", [{"query": "query A { x }"}, {"query": "mutation B { y }"}]),
        ("POST", "/api/reservations", {}),
        ("POST", "/api/x", {"comment": "I like this place."}),
        ("POST", "/graphql", [{"operationName": "Home"}, {"operationName": "CreateAccount"}]),
        ("POST", "/api/x", {"user": {"password": "x"}}),
        ("POST", "/api/x", {"payment": {"cardNumber": "4111"}}),
        ("PUT", "/api/profile", {}),
        ("DELETE", "/api/things/5", ""),
        ("PATCH", "/api/things/5", {}),
        ("PROPFIND", "/api/things", ""),
        ("POST", "/api/v2/oneclick", {"sku": 5}),
        ("POST", "/bestellen", {"artikel": 5}),
        ("POST", "/api/kaufen", {}),
        ("POST", "/cart/kaufen", {}),
        ("POST", "/api/x", {}),
        ("POST", "/api/binary", "\x00\x01{"),
    ],
)
def test_scripts_that_commit_are_held(method: str, path: str, body: Any) -> None:
    assert held(method, path, JSON, body, sec_fetch_mode="cors")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/api/suggest", {"q": "de"}),
        ("POST", "/graphql", {"operationName": "SearchProducts", "query": "query SearchProducts { x }"}),
        ("POST", "/graphql", {"query": "{ reviews(email: 1) { x } }", "variables": {"email": "a@b.test"}}),
        ("POST", "/graphql", {"operationName": "GetCheckout", "query": "query GetCheckout { x }"}),
        ("POST", "/webapi/reservation/availability", {"from": "a"}),
        ("POST", "/oauth/guest-token", {}),
        ("POST", "/api/products", {"includeReviews": True, "comments": 0}),
        ("POST", "/graphql", {"operationName": "AddToCart", "query": "mutation AddToCart { x }"}),
        ("POST", "/collect", "v=1&tid=2"),
        ("POST", "/sensor/_bm/data", {"sensor_data": "2;0;x"}),
        ("PUT", "/api/cart/items/5", {"quantity": 2}),
        ("DELETE", "/api/wishlist/5", ""),
        ("POST", "/beacon", "\x00\x01{"),
    ],
)
def test_scripts_that_do_not_are_sent(method: str, path: str, body: Any) -> None:
    assert not held(method, path, JSON, body, sec_fetch_mode="cors")


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
