"""Page names: the canonical name of a page of the shop's back office or the forum, from its address alone.

`order:635`, `order:635/history`, `customer:87/orders`, `forum:submission/ID`, `forum:user/NAME/comments`,
`forum:wiki/PATH`, `forum:search/ID`, `forum:log/user/NAME`, `image:ID` ... Ids compare as integers; host, slug, sort
order, cursor, page number and trailing slash don't matter. The caller must check the host.
"""

import re
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

_DOCUMENTS = ("invoice", "shipment", "creditmemo")
_CUSTOMER_TABS = ("account", "addresses", "orders", "reviews", "cart", "newsletter", "wishlist")
_SHOP = {
    "sales/order/index": "orders",
    "sales/transactions/index": "transactions",
    "customer/index/index": "customers",
    "customer/group/index": "customer-groups",
    "customer/online/index": "customers-online",
    "catalog/product/index": "products",
    "review/product/index": "reviews",
    "cms/page/index": "cms",
    "logging/event/index": "log",
    "logging/event/view": "log",
    "inbox/index/index": "inbox",
    "inbox/archive/index": "inbox-archive",
    "reports/report_sales/coupons": "report:coupons",
    "reports/report_product/returned": "report:returned",
    "inbox/message/view": "inbox:{id}",
    "sales/order/view": "order:{order_id}",
    "sales/order/commentshistory": "order:{order_id}/history",
    "sales/order/transactions": "order:{order_id}/transactions",
    "customer/index/edit": "customer:{id}",
    "customer/index/productreviews": "customer:{id}/reviews",
    "catalog/product/edit": "product:{id}",
    "review/product/edit": "review:{id}",
    "cms/page/edit": "cms:{page_id}",
    **{f"sales/{kind}/index": f"{kind}s" for kind in _DOCUMENTS},
    **{f"sales/order/{kind}s": f"order:{{order_id}}/{kind}s" for kind in _DOCUMENTS},
    **{f"sales/{under}{kind}/view": f"{kind}:{{{kind}_id}}" for kind in _DOCUMENTS for under in ("", "order_")},
    **{
        f"sales/{under}{kind}/{action}": f"order:{{order_id}}/{kind}/new"
        for kind in _DOCUMENTS
        for under in ("", "order_")
        for action in ("new", "start")
    },
    **{f"customer/index/{tab}": f"customer:{{id}}/{tab}" for tab in _CUSTOMER_TABS},
}
"""Module, controller and action of a page of the shop -> its name, with the parameter that has its number."""

