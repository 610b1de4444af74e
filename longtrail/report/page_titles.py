"""Page titles: a page's key in ordinary words: `order:635/history` is "order 635, comments history"."""

_TABS = {"history": "comments history", "creditmemos": "credit memos"}
_KINDS = {"creditmemo": "credit memo", "cms": "written page", "customer": "customer", "image": "picture"}
_GRIDS = {"cms": "list of written pages", "creditmemos": "list of credit memos", "dashboard": "dashboard"}


def page_in_words(key: str) -> str:
    """A page key (`checks/page_names`) in ordinary words."""
    kind, _, rest = key.partition(":")
    if kind == "forum":
        return _forum(rest)
    if kind == "image":
        return "a picture"
    if not rest or not rest[0].isdigit():
        return _GRIDS.get(kind, f"list of {kind}")
    number, _, tab = rest.partition("/")
    return f"{_KINDS.get(kind, kind)} {number}" + (f", {_TABS.get(tab, tab)}" if tab else "")


def _forum(rest: str) -> str:
    kind, _, name = rest.partition("/")
    if kind == "user":
        name, _, part = name.partition("/")
        return f"{name}'s {part}" if part else f"{name}'s profile"
    if kind == "log":
        return f"moderation log of {name}" if name else "moderation log"
    if kind == "wiki":
        return f"wiki page {name}" if name else "wiki"
    if kind == "submission":
        return f"submission {name.split('/')[0]}"
    return f"forum {name}" if kind == "f" else f"{kind} {name}".strip()


def record_of(key: str) -> str:
    """The record that a page belongs to: `order:635` for `order:635/history`, `forum:user/ada` for its comments."""
    if key.startswith("forum:"):
        return "/".join(key.split("/")[:2])
    return key.split("/")[0]


def named_in(key: str) -> str:
    """How lists and texts name the record: by its number or the member's name; empty if it has neither."""
    record = record_of(key)
    name = record.split("/", 1)[-1] if record.startswith("forum:") else record.partition(":")[2]
    return "" if not name or record.startswith(("image:", "forum:log")) or name == record else name
