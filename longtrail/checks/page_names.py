"""Page names: the canonical name of a page of the shop's back office or the forum, from its address alone.

`order:635`, `order:635/history`, `customer:87/orders`, `forum:submission/ID`, `forum:user/NAME/comments`,
`forum:wiki/PATH`, `forum:search/ID`, `image:ID` ... Ids compare as integers; host, slug, sort order, cursor, page
number and trailing slash don't matter. The caller must check the host.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import parse_qsl, unquote, urlsplit

_ORDER_TABS = {
    "commentshistory": "history",
    "invoices": "invoices",
    "creditmemos": "creditmemos",
    "shipments": "shipments",
    "transactions": "transactions",
}
_CUSTOMER_TABS = {
    "account": "account",
    "addresses": "addresses",
    "orders": "orders",
    "productreviews": "reviews",
    "reviews": "reviews",
    "cart": "cart",
    "newsletter": "newsletter",
    "wishlist": "wishlist",
}
_DOCUMENTS = {"invoice": "invoice", "shipment": "shipment", "creditmemo": "creditmemo"}
_GRIDS = {
    ("sales", "order"): "orders",
    ("sales", "invoice"): "invoices",
    ("sales", "shipment"): "shipments",
    ("sales", "creditmemo"): "creditmemos",
    ("sales", "transactions"): "transactions",
    ("customer", "index"): "customers",
    ("customer", "group"): "customer-groups",
    ("customer", "online"): "customers-online",
    ("catalog", "product"): "products",
    ("review", "product"): "reviews",
    ("cms", "page"): "cms",
    ("dashboard", "index"): "dashboard",
    ("logging", "event"): "log",
    ("inbox", "index"): "inbox",
    ("inbox", "archive"): "inbox-archive",
}
_REPORTS = {("report_sales", "coupons"): "report:coupons", ("report_product", "returned"): "report:returned"}
_EDITS = {("catalog", "product"): "product", ("review", "product"): "review", ("cms", "page"): "cms"}
_ID_NAMES = {
    "order": ("order_id",),
    "invoice": ("invoice_id", "id"),
    "shipment": ("shipment_id", "id"),
    "creditmemo": ("creditmemo_id", "id"),
    "cms": ("page_id", "id"),
}
_SORTS = frozenset({"hot", "new", "active", "top", "controversial", "most_commented"})
_SCOPES = frozenset({"featured", "subscribed", "all", "moderated"})
_FORUM_PAGES = frozenset({"trash", "moderators", "edit", "comments", "appearance", "delete", "add_moderator"})
_NAMED_SUBMISSION = re.compile(r"(?:(?:https?://)?\S*?/?f/\w+/|/)?(\d{4,9})(?:/\S*)?")
_SUBMISSION_FORMS = frozenset({"edit", "mod_delete", "flair", "delete", "votes"})


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
    return _shop(parts[1:]) if parts[:1] == ["admin"] else _forum(parts)


def _number(text: str | None) -> str | None:
    return str(int(text)) if text and text.isascii() and text.isdigit() and len(text) < 19 else None


def _named(kind: str, number: str | None, tab: str = "") -> str | None:
    return f"{kind}:{number}{'/' + tab if tab else ''}" if number else None


# the shop: module / controller / action / name / value / name / value ...


def _shop(parts: list[str]) -> str | None:
    if parts[:1] == ["admin"]:
        parts = parts[1:]
    if not parts:
        return "dashboard"
    if parts[0] == "order_shipment":
        parts = ["sales", *parts]
    module, controller, action = [part.lower() for part in parts[:3]] + ["index"] * (3 - len(parts[:3]))
    values = parts[3:]
    given = dict(zip((name.lower() for name in values[0::2]), values[1::2], strict=False))
    if module == "dashboard":
        return "dashboard"
    if action == "index":
        return _GRIDS.get((module, controller))
    if module == "reports":
        return _REPORTS.get((controller, action))
    if (module, controller, action) == ("logging", "event", "view"):
        return "log"
    if (module, controller, action) == ("inbox", "message", "view"):
        return _named("inbox", _number(given.get("id")))
    if module == "sales":
        return _sales(controller.removeprefix("order_"), action, given)
    if (module, controller) == ("customer", "index"):
        tab = "" if action == "edit" else _CUSTOMER_TABS.get(action)
        return None if tab is None else _named("customer", _number(given.get("id")), tab)
    kind = _EDITS.get((module, controller)) if action == "edit" else None
    return _named(kind, _id(given, kind)) if kind else None


def _sales(controller: str, action: str, given: dict[str, str]) -> str | None:
    if controller == "order":
        if action == "view":
            return _named("order", _id(given, "order"))
        return _named("order", _id(given, "order"), _ORDER_TABS[action]) if action in _ORDER_TABS else None
    if controller not in _DOCUMENTS:
        return None
    if action == "view":
        return _named(_DOCUMENTS[controller], _id(given, controller))
    if action in ("new", "start"):
        return _named("order", _id(given, "order"), f"{controller}/new")
    return None


def _id(given: dict[str, str], kind: str) -> str | None:
    return next((number for name in _ID_NAMES.get(kind, ("id",)) if (number := _number(given.get(name)))), None)


# the forum


def _forum(parts: list[str]) -> str | None:
    if not parts:
        return "forum:front"
    head, rest = parts[0].lower(), parts[1:]
    if handler := _SECTIONS.get(head):
        return handler(rest)
    if head in _SORTS or head in _SCOPES:
        return "forum:front"
    if number := _number(head):
        return None if rest else f"forum:submission/{number}"
    return None


def _search(query: str) -> str:
    """A search for a submission's number or address finds what links it, so it has a name of its own."""
    named = _NAMED_SUBMISSION.fullmatch(query.strip())
    return f"forum:search/{int(named[1])}" if named else "forum:search"