_NUMBER = "[0-9]{1,18}"
_MORE = "(?:/.*)?"
_SORTS = "hot|new|active|top|controversial|most_commented"
_SCOPES = "featured|subscribed|all|moderated"
_FORUM_PAGES = "trash|moderators|edit|comments|appearance|delete|add_moderator"
_FORMS = "edit|mod_delete|flair|delete|votes"
_IN_FORUM = r"f/(?P<name>[^/]+?)(?:\.atom)?"
_SUBMISSION = rf"f/[^/]+/(?P<n>{_NUMBER})(?:\.json)?"
_FORUM = {
    rf"(?:(?:{_SORTS}|{_SCOPES}){_MORE})?": "forum:front",
    f"(?P<n>{_NUMBER})": "forum:submission/{n}",
    rf"{_SUBMISSION}(?:/[^/]*(?:/(?:nested|linear){_MORE})?)?": "forum:submission/{n}",
    rf"{_SUBMISSION}(?:/[^/]+)?/comment/(?P<n2>{_NUMBER})": "forum:submission/{n}/comment/{n2}",
    rf"{_SUBMISSION}/[^/]+/(?P<form>{_FORMS}){_MORE}": "forum:submission/{n}/{form}",
    rf"{_IN_FORUM}(?:/(?:{_SORTS})(?:\.atom)?{_MORE})?": "forum:f/{name}",
    rf"{_IN_FORUM}/moderation_log{_MORE}": "forum:log/{name}",
    rf"{_IN_FORUM}/bans/history/(?P<user>[^/]+){_MORE}": "forum:bans/{name}/{user}",
    rf"{_IN_FORUM}/bans{_MORE}": "forum:bans/{name}",
    rf"{_IN_FORUM}/(?P<act>ban|unban)/(?P<user>[^/]+){_MORE}": "forum:{act}/{name}/{user}",
    rf"{_IN_FORUM}/(?P<page>{_FORUM_PAGES}){_MORE}": "forum:f/{name}/{page}",
    r"u(?:ser)?/(?P<name>[^/]+)": "forum:user/{name}",
    rf"u(?:ser)?/(?P<name>[^/]+)/(?P<tab>[^/]+){_MORE}": "forum:user/{name}/{tab}",
    r"w(?:iki)?(?:/index)?": "forum:wiki/index",
    rf"w(?:iki)?/(?P<page>_(?!revision/).*?)(?:/{_NUMBER})?": "forum:wiki/{page}",
    r"w(?:iki)?/(?P<page>.+)": "forum:wiki/{page}",
    rf"submission_images/(?P<n>{_NUMBER})(?:\.[a-z0-9]{{1,5}})?": "image:{n}",
    r"submission_images/(?P<name>[^/]+?)(?:\.[a-z0-9]{1,5})?": "image:{name}",
    rf"moderation_log{_MORE}": "forum:log",
    rf"(?P<page>forums|comments|messages|notifications|bans|trash|tags|submit|about-this-site){_MORE}": "forum:{page}",
    rf"inbox(?:/archive{_MORE})?": "forum:inbox",
    rf"inbox/(?P<n>{_NUMBER}){_MORE}": "inbox:{n}",
    rf"tag/(?P<name>[^/]+){_MORE}": "forum:tag/{name}",
}
"""Path of a page of the forum, folded -> its name. The first row that fits counts; groups `n` are numbers."""
_FORUM_ROWS = [(re.compile(pattern), name) for pattern, name in _FORUM.items()]
_NAME_PREFIX = re.compile("^/?u/")
_NAMED_SUBMISSION = re.compile(r"(?:(?:https?://)?\S*?/?f/\w+/|/)?(\d{4,9})(?:/\S*)?")


@lru_cache(maxsize=16_384)
def page_key(url: str) -> str | None:
    """The page's canonical name, or None if the address has none."""
    try:
        address = urlsplit(url)
    except ValueError:
        return None
    parts = [unquote(part) for part in address.path.split("/") if part]
    if parts == ["search"]:
        return _search(dict(parse_qsl(address.query)).get("q", ""))
    if parts[:1] == ["moderation_log"] and (member := dict(parse_qsl(address.query)).get("user", "").strip()):
        return f"forum:log/user/{_NAME_PREFIX.sub('', member).lower()}"
    return _shop(parts[1:]) if parts[:1] == ["admin"] else _forum("/".join(parts).lower())


def _search(query: str) -> str:
    """A search for a submission's number or address finds what links it, so it has a name of its own."""
    named = _NAMED_SUBMISSION.fullmatch(query.strip())
    return f"forum:search/{int(named[1])}" if named else "forum:search"


def _shop(parts: list[str]) -> str | None:
    """Module / controller / action / name / value / name / value ..."""
    if parts[:1] == ["admin"]:
        parts = parts[1:]
    if parts[:1] == ["order_shipment"]:
        parts = ["sales", *parts]
    place = [part.lower() for part in parts[:3]]
    if place[:1] in ([], ["dashboard"]):
        return "dashboard"
    name = _SHOP.get("/".join(place + ["index"] * (3 - len(place))))
    if name is None or "{" not in name:
        return name
    given = dict(zip((word.lower() for word in parts[3::2]), parts[4::2], strict=False))
    before, parameter, after = re.split("[{}]", name)
    number = given.get(parameter) or ("" if parameter == "order_id" else given.get("id", ""))
    return f"{before}{int(number)}{after}" if re.fullmatch(_NUMBER, number) else None


def _forum(path: str) -> str | None:
    for pattern, name in _FORUM_ROWS:
        if match := pattern.fullmatch(path):
            groups = match.groupdict()
            return name.format(**{key: int(text) if key in ("n", "n2") else text for key, text in groups.items()})
    return None
