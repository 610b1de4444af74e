"""Material: the fields of a phrasing. Input: an action and a page. Output: fields with their
values."""

import random
import re

from workshop.noise.errand import NoiseTaskStep
from workshop.noise.page_summary import PageSummary
from workshop.noise.played_step import PlayedStep

_VERBS = re.compile(r"^(add to|save to|remove from|remove)\b[^,]*,\s*|^remove( all)?\s*", re.IGNORECASE)
_PLANS: dict[str, tuple[str, ...]] = {
    "goto": ("enter another address", "open a page by its address"),
    "search": ("search the web again", "go back to the search engine"),
    "back": ("go back", "return to the previous page", "leave this page again"),
    "scroll": ("scroll further", "look at the rest of the page"),
}
_CLICKS: dict[str, tuple[str, ...]] = {
    "link": ("open", "click", "go to", "look at", "check"),
    "button": ("press", "use", "click"),
}


def _thing(deed: PlayedStep) -> str:
    """What a button is for: in its name, else its card's, else the page's."""
    named, locator = _VERBS.sub("", deed.name), deed.move.click or deed.move.select
    if named != deed.name or locator is None or deed.intent not in ("add", "save", "remove", "choose"):
        return named
    return locator.within or (deed.before.heading if deed.before.kind == "detail" else "")


class Material:
    """Collects values from the pages of one errand; quotes no sentence twice."""

    def __init__(self, draw: random.Random) -> None:
        self._draw = draw
        self._quoted: set[str] = set()
        self._visited: list[str] = []

    def visit(self, page: PageSummary) -> None:
        """Remember that a page was seen."""
        name = f'"{page.heading}"' if page.heading else f"the home page of {page.site}"
        if page.kind not in ("start", "results") and name not in self._visited:
            self._visited.append(name)

    def of(self, deed: PlayedStep, page: PageSummary) -> dict[str, str]:
        """Every field with its value; empty if the page does not show it."""
        return {**self._page(page), **self._list(page), **self._links(deed, page), **self._deed(deed, page)}

    def _page(self, page: PageSummary) -> dict[str, str]:
        page_facts = [fact.rstrip(".") for fact in page.facts]
        facts = [*self._draw.sample(page_facts, min(2, len(page_facts))), "", ""]
        fresh = [sentence for sentence in page.sentences if sentence not in self._quoted and '"' not in sentence]
        quotes = [*self._draw.sample(fresh, min(3, len(fresh))), "", "", ""]
        self._quoted.update(quotes)
        return {
            "site": page.site,
            "title": page.title,
            "heading": page.heading,
            "lead": page.lead,
            "quote": quotes[0],
            "quote2": quotes[1],
            "quote3": quotes[2],
            "price": page.price if page.kind == "detail" else "",
            "total": page.total,
            "fact": facts[0],
            "fact2": facts[1],
            "facts": ", ".join(page_facts[:4]) if len(page_facts) > 2 else "",
            "complaint": page.complaint,
            "query": page.query,
        }

    def _list(self, page: PageSummary) -> dict[str, str]:
        """The entries of a list. Of an overview, a random selection in the page's order."""
        items = [item if "(" in item or page.kind == "results" else f'"{item}"' for item in page.items]
        some = min(self._draw.randint(3, 5), len(items))
        picked = sorted(self._draw.sample(range(len(items)), some)) if page.kind == "hub" else range(some)
        return {
            "count": "" if re.match(r"[01]\b", page.count) else page.count,
            "first": items[0] if items else "",
            "second": items[1] if len(items) > 1 and items[1] != items[0] else "",
            "third": items[2] if len(items) > 3 else "",
            "last": items[-1] if len(items) > 2 else "",
            "several": ", ".join(items[index] for index in picked) if len(items) > 3 else "",
            "filter": self._draw.choice(sorted(page.filters)) if page.filters else "",
            "order": page.order,
        }

    def _links(self, deed: PlayedStep, page: PageSummary) -> dict[str, str]:
        listed = [item.split(" (")[0] for item in page.items]
        links = [link for link in page.links if link != deed.name and not any(item in link for item in listed)]
        self._draw.shuffle(links)
        earlier = self._visited[-4:-1]
        return {
            "links": _and([f'"{link}"' for link in links[:3]]) if len(links) > 2 else "",
            "other": links[-1] if links else "",
            "visited": _and(earlier) if len(earlier) > 1 else "",
        }

    def _deed(self, deed: PlayedStep, page: PageSummary) -> dict[str, str]:
        return {
            "host": re.sub(r"^https?://([^/]+).*$", r"\1", deed.move.goto or page.url),
            "target": deed.name,
            "thing": _thing(deed),
            "text": deed.typed,
            "option": deed.typed,
            "aim": deed.aim if page is deed.before else deed.aim_after,
            "plan": self._plan(deed.upcoming) if deed.upcoming else "",
            "was": deed.before.heading if deed.before.heading != page.heading else "",
        }

    def _plan(self, move: NoiseTaskStep) -> str:
        """The next move as an infinitive; empty if it can't be named."""
        locator, choose = move.click or move.fill or move.select, self._draw.choice
        if locator is None:
            return choose(next((_PLANS[name] for name in _PLANS if getattr(move, name) is not None), ("",)))
        name = locator.name.strip("* ,")
        if move.fill:
            verbs = ("look for", "search for", "try the search with") if locator.enter else ("enter", "type in")
            return f'{choose(verbs)} "{locator.text}"'
        if move.select:
            return f'{choose(("select", "choose", "switch to"))} "{locator.option}"'
        return f'{choose(_CLICKS.get(locator.role, ("click", "use")))} "{name}"' if name else ""


def _and(names: list[str]) -> str:
    """Join with commas and `and`."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
