"""Page keys: every route of the shop and the forum that has a name, in all the spellings that mean the same page."""

from urllib.parse import quote_plus

import pytest

from longtrail.checks.page_names import page_key

SHOP = "https://shopadmin.test/admin"
FORUM = "https://forum.test"

SAME = {
    "order:635": [
        f"{SHOP}/sales/order/view/order_id/635/",
        f"{SHOP}/sales/order/view/order_id/635",
        f"{SHOP}/sales/order/view/order_id/000635/#order_history_block",
        f"{SHOP}/sales/order/view/order_id/635/customer_id/87/",
        f"{SHOP}/sales/order/view/customer_id/87/order_id/635/",
        f"{SHOP}/admin/sales/order/view/order_id/635/",
        "http://localhost:7780/admin/sales/order/view/order_id/635/key/0123abc/",
        f"{SHOP}/sales/order/view/order_id/635/?next=1",
    ],
    "order:635/history": [
        f"{SHOP}/sales/order/commentsHistory/order_id/635/",
        f"{SHOP}/sales/order/commentsHistory/order_id/635/active_tab/order_history/?isAjax=true",
    ],
    "order:635/invoices": [f"{SHOP}/sales/order/invoices/order_id/635/"],
    "order:635/shipments": [f"{SHOP}/sales/order/shipments/active_tab/x/order_id/635/"],
    "order:635/creditmemos": [f"{SHOP}/sales/order/creditmemos/order_id/635/"],
    "order:635/creditmemo/new": [
        f"{SHOP}/sales/order_creditmemo/new/order_id/635/",
        f"{SHOP}/sales/order_creditmemo/start/order_id/635/",
    ],
    "customer:87": [
        f"{SHOP}/customer/index/edit/id/87/",
        f"{SHOP}/customer/index/edit/id/87/active_tab/customer_orders/",
        f"{SHOP}/customer/index/edit/active_tab/customer_orders/id/87",
    ],
    "customer:87/orders": [f"{SHOP}/customer/index/orders/id/87/", f"{SHOP}/customer/index/orders/id/087?isAjax=true"],
    "customer:87/reviews": [f"{SHOP}/customer/index/productReviews/id/87/"],
    "customer:87/account": [f"{SHOP}/customer/index/account/id/87/"],
    "customer:87/addresses": [f"{SHOP}/customer/index/addresses/id/87/"],
    "creditmemo:12": [
        f"{SHOP}/sales/creditmemo/view/creditmemo_id/12/",
        f"{SHOP}/sales/order_creditmemo/view/creditmemo_id/12/",
    ],
    "shipment:9": [f"{SHOP}/sales/shipment/view/shipment_id/9/", f"{SHOP}/admin/order_shipment/view/shipment_id/9/"],
    "invoice:3": [f"{SHOP}/sales/invoice/view/invoice_id/3/", f"{SHOP}/sales/order_invoice/view/invoice_id/3/"],
    "product:5": [f"{SHOP}/catalog/product/edit/id/5/"],
    "review:8": [f"{SHOP}/review/product/edit/id/8/"],
    "cms:2": [f"{SHOP}/cms/page/edit/page_id/2/", f"{SHOP}/cms/page/edit/id/2/"],
    "orders": [f"{SHOP}/sales/order/", f"{SHOP}/sales/order/index/", f"{SHOP}/sales/order?p=2&search=foster"],
    "customers": [f"{SHOP}/customer/index/", f"{SHOP}/customer"],
    "creditmemos": [f"{SHOP}/sales/creditmemo/"],
    "reviews": [f"{SHOP}/review/product/"],
    "dashboard": [f"{SHOP}/admin/dashboard/", f"{SHOP}/", f"{SHOP}/dashboard"],
    "forum:submission/1042": [
        f"{FORUM}/f/news/1042/fire-beside-the-tower",
        f"{FORUM}/f/news/1042",
        f"{FORUM}/f/NEWS/1042/-/",
        f"{FORUM}/f/news/1042/other-slug/nested",
        f"{FORUM}/f/news/1042/slug/linear?x=1",
        f"{FORUM}/1042",
        f"{FORUM}/f/news/1042.json",
    ],
    "forum:submission/1042/comment/7": [
        f"{FORUM}/f/news/1042/-/comment/7",
        f"{FORUM}/f/news/1042/comment/7",
        f"{FORUM}/f/news/1042/a-slug/comment/007/",
    ],
    "forum:user/dr_health_ct": [f"{FORUM}/user/Dr_Health_CT", f"{FORUM}/u/dr_health_ct/"],
    "forum:user/dr_health_ct/submissions": [f"{FORUM}/user/Dr_Health_CT/submissions?next[id]=5"],
    "forum:user/dr_health_ct/comments": [f"{FORUM}/user/DR_HEALTH_CT/comments/"],
    "forum:wiki/vitamins/k2": [f"{FORUM}/wiki/Vitamins/K2", f"{FORUM}/w/vitamins/k2/"],
    "forum:wiki/index": [f"{FORUM}/wiki", f"{FORUM}/wiki/index"],
    "forum:wiki/_all": [f"{FORUM}/wiki/_all", f"{FORUM}/wiki/_all/2"],
    "forum:log/news": [f"{FORUM}/f/news/moderation_log", f"{FORUM}/f/News/moderation_log/3"],
    "forum:log": [f"{FORUM}/moderation_log", f"{FORUM}/moderation_log/2"],
    "forum:log/user/dr_health_ct": [
        f"{FORUM}/moderation_log?user=Dr_Health_CT",
        f"{FORUM}/moderation_log/2?user=%2Fu%2Fdr_health_ct",
    ],
    "forum:trash": [f"{FORUM}/trash", f"{FORUM}/trash?page=2"],
    "forum:bans/news": [f"{FORUM}/f/news/bans", f"{FORUM}/f/news/bans/2"],
    "forum:bans/news/quasarmaster": [f"{FORUM}/f/news/bans/history/QuasarMaster/1"],
    "forum:f/news": [f"{FORUM}/f/news", f"{FORUM}/f/News/new?t=week", f"{FORUM}/f/news/hot.atom"],
    "forum:f/news/comments": [f"{FORUM}/f/news/comments"],
    "forum:search": [f"{FORUM}/search?q=k2", f"{FORUM}/search", f"{FORUM}/search?q=160256+gym"],
    "forum:search/160256": [
        f"{FORUM}/search?q=160256",
        f"{FORUM}/search?q=f/Gym/160256",
        f"{FORUM}/search?q={quote_plus(FORUM)}%2Ff%2FGym%2F160256%2Fslug",
    ],
    "forum:front": [FORUM, f"{FORUM}/", f"{FORUM}/top?t=all", f"{FORUM}/all/new"],
    "image:9f2c": [f"{FORUM}/submission_images/9f2c.jpg", f"{FORUM}/submission_images/9F2C?zoom=2"],
    "image:17": [f"{FORUM}/submission_images/0017.png"],
}
NAMELESS = [
    f"{SHOP}/sales/order/view/",
    f"{SHOP}/sales/order/view/order_id/abc/",
    f"{SHOP}/sales/order/view/id/635/",
    f"{SHOP}/sales/order/hold/order_id/635/",
    f"{SHOP}/sales/order/addComment/order_id/635/",
    f"{SHOP}/customer/index/delete/id/87/",
    f"{SHOP}/stores/scopes/save/",
    f"{SHOP}/sales/order/view/order_id/-635/",
    f"{FORUM}/f/news/1042/slug/lock",
    f"{FORUM}/f/news/1042/slug/comment/7/delete",
    f"{FORUM}/f",
    f"{FORUM}/user",
    f"{FORUM}/anything/else",
    "https://[broken",
    "about:blank",
    "data:text/html,x",
]


@pytest.mark.parametrize("key", SAME)
def test_all_spellings_of_a_page_have_one_name(key: str) -> None:
    assert {page_key(url) for url in SAME[key]} == {key}


@pytest.mark.parametrize("url", NAMELESS)
def test_what_is_no_page_has_no_name(url: str) -> None:
    assert page_key(url) is None


def test_a_part_of_an_id_is_another_page() -> None:
    assert page_key(f"{SHOP}/sales/order/view/order_id/63/") != page_key(f"{SHOP}/sales/order/view/order_id/635/")


def test_the_three_pages_of_a_user_differ() -> None:
    assert len({page_key(f"{FORUM}/user/x_y_z{tab}") for tab in ("", "/submissions", "/comments")}) == 3
