"""The ASGI app of all replicas: host and path name the page, the scope's world has its state. Forms are checked, with
messages for people."""

import datetime
import re
import sqlite3
from collections.abc import Iterable, Mapping
from functools import partial
from urllib.parse import quote, unquote

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.web.page_templates import with_notice
from longtrail.web.request_values import read_form, whole_number
from longtrail.web.site import Edition, Site, SourceTransform, as_shipped
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.blocks import Control
from longtrail.web.sites.consumer.items import anchor
from longtrail.web.sites.consumer.page import CartPage, FavouritesPage, FormPage
from longtrail.web.sites.consumer.rendering import missing, render
from longtrail.web.sites.consumer.sites import Replica, lookup
from longtrail.web.sites.consumer.visit import SCHEMA, Params, ReplicaVisit

MOST_FIELDS = 60
MOST_CHARACTERS = 4_000
"""Of a field."""
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]{2,}")
_PHONE = re.compile(r"\+?[0-9 ().-]{7,20}")


def post(visit: ReplicaVisit, sent: FormData) -> Response:
    """Handle a POST to a page. Pages of other kinds answer 405."""
    match visit.page:
        case FavouritesPage():
            return _favourite(visit, sent)
        case CartPage() as page:
            return _cart(visit, page, sent)
        case FormPage() as page:
            return _form(visit, page, sent)
    return Response("Method Not Allowed", status_code=405)


def _see(address: str) -> RedirectResponse:
    return RedirectResponse(address, status_code=303)


def _text(sent: FormData, name: str) -> str:
    value = sent.get(name, "")
    return value.strip() if isinstance(value, str) else ""


def _back(visit: ReplicaVisit, sent: FormData, key: str = "") -> str:
    """The return address: always on this site, whatever was sent."""
    address = _text(sent, "back")
    local = address.startswith("/") and not address.startswith(("//", "/\\"))
    fragment = f"#{anchor(key)}" if key else ""
    return f"{address.partition('#')[0]}{fragment}" if local else visit.address.path


def _favourite(visit: ReplicaVisit, sent: FormData) -> Response:
    key = _text(sent, "item")
    if visit.replica.item(key) is None:
        return Response("There is no such item.", status_code=400)
    visit.state.mark(key, _text(sent, "do") != "remove")
    return _see(_back(visit, sent, key))


def _cart(visit: ReplicaVisit, page: CartPage, sent: FormData) -> Response:
    named = [key for key in sent.getlist("item") if isinstance(key, str)]
    keys = [key for key in named if (item := visit.replica.item(key)) is not None and not item.sold_out]
    quantity = whole_number(_text(sent, "quantity") or "1", -1)
    if quantity < 0 or (not keys and _text(sent, "do") != "clear"):
        return Response("There is no such item or quantity.", status_code=400)
    match _text(sent, "do"):
        case "clear":
            visit.state.empty_cart()
        case "set":
            visit.state.set(keys[0], min(quantity, 1) if page.single else quantity)
        case "remove":
            visit.state.set(keys[0], 0)
        case _:
            held = visit.cart
            for key in keys:
                if key not in held or (len(keys) == 1 and not page.single):
                    visit.state.add(key, 1 if page.single else max(1, quantity))
            return _see(_back(visit, sent, keys[0]) if page.stay else visit.address.path)
    return _see(visit.address.path)


def _form(visit: ReplicaVisit, page: FormPage, sent: FormData) -> Response:
    number = min(max(1, whole_number(_text(sent, "step"), 1)), len(page.steps))
    controls = page.steps[number - 1].fields[:MOST_FIELDS]
    entered = {control.name: _text(sent, control.name) for control in controls}
    everything = {**visit.state.draft(page.name), **entered}
    wrong = complaints(controls, entered)
    if not wrong and number == len(page.steps) > 1:
        for at, earlier in enumerate(page.steps[:-1], start=1):
            if complaints(earlier.fields, everything):
                return _see(f"{visit.address.path}?step={at}")
    if not wrong and page.reject and number == len(page.steps):
        wrong = {"": page.reject}
    if wrong:
        return render(visit, entered=everything, wrong=wrong, step=number)
    if number < len(page.steps):
        visit.state.save_draft(page.name, everything)
        return _see(f"{visit.address.path}?step={number + 1}")
    done = visit.state.submit(page.name, everything)
    if page.empties_cart:
        visit.state.empty_cart()
    return _see(f"{visit.address.path}?submitted={done}")


