"""Rendering: the engine's Jinja environment, and rendering of a visit. A site may override any template."""

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from starlette.responses import HTMLResponse

from longtrail.web.page_templates import environment
from longtrail.web.replica_notice import ABOUT_PATH, ABOUT_TITLE
from longtrail.web.request_values import whole_number
from longtrail.web.sites.consumer import finding, forms, listing, markup
from longtrail.web.sites.consumer.items import Item, long_date, money
from longtrail.web.sites.consumer.page import CartPage, FormPage, ListingPage, SearchPage
from longtrail.web.sites.consumer.pictures import paint
from longtrail.web.sites.consumer.replica import Replica
from longtrail.web.sites.consumer.visit import ReplicaVisit

TEMPLATES = Path(__file__).parent / "templates"


@cache
def engine() -> Environment:
    """The templates, with the functions that they may call."""
    templates = environment(TEMPLATES)
    templates.filters.update(nodes=markup.nodes, spans=markup.spans, long_date=long_date)
    templates.globals.update(picture=picture, drawing=drawing, money=money, options=forms.options, own=own)
    templates.globals.update(about_path=ABOUT_PATH, about_title=ABOUT_TITLE)
    return templates


@cache
def own(host: str, name: str) -> str:
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


@cache
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
        view = listing.view(page, shelf, visit.item, visit.params, visit.now)
        visit.listed = view.listed
        return {"view": view, "query": view.query}
    if isinstance(page, SearchPage):
        query = visit.params.get(page.query)
        results, instead = finding.pages(visit.replica, query)
        spelling = {"instead": instead, "instead_url": visit.params.put(page.query, instead).url}
        start, pages, previous, following = listing.cut(page.paging, visit.params, len(results))
        shown = results[start : start + page.paging.size]
        links = {"pages": pages, "previous": previous, "next": following}
        return {"found": shown, "total": len(results), "query": query, **spelling, **links}
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
        "entered": entered or {**visit.state.preferences(), **dict(visit.params.pairs), **draft},
        "step": step,
        "wrong": {},
    }