def _forum_section(rest: list[str]) -> str | None:
    """/f/NAME, /f/NAME/SORT, /f/NAME/ID/slug ..., /f/NAME/moderation_log, /f/NAME/bans ..."""
    if not rest:
        return None
    name, rest = rest[0].lower().removesuffix(".atom"), rest[1:]
    what = rest[0].lower() if rest else ""
    if not what or what.removesuffix(".atom") in _SORTS:
        return f"forum:f/{name}"
    if number := _number(what.removesuffix(".json")):
        return _submission(number, rest[1:])
    if what == "moderation_log":
        return f"forum:log/{name}"
    if what == "bans":
        user = rest[2].lower() if len(rest) > 2 and rest[1] == "history" else ""
        return f"forum:bans/{name}/{user}" if user else f"forum:bans/{name}"
    if what in ("ban", "unban") and len(rest) > 1:
        return f"forum:{what}/{name}/{rest[1].lower()}"
    return f"forum:f/{name}/{what}" if what in _FORUM_PAGES else None


def _submission(number: str, rest: list[str]) -> str | None:
    """What follows the id: [slug[/nested|linear]], [slug/]comment/CID[/form], slug/form."""
    if "comment" in rest[:2]:
        after = rest[rest.index("comment") + 1 :]
        comment = _number(after[0]) if after else None
        return f"forum:submission/{number}/comment/{comment}" if comment and len(after) == 1 else None
    if len(rest) > 1 and rest[1] in _SUBMISSION_FORMS:
        return f"forum:submission/{number}/{rest[1]}"
    return f"forum:submission/{number}" if len(rest) < 2 or rest[1] in ("nested", "linear") else None


def _user_section(rest: list[str]) -> str | None:
    if not rest:
        return None
    name, tab = rest[0].lower(), rest[1].lower() if len(rest) > 1 else ""
    return f"forum:user/{name}/{tab}" if tab else f"forum:user/{name}"


def _wiki_section(rest: list[str]) -> str | None:
    if not rest or rest == ["index"]:
        return "forum:wiki/index"
    if rest[0].startswith("_"):
        kept = rest if _number(rest[-1]) is None or rest[0] == "_revision" else rest[:-1]
        return "forum:wiki/" + "/".join(kept).lower()
    return "forum:wiki/" + "/".join(rest).lower()


def _image_section(rest: list[str]) -> str | None:
    """The file or the page that shows it: its name without ending; a number compares as one."""
    stem = re.sub(r"\.[a-z0-9]{1,5}$", "", rest[0].lower()) if len(rest) == 1 else ""
    return f"image:{_number(stem) or stem}" if stem else None


def _alone(name: str) -> Callable[[list[str]], str | None]:
    """A section that is one page, whatever its order and page number."""
    return lambda _: name


_SECTIONS: dict[str, Callable[[list[str]], str | None]] = {
    "f": _forum_section,
    "user": _user_section,
    "u": _user_section,
    "wiki": _wiki_section,
    "w": _wiki_section,
    "submission_images": _image_section,
    "moderation_log": _alone("forum:log"),
    "forums": _alone("forum:forums"),
    "comments": _alone("forum:comments"),
    "messages": _alone("forum:messages"),
    "notifications": _alone("forum:notifications"),
    "bans": _alone("forum:bans"),
    "trash": _alone("forum:trash"),
    "tags": _alone("forum:tags"),
    "inbox": lambda rest: _named("inbox", _number(rest[0])) if rest and rest[0] != "archive" else "forum:inbox",
    "tag": lambda rest: f"forum:tag/{rest[0].lower()}" if rest else None,
    "submit": _alone("forum:submit"),
}
