"""Posts: what the buttons and forms of a replica do. Each ends with a redirect, so that going back repeats nothing."""

from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from longtrail.web.request_values import whole_number
from longtrail.web.sites.consumer.forms import complaints
from longtrail.web.sites.consumer.items import anchor
from longtrail.web.sites.consumer.page import CartPage, FavouritesPage, FormPage
from longtrail.web.sites.consumer.rendering import render
from longtrail.web.sites.consumer.visit import ReplicaVisit

MOST_FIELDS = 60


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