def complaints(controls: Iterable[Control], entered: Mapping[str, str]) -> dict[str, str]:
    """Field's name -> its error; empty if all are valid."""
    messages = {control.name: _complaint(control, entered.get(control.name, "").strip()) for control in controls}
    return {name: text for name, text in messages.items() if text}


def _complaint(control: Control, text: str) -> str:
    label = control.label.rstrip(":* ")
    if not text:
        return "" if not control.required else _missing(control, label)
    if len(text) > MOST_CHARACTERS:
        return f"{label} is too long."
    if control.pattern and not re.fullmatch(control.pattern, text):
        return control.complaint or f"{label} does not look right."
    match control.type:
        case "email" if not _EMAIL.fullmatch(text):
            return "Enter an email address like name@example.com."
        case "tel" if not _PHONE.fullmatch(text):
            return "Enter a phone number, digits only is fine."
        case "number":
            return _number(control, label, text)
        case "date":
            return _date(text)
        case "select" | "radio" if text not in {value for value, _ in control.choices}:
            return f"Choose one of the options for {label}."
    return ""


def _missing(control: Control, label: str) -> str:
    if control.type in ("select", "radio"):
        return f"Choose an option for {label}."
    return f"Tick this box to go on: {label}." if control.type == "checkbox" else f"{label} is required."


def _number(control: Control, label: str, text: str) -> str:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return f"{label} must be a number."
    if control.least is not None and value < control.least:
        return f"{label} must be at least {control.least:g}."
    if control.most is not None and value > control.most:
        return f"{label} must be at most {control.most:g}."
    return ""


def _date(text: str) -> str:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return "Enter a date as year-month-day, like 2026-04-30."
    return ""


async def app(vary: SourceTransform, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one HTTP request."""
    if scope["type"] != "http":
        return
    response = await _answer(Request(scope, receive), vary)
    await response(scope, receive, send)


async def _answer(request: Request, vary: SourceTransform) -> Response:
    host = (request.headers.get("host") or "").partition(":")[0].lower()
    path, query = request.scope["path"], request.scope["query_string"].decode("latin-1")
    if host in sites.aliases():
        return _moved(f"https://{sites.aliases()[host]}{quote(path)}", query)
    if host not in sites.files():
        return Response("Misdirected Request", status_code=421)
    replica = sites.replica(host, vary)
    address = replica.addresses.get(lookup(path))
    if address is None:
        return _elsewhere(replica, path, query)
    if path != unquote(address.path):
        return _moved(address.path, query)
    visit = ReplicaVisit(replica, address, Params.parse(address.path, query), request.scope["world"])
    if request.method == "POST":
        try:
            return post(visit, await read_form(request))
        except HTTPException as error:
            return Response(error.detail, status_code=error.status_code)
    if request.method not in ("GET", "HEAD"):
        return Response("Method Not Allowed", status_code=405, headers={"allow": "GET, HEAD, POST"})
    response = render(visit)
    if visit.listed is not None:
        request.scope.get("notes", {})["listed"] = visit.listed
    return response


def _elsewhere(replica: Replica, path: str, query: str) -> Response:
    """Redirect an old address, or answer 404 for an unknown one."""
    target = replica.redirects.get(lookup(path))
    return _moved(target, query) if target else missing(replica, path)


def _moved(target: str, query: str) -> Response:
    return RedirectResponse(f"{target}?{query}" if query else target, status_code=301)


class Consumer:
    """The consumer web as the proxy sees it: one app for all hosts."""

    def __init__(self, vary: SourceTransform = as_shipped) -> None:
        self.name = "consumer"
        self.hosts = sites.hosts()
        self.app: ASGIApp = with_notice(partial(app, vary))

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """No favourites, empty carts, nothing submitted."""
        db.executescript(SCHEMA)


def make(vary: SourceTransform = as_shipped) -> Site:
    """The site object for the proxy."""
    return Consumer(vary)
