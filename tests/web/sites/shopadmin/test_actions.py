"""Actions: each changes the world as the platform would, or is refused with the platform's message."""

import pytest

from longtrail.records.trajectory import Change
from tests.tables import tables_of
from tests.web.sites.shopadmin.shop import Shop, read

TABLES = tables_of(__file__)

BOOKS = "SELECT entity_id FROM sales_order WHERE status = ? AND total_paid {} 0 ORDER BY entity_id LIMIT 1"


def _some(shop: Shop, status: str, paid: str = ">=") -> int:
    return int(shop.rows(BOOKS.format(paid), status)[0]["entity_id"])


def _do(shop: Shop, action: str, number: int) -> str:
    return read(shop.send(f"/admin/sales/order/{action}/order_id/{number}/", {}).text)[0]


def _changed(shop: Shop) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = {}
    for change in shop.world.changes():
        found.setdefault(change.table, []).append(change)
    return found


def test_hold_and_unhold(shop: Shop) -> None:
    assert "You put the order on hold." in _do(shop, "hold", 697)
    assert (shop.order(697)["state"], shop.order(697)["status"]) == ("holded", "holded")
    assert "Unhold" in (page := read(shop.get("/admin/sales/order/view/order_id/697/").text)[0])
    assert "On Hold" in page
    assert "You released the order from holding status." in _do(shop, "unhold", 697)
    assert (shop.order(697)["state"], shop.order(697)["status"]) == ("processing", "processing")


@pytest.mark.parametrize("status", ["complete", "closed", "canceled", "payment_review", "fraud", "holded"])
def test_what_cannot_be_held(status: str, shop: Shop) -> None:
    number = _some(shop, status)
    assert "A hold action is not available." in _do(shop, "hold", number)
    assert not shop.world.changes()
    assert 'id="order-view-hold-button"' not in shop.get(f"/admin/sales/order/view/order_id/{number}/").text


def test_only_what_is_held_can_be_released(shop: Shop) -> None:
    assert "You cannot remove the hold." in _do(shop, "unhold", 697)
    assert not shop.world.changes()


def test_cancel_before_payment(shop: Shop) -> None:
    number = _some(shop, "pending")
    assert "You canceled the order." in _do(shop, "cancel", number)
    order = shop.order(number)
    assert (order["status"], order["total_canceled"]) == ("canceled", order["grand_total"])
    assert {item["qty_canceled"] == item["qty_ordered"] for item in _items(shop, number)} == {True}


@pytest.mark.parametrize(("status", "paid"), [("processing", ">"), ("complete", ">"), ("holded", ">"), ("closed", ">")])
def test_what_cannot_be_canceled(status: str, paid: str, shop: Shop) -> None:
    assert "You have not canceled the item." in _do(shop, "cancel", _some(shop, status, paid))
    assert not shop.world.changes()


def test_send_email(shop: Shop) -> None:
    assert "You sent the order email." in _do(shop, "email", 635)


def _items(shop: Shop, number: int) -> list[dict[str, int]]:
    return shop.rows("SELECT * FROM sales_order_item WHERE order_id = ? ORDER BY item_id", number)


def test_a_comment_with_its_flags(shop: Shop) -> None:
    fields = {"history[comment]": "Asked the warehouse.", "history[is_customer_notified]": "1"}
    answer = shop.post("/admin/sales/order/addComment/order_id/635/?isAjax=true", **fields)
    assert "Asked the warehouse." in answer.text
    assert "<html" not in answer.text
    [change] = shop.world.changes()
    assert change.table == "sales_order_status_history"
    assert change.after == {
        "entity_id": int(change.key), "parent_id": 635, "status": "complete", "comment": "Asked the warehouse.",
        "created_at": "2026-03-17 14:30:00", "is_customer_notified": 1, "is_visible_on_front": 0,
    }  # fmt: skip


def test_a_comment_may_change_the_status_within_its_state(shop: Shop) -> None:
    fields = {"history[status]": "fraud", "history[comment]": ""}
    shop.post("/admin/sales/order/addComment/order_id/697/", **fields)
    assert (shop.order(697)["state"], shop.order(697)["status"]) == ("processing", "fraud")


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"history[comment]": "  "}, "Please provide a comment text or update the order status"),
        ({"history[comment]": "x", "history[status]": "closed"}, "not available in this state"),
    ],
)
def test_comments_that_are_refused(fields: dict[str, str], text: str, shop: Shop) -> None:
    assert text in read(shop.send("/admin/sales/order/addComment/order_id/635/", fields).text)[0]
    assert not shop.world.changes()


@pytest.mark.parametrize("key", ["", "wrong"])
def test_forms_without_their_key_are_refused(key: str, shop: Shop) -> None:
    answer = shop.post("/admin/sales/order/hold/order_id/697/", form_key=key)
    assert answer.status_code == 403
    assert not shop.world.changes()


def test_actions_are_posted(shop: Shop) -> None:
    assert shop.get("/admin/sales/order/hold/order_id/697/").status_code == 405
    assert shop.post("/admin/sales/order/view/order_id/697/").status_code == 405
    assert not shop.world.changes()


def test_two_worlds_do_not_see_each_other(shop: Shop) -> None:
    other = Shop("other")
    _do(shop, "hold", 697)
    assert other.order(697)["status"] == "processing"
    other.close()


# credit memos


