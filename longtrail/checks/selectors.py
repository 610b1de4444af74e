"""Selectors: does a CSS selector match an element? Judged only by the element's path from the root, without the
document.

The path is recorded when an agent acts: `html>body>div#cart.wide:nth-child(2)>a.btn:nth-child(1)`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_PIECE = re.compile(
    r"(?P<combinator>\s*>\s*|\s+)"
    r"|(?P<nth>:nth-child\(\s*(?P<place>\d+)\s*\))|(?P<first>:first-child)"
    r"|#(?P<id>(?:\\.|[\w-])+)|\.(?P<class>(?:\\.|[\w-])+)|(?P<tag>\*|[a-zA-Z][\w-]*)"
)


@dataclass(frozen=True, slots=True)
class Compound:
    """The part of a selector about one element, or the same properties of an actual element."""

    tag: str = ""
    """Lower case; empty: any."""
    ids: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    place: int | None = None
    """Its position among its parent's children, from 1."""
    child: bool = False
    """Whether it must be a child (`>`), not any descendant, of the part before it."""

    def fits(self, element: "Compound") -> bool:
        """Whether an element has all of these properties."""
        return (
            self.tag in ("", element.tag)
            and self.ids <= element.ids
            and self.classes <= element.classes
            and self.place in (None, element.place)
        )


@lru_cache(maxsize=1024)
def parse(selector: str) -> tuple[Compound, ...] | None:
    """A selector's compounds from left to right; None for a selector with more than tag, id, class, `:nth-child(N)`,
    `:first-child`, `>` and descendants."""
    found: list[Compound] = []
    current, child, position, text = Compound(), False, 0, selector.strip()
    while position < len(text):
        piece = _PIECE.match(text, position)
        if piece is None:
            return None
        position = piece.end()
        if piece["combinator"] is not None:
            found.append(current)
            child = ">" in piece["combinator"]
            current = Compound(child=child)
        else:
            current = _with(current, piece)
    return (*found, current) if text and current != Compound(child=child) else None


def _with(current: Compound, piece: "re.Match[str]") -> Compound:
    tag, ids, classes, place = current.tag, current.ids, current.classes, current.place
    if piece["tag"]:
        tag = "" if piece["tag"] == "*" else piece["tag"].lower()
    elif piece["id"]:
        ids |= {_plain(piece["id"])}
    elif piece["class"]:
        classes |= {_plain(piece["class"])}
    else:
        place = 1 if piece["first"] else int(piece["place"])
    return Compound(tag, ids, classes, place, current.child)


def _plain(name: str) -> str:
    """Without backslashes: `a\\:b` is `a:b`."""
    return re.sub(r"\\(.)", r"\1", name)


def fits(selector: str, path: str) -> bool:
    """Whether a selector matches the element at the end of a path. Raises ValueError for a selector that can't be
    judged."""
    wanted, given = parse(selector), parse(path)
    if wanted is None:
        raise ValueError(f"{selector!r} is no selector that a path can be compared with")
    return given is not None and names(wanted, given)


def names(selector: Sequence[Compound], path: Sequence[Compound]) -> bool:
    """Whether a selector names the last element of a path."""
    if not selector:
        return True
    if not path or not selector[-1].fits(path[-1]):
        return False
    if len(selector) == 1:
        return True
    rest, above = selector[:-1], path[:-1]
    if selector[-1].child:
        return names(rest, above)
    return any(names(rest, above[:end]) for end in range(len(above), 0, -1))
