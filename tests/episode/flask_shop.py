"""A small shop in Flask: a list, a form, an answer in JSON, a link that leads elsewhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

PAGE = "<!doctype html><title>{title}</title><h1>{title}</h1>{body}"

DESK = """<button onclick="o.textContent = 'named ' + prompt('Name of the list')">New list</button>
<a href="#/orders/12">Route</a><input type=file aria-label=File onchange="this.files[0].text().then(
text => p.textContent = this.files[0].name + ': ' + text)"><a href=/list.csv>List</a>
<p id=o></p><p id=p></p><p id=w></p>
<script>navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(
() => w.textContent = 'worker ready', error => w.textContent = error)</script>"""
"""A page that needs more than the paper's actions: a dialog, a route, a file, a download, a service worker."""

WORKSHOP = """<style>.hidden {visibility: hidden} .row:hover .hidden {visibility: visible}</style>
<p id=log></p><script>const say = text => log.textContent += ' ' + text</script>
<div class=row>Invoice 12 <button class=hidden onclick="say('deleted')">Delete</button></div>
<div role=slider tabindex=0 aria-label=Stars onkeydown="say('stars ' + event.key)">Stars</div>
<input aria-label=Name value=Ada onchange="say('name ' + this.value)">
<button ondblclick="say('twice')" oncontextmenu="say('menu'); event.preventDefault()">Row</button>
<button draggable=true ondragstart="event.dataTransfer.setData('text', 'A')">Card A</button>
<button ondragover="event.preventDefault()" ondrop="say('dropped ' + event.dataTransfer.getData('text'))">Done</button>
<div id=box style="height: 90px; width: 300px; overflow: auto"><button>First</button><p style="height: 900px"></p>
<button onclick="say('far')">Far</button></div>
<button onclick="setTimeout(() => say('saved'), 300)">Save</button>
<button onclick="say(confirm('Sure?') ? 'sure' : 'kept')">Ask</button>
<canvas width=60 height=60 style="position: fixed; right: 0; top: 0" onclick="say('drawn')"></canvas>"""
"""A page on which each thing needs another one of the full set's actions."""


@dataclass
class Shop:
    """Its orders, and its received requests."""

    status: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    sessions: set[str] = field(default_factory=set)
    address: str = ""

    def reset(self) -> None:
        self.status = {"12": "paid", "13": "paid"}

    def login(self) -> dict[str, str]:
        self.sessions.add("clerk")
        return {"who": "clerk"}


def make(shop: Shop, elsewhere: str) -> Any:
    """The app. `elsewhere`: an address that its pages try to reach, and that the task does not name."""
    from flask import Flask, redirect, request

    app = Flask("shop")

    @app.before_request
    def signed_in() -> Any:
        shop.asked.append(f"{request.method} {request.path}")
        if request.path != "/api/12" and request.cookies.get("who") not in shop.sessions:
            return PAGE.format(title="Sign in", body=""), 403
        return None

    @app.get("/")
    def orders() -> Any:
        rows = "".join(f'<li><a href="/orders/{n}">Order {n}</a> {s}</li>' for n, s in shop.status.items())
        leak = f'<img src="{elsewhere}/pixel.png"><script>fetch("{elsewhere}/leak", {{mode: "no-cors"}})</script>'
        return PAGE.format(title="Orders", body=f'<ul>{rows}</ul><a href="{elsewhere}/">Partner</a>{leak}')

    @app.get("/orders/<number>")
    def order(number: str) -> Any:
        form = f'<form method="post" action="/orders/{number}/refund"><input aria-label="Reason" name="reason">'
        done = "<p>Refund issued</p>" if shop.status[number] == "refunded" else ""
        return PAGE.format(title=f"Order {number}", body=f"{done}{form}<button>Refund</button></form>")

    @app.post("/orders/<number>/refund")
    def refund(number: str) -> Any:
        shop.status[number] = "refunded"
        return redirect(f"/orders/{number}")

    @app.get("/api/<number>")
    def api(number: str) -> Any:
        return {"orders": [{"number": number, "status": shop.status[number]}]}

    @app.get("/desk")
    def desk() -> Any:
        return PAGE.format(title="Desk", body=DESK)

    @app.get("/workshop")
    def workshop() -> Any:
        return PAGE.format(title="Workshop", body=WORKSHOP)

    @app.get("/strict")
    def strict() -> Any:
        page = PAGE.format(title="Strict", body="<main><button></button><button></button><p>&lt;b&gt;</p></main>")
        return page, {"content-security-policy": "default-src 'none'"}

    @app.get("/worker.js")
    def worker() -> Any:
        return "self.addEventListener('fetch', () => {})", {"content-type": "text/javascript"}

    @app.get("/list.csv")
    def listed() -> Any:
        return "a,b", {"content-disposition": "attachment"}

    return app


@contextmanager
def served(app: Any) -> Iterator[str]:
    """Serve the app on a port of its own; gives its address."""
    from werkzeug.serving import make_server

    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
