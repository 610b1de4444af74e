"""The back office in a real browser: tabs and comments without leaving the page, a dialog before a cancellation."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.checks.page_names import page_key
from longtrail.records import axtree_text as axtree
from longtrail.records.action import Click, Fill
from longtrail.web.sealed import SealedWeb
from longtrail.web.world import World

ORDER = "https://shopadmin.test/admin/sales/order/view/order_id/{}/"


@pytest.fixture
def world(embedded_web: SealedWeb) -> Iterator[World]:
    with closing(embedded_web.open_world("person")) as opened:
        yield opened


@pytest.fixture
def person(embedded_web: SealedWeb, shared_browser: Browser, world: World) -> Iterator[Session]:
    policy = UrlPolicy(embedded_web.hosts)
    with shared_browser.session(world, embedded_web.proxy(world), url_policy=policy) as session:
        yield session


def _click(person: Session, role: str, name: str, nth: int = 0) -> str:
    """Click; returns the page's text afterwards."""
    outcome = person.act(Click(id=list(axtree.find(person.observe().text, role, name))[nth]))
    assert outcome.ok, outcome.error
    return person.observe().text


@pytest.mark.parametrize(
    ("tab", "text", "key"),
    [
        ("Comments History", "Invoice #000000635 created", "order:635/history"),
        ("Shipments", "United Parcel Service: 1Z", "order:635/shipments"),
        ("Credit Memos", "Credit Memos of order #000000635", "order:635/creditmemos"),
    ],
)
def test_tabs_of_an_order_keep_its_address(person: Session, world: World, tab: str, text: str, key: str) -> None:
    person.goto(ORDER.format(635))
    assert text in _click(person, "link", tab, nth=-1)
    assert person.url == ORDER.format(635)
    last = [request for request in world.log.requests if "static" not in request.url][-1]
    assert (page_key(last.url), last.status, last.mode) == (key, 200, "cors")


def test_tabs_of_a_customer_keep_its_address(person: Session) -> None:
    person.goto("https://shopadmin.test/admin/customer/index/edit/id/289/")
    assert "five nights on it" in _click(person, "link", "Product Reviews")
    assert "318 Mill Creek Road" in _click(person, "link", "Addresses")
    assert person.url == "https://shopadmin.test/admin/customer/index/edit/id/289/"


def test_a_comment_appears_in_place(person: Session, world: World) -> None:
    person.goto(ORDER.format(697))
    field = next(iter(axtree.find(person.observe().text, "textbox", "Comment")))
    assert person.act(Fill(id=field, text="Waiting for the owner's call.")).ok
    text = _click(person, "button", "Submit Comment")
    assert "Waiting for the owner's call." in text
    assert "Processing Not Notified" in text
    assert [change.table for change in world.changes()] == ["sales_order_status_history"]


def test_an_empty_comment_is_refused_in_place(person: Session, world: World) -> None:
    person.goto(ORDER.format(697))
    assert "Please provide a comment text" in _click(person, "button", "Submit Comment")
    assert not world.changes()


def test_a_cancellation_asks_first(person: Session, world: World) -> None:
    [number] = (
        world.db("shopadmin").execute("SELECT MAX(entity_id) FROM sales_order WHERE status = 'pending'").fetchone()
    )
    person.goto(ORDER.format(number))
    assert "Are you sure you want to cancel this order?" not in person.observe().text
    assert "Are you sure you want to cancel this order?" in _click(person, "button", "Cancel")
    assert not world.changes()
    assert "You canceled the order." in _click(person, "button", "OK")
