"""Rendering: the engine's Jinja environment, its drawings (templates below `pictures/`), and rendering of a visit. A
site may override any template."""

import colorsys
import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from starlette.responses import HTMLResponse

from longtrail.web.page_templates import environment
from longtrail.web.request_values import whole_number
from longtrail.web.site import VARIANTS_KEPT
from longtrail.web.sites.consumer import finding, listing, markup
from longtrail.web.sites.consumer.items import Item, long_date, money
from longtrail.web.sites.consumer.page import CartPage, FormPage, ListingPage, SearchPage
from longtrail.web.sites.consumer.sites import Replica
from longtrail.web.sites.consumer.visit import ReplicaVisit

TONES = {
    "white": (40, 12, 94), "black": (220, 8, 18), "gray": (210, 6, 58), "grey": (210, 6, 58), "beige": (38, 36, 78),
    "brown": (26, 42, 38), "red": (4, 68, 50), "orange": (26, 86, 55), "yellow": (46, 90, 58), "green": (130, 34, 42),
    "teal": (180, 42, 38), "blue": (212, 62, 50), "navy": (222, 52, 26), "purple": (272, 42, 48), "pink": (342, 58, 72),
    "oak": (34, 48, 64), "birch": (38, 46, 80), "pine": (36, 58, 72), "bamboo": (42, 52, 66), "clear": (196, 30, 86),
    "gold": (42, 62, 52), "silver": (210, 8, 76), "anthracite": (210, 6, 28), "multicolor": (330, 60, 60),
}  # fmt: skip
"""Name -> hue, saturation, lightness."""


@dataclass(frozen=True, slots=True)
class Paint:
    """The parameters of a drawing: a main colour and its variants, a background, a contrast, numbers below 100."""

    main: str
    light: str
    dark: str
    ground: str
    deep: str
    contrast: str
    n: tuple[int, ...]
    name: str

    @property
    def called(self) -> str:
        """The name in small letters, for drawings that show what it says."""
        return self.name.lower()


def paint(seed: str, tone: str, name: str) -> Paint:
    """Colours and numbers determined by the seed, or by the tone if one is named."""
    digest = hashlib.sha256(seed.encode()).digest()
    hue, saturation, lightness = TONES.get(
        tone.lower().split("/")[0].strip(), (digest[0] * 360 // 256, 48 + digest[1] % 24, 46)
    )
    other = (hue + 150 + digest[2] % 60) % 360
    return Paint(
        main=_hex(hue, saturation, lightness),
        light=_hex(hue, saturation, min(96, lightness + 16)),
        dark=_hex(hue, saturation, max(6, lightness - 16)),
        ground=_hex((hue + 20) % 360, 14, 95 if lightness < 88 else 88),
        deep=_hex(hue, min(70, saturation + 10), 14),
        contrast=_hex(other, 62, 58),
        n=tuple(byte % 100 for byte in digest[3:23]),
        name=name,
    )


def _hex(hue: int, saturation: int, lightness: int) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"


TEMPLATES = Path(__file__).parent / "templates"


@cache
def engine() -> Environment:
    """The templates, with the functions that they may call."""
    templates = environment(TEMPLATES)
    templates.filters.update(prose=markup.prose, line=markup.line, long_date=long_date)
    templates.globals.update(picture=picture, drawing=drawing, money=money, template_for=template_for)
    return templates


@cache
def template_for(host: str, name: str) -> str:
    """The template that a site uses under this name: its own in `sites/<host>/` if it has one."""
    mine = f"sites/{host}/{name}"
    return mine if (TEMPLATES / mine).is_file() else name


def drawing(item: Item, name: str = "") -> Markup:
    """An item's picture, as its catalogue defines it (`name` or `name:tone`)."""
    return picture(item.key, item.fill(name or item.shelf.catalogue.card.picture), item.name)


@lru_cache(maxsize=8_192)
def picture(seed: str, which: str, name: str = "") -> Markup:
    """A drawing from `pictures/`, coloured by its seed or its tone; empty if none is named."""
    if not which:
        return Markup()
    motif, _, tone = which.partition(":")
    template = engine().get_template(f"pictures/{motif}.svg")
    return Markup(template.render(p=paint(seed, tone, name)))  # noqa: S704 (rendered with autoescape)


@lru_cache(64 * VARIANTS_KEPT)
def style(host: str, replica: Replica) -> Markup:
    """The style sheet of a site, rendered once."""
    return Markup(engine().get_template("style.css").render(theme=replica.spec.theme, host=host))  # noqa: S704 (trusted data)


def render(visit: ReplicaVisit, status: int = 200, **more: Any) -> HTMLResponse:
    """The page of a visit."""
    kind = visit.page.kind
    template = engine().select_template([f"sites/{visit.replica.host}/{kind}.html", f"{kind}.html"])
    context = {"query": "", **_context(visit), **more}
    html = template.render(
        visit=visit,
        page=visit.page,
        item=visit.item,
        site=visit.spec,
        style=style(visit.replica.host, visit.replica),
        **context,
    )
    return HTMLResponse(html, status_code=status)


def missing(replica: Replica, path: str) -> HTMLResponse:
    """The site's page for an unknown address."""
    template = engine().get_template("missing.html")
    html = template.render(site=replica.spec, path=path, style=style(replica.host, replica))
    return HTMLResponse(html, status_code=404)


def _context(visit: ReplicaVisit) -> dict[str, Any]:
    page = visit.page
    if isinstance(page, ListingPage):
        shelf = visit.replica.shelves[page.items.catalogue]
        view = listing.Listing(page, shelf, visit.item, visit.params, visit.now)
        visit.listed = view.listed
        return {"view": view, "query": view.query}
    if isinstance(page, SearchPage):
        query = visit.params.get(page.query)
        results, instead = finding.pages(visit.replica, query)
        spelling = {"instead": instead, "instead_url": visit.params.put(page.query, instead).url}
        pager = listing.Pager(page.paging, visit.params, len(results))
        shown = results[pager.start : pager.start + page.paging.size]
        return {"found": shown, "total": len(results), "query": query, "pager": pager, **spelling}
    if isinstance(page, FormPage):
        return _form(visit, page)
    if isinstance(page, CartPage):
        fees = visit.charged(page.fees)
        return {"fees": fees, "total": round(visit.subtotal + sum(amount for _, amount in fees), 2)}
    return {}


def _form(visit: ReplicaVisit, page: FormPage) -> dict[str, Any]:
    done = visit.params.get("submitted")
    entered = visit.state.submission(page.name, whole_number(done))
    draft = visit.state.draft(page.name)
    step = min(max(1, whole_number(visit.params.get("step"), 1)), len(page.steps))
    return {
        "done": bool(entered),
        "number": done,
        "entered": entered or {**dict(visit.params.pairs), **draft},
        "step": step,
        "wrong": {},
    }
