"""Trail: which pages the agent was shown, according to what the site served."""

from longtrail.checks.visits import trail
from tests.made import CUSTOMER, CUSTOMER_ORDERS, GRID, ORDER, SHOP, served, step, tab

HISTORY = f"{SHOP}/sales/order/commentsHistory/order_id/600/"
PICTURE = "https://forum.test/submission_images/9f2c.jpg"
CLICK = {"type": "click", "id": "1"}


def test_pages_and_tabs_in_order() -> None:
    steps = (
        step(1, CLICK, to=ORDER),
        step(2, CLICK, url=ORDER, requests=(tab(HISTORY),)),
        step(3, {"type": "scroll"}, url=ORDER),
        step(4, CLICK, url=ORDER, to=CUSTOMER),
        step(5, CLICK, url=CUSTOMER),
    )
    assert trail(steps) == (
        {"orders"},
        {"order:600"},
        {"order:600", "order:600/history"},
        {"order:600", "order:600/history"},
        {"customer:87"},
    )


def test_a_tab_that_failed_or_was_prefetched_was_not_there() -> None:
    for request in (tab(HISTORY, status=500), tab(HISTORY, purpose="prefetch"), tab(HISTORY, dest="script")):
        steps = (step(1, CLICK, url=ORDER, requests=(request,)), step(2, CLICK, url=ORDER))
        assert trail(steps)[1] == {"order:600"}


def test_requests_ahead_of_the_new_document_belong_to_the_old_one() -> None:
    both = (tab(HISTORY), served(CUSTOMER), tab(CUSTOMER_ORDERS))
    steps = (step(1, CLICK, url=ORDER, to=CUSTOMER, requests=both), step(2, CLICK, url=CUSTOMER))
    assert trail(steps)[1] == {"customer:87", "customer:87/orders"}


def test_an_address_that_the_site_never_served_is_no_page() -> None:
    faked = step(1, CLICK, url=ORDER, to=CUSTOMER, requests=())
    assert trail((faked, step(2, CLICK, url=CUSTOMER)))[1] == {"order:600"}


def test_going_back_shows_what_was_served_before() -> None:
    steps = (
        step(1, CLICK, url=GRID, to=ORDER),
        step(2, CLICK, url=ORDER, to=CUSTOMER),
        step(3, {"type": "back"}, url=CUSTOMER, to=ORDER, requests=()),
        step(4, CLICK, url=ORDER),
    )
    assert trail(steps)[3] == {"order:600"}


def test_pages_of_other_hosts_have_no_name() -> None:
    other = "https://www.example.com/admin/sales/order/view/order_id/600/"
    steps = (step(1, {"type": "goto", "url": other}, to=other), step(2, CLICK, url=other))
    assert trail(steps) == ({"orders"}, frozenset())


def test_images_are_named() -> None:
    post = "https://forum.test/f/news/1042/fire"
    picture = tab(PICTURE, dest="image", mode="no-cors")
    front = "https://forum.test/"
    steps = (
        step(1, CLICK, url=front, to=post, requests=(served(post), picture)),
        step(2, CLICK, url=post),
    )
    assert trail(steps)[1] == {"forum:submission/1042", "image:9f2c"}


def test_no_steps_no_trail() -> None:
    assert trail(()) == ()