def _memo(shop: Shop, number: int, qty: dict[str, int] | None = None, **amounts: str) -> str:
    """Send the form of a new credit memo: quantities by SKU (None: all that is left to refund), and amounts.

    Returns the text of the next page.
    """
    items = _items(shop, number)
    fields = {
        f"creditmemo[items][{i['item_id']}][qty]": str(
            i["qty_invoiced"] - i["qty_refunded"] if qty is None else qty.get(str(i["sku"]), 0)
        )
        for i in items
    }
    fields |= {f"creditmemo[{name}]": value for name, value in amounts.items()}
    return read(shop.send(f"/admin/sales/order_creditmemo/save/order_id/{number}/", fields).text)[0]


def test_the_whole_order_goes_back(shop: Shop) -> None:
    assert "You created the credit memo." in _memo(shop, 635, shipping_amount="6.95")
    order = shop.order(635)
    assert (order["state"], order["status"], order["total_refunded"]) == ("closed", "closed", 115.73)
    changed = _changed(shop)
    assert {table: len(changes) for table, changes in changed.items()} == {
        "sales_creditmemo": 1, "sales_creditmemo_item": 2, "sales_order": 1, "sales_order_item": 2,
        "sales_order_status_history": 1,
    }  # fmt: skip
    memo = changed["sales_creditmemo"][0].after
    assert memo is not None
    assert (memo["entity_id"], memo["discount_amount"], memo["shipping_amount"]) == (635, 5.72, 6.95)
    text = read(shop.get("/admin/sales/order/view/order_id/635/").text)[0]
    assert "We refunded $115.73 offline." in text
    assert "Total Refunded | $115.73" in text
    assert 'id="order_creditmemo"' not in shop.get("/admin/sales/order/view/order_id/635/").text


def test_a_part_goes_back_and_then_the_rest(shop: Shop) -> None:
    _memo(shop, 635, {"LM-RBN-UMB": 1})
    assert (shop.order(635)["status"], shop.order(635)["total_refunded"]) == ("complete", 40.38)
    _memo(shop, 635, {"LM-SNP-MOC-10": 1}, shipping_amount="6.95")
    assert (shop.order(635)["status"], shop.order(635)["total_refunded"]) == ("closed", 115.73)
    memos = shop.rows("SELECT entity_id, grand_total FROM sales_creditmemo WHERE order_id = 635 ORDER BY entity_id")
    assert [memo["entity_id"] for memo in memos] == [635, 200_001]
    assert round(sum(memo["grand_total"] for memo in memos), 2) == 115.73


def test_a_paid_order_that_was_not_shipped_is_closed_too(shop: Shop) -> None:
    _memo(shop, 697, shipping_amount="14.95")
    assert shop.order(697)["status"] == "closed"


def test_adjustments(shop: Shop) -> None:
    _memo(shop, 635, {}, adjustment_positive="10", adjustment_negative="2.50", comment_text="For the trouble.")
    assert shop.order(635)["total_refunded"] == 7.5
    [memo] = shop.rows("SELECT * FROM sales_creditmemo WHERE order_id = 635")
    assert (memo["adjustment_positive"], memo["adjustment_negative"], memo["grand_total"]) == (10, 2.5, 7.5)
    assert "For the trouble." in shop.get("/admin/sales/creditmemo/view/creditmemo_id/635/").text
    assert "For the trouble." in shop.get("/admin/sales/order/commentsHistory/order_id/635/").text


@pytest.mark.parametrize(("qty", "amounts", "text"), TABLES["memos_that_are_refused"])
def test_memos_that_are_refused(qty: dict[str, int] | None, amounts: dict[str, str], text: str, shop: Shop) -> None:
    assert text in _memo(shop, 635, qty, **amounts)
    assert not shop.world.changes()


@pytest.mark.parametrize("status", ["closed", "canceled", "holded", "payment_review", "pending"])
def test_orders_with_nothing_to_refund(status: str, shop: Shop) -> None:
    answer = shop.get(f"/admin/sales/order_creditmemo/new/order_id/{_some(shop, status)}/")
    assert answer.status_code == 404
    assert "We can't create credit memo for the order." in read(answer.text)[0]


def test_the_button_starts_the_form(shop: Shop) -> None:
    answer = shop.get("/admin/sales/order_creditmemo/start/order_id/635/")
    assert answer.headers["location"] == "/admin/sales/order_creditmemo/new/order_id/635/"


def test_quantities_are_worked_out_again(shop: Shop) -> None:
    first, second = _items(shop, 635)
    fields = {
        f"creditmemo[items][{first['item_id']}][qty]": "0",
        f"creditmemo[items][{second['item_id']}][qty]": "1",
        "creditmemo[shipping_amount]": "0",
    }
    page = read(shop.send("/admin/sales/order_creditmemo/updateQty/order_id/635/", fields).text)[0]
    assert "Grand Total | $40.38" in page
    assert not shop.world.changes()


def test_a_review_is_moderated(shop: Shop) -> None:
    fields = {"status_id": "Not Approved", "nickname": "MattB", "title": "Flat", "detail": "Text."}
    page = shop.send("/admin/review/product/save/id/104/", fields)
    assert "You saved the review." in read(page.text)[0]
    [change] = shop.world.changes()
    assert change.after is not None
    assert change.after["status"] == "Not Approved"


def test_a_review_needs_its_fields(shop: Shop) -> None:
    page = shop.send("/admin/review/product/save/id/104/", {"status_id": "Approved"})
    assert "This is a required field." in read(page.text)[0]
    assert not shop.world.changes()
