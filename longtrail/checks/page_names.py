"""Page names: the canonical name of a page of the shop's back office or the forum, from its address alone.

`order:635`, `order:635/history`, `customer:87/orders`, `forum:submission/ID`, `forum:user/NAME/comments`,
`forum:wiki/PATH`, `forum:search/ID`, `forum:log/user/NAME`, `image:ID` ... Ids compare as integers; host, slug, sort
order, cursor, page number and trailing slash don't matter. The caller must check the host.
"""

import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from longtrail.yaml_file import read_yaml

_NAMES: dict[str, dict[str, str]] = read_yaml(Path(__file__).with_suffix(".yaml"))
_NUMBER = _NAMES["words"]["NUMBER"]


def _pattern(row: str) -> re.Pattern[str]:
    for word, pattern in _NAMES["words"].items():
        row = row.replace(word, pattern)
    return re.compile(row)


_FORUM_ROWS = [(_pattern(row), name) for row, name in _NAMES["forum"].items()]
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
    name = _NAMES["shop"].get("/".join(place + ["index"] * (3 - len(place))))
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
