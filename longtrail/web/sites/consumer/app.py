"""The ASGI app of all replicas: host and path name the page, the scope's world has its state."""

import sqlite3
from functools import partial
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from longtrail.web.replica_notice import with_notice
from longtrail.web.request_values import read_form
from longtrail.web.site import Edition, Site, SourceTransform, as_shipped
from longtrail.web.sites.consumer import sites, state
from longtrail.web.sites.consumer.params import Params
from longtrail.web.sites.consumer.posts import post
from longtrail.web.sites.consumer.rendering import missing, render
from longtrail.web.sites.consumer.replica import Replica, lookup
from longtrail.web.sites.consumer.visit import ReplicaVisit


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
    """The consumer web as the front sees it: one app for all hosts."""

    def __init__(self, vary: SourceTransform = as_shipped) -> None:
        self.name = "consumer"
        self.hosts = sites.hosts()
        self.app: ASGIApp = with_notice(partial(app, vary))

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        """No favourites, empty carts, nothing submitted."""
        db.executescript(state.SCHEMA)


def make(vary: SourceTransform = as_shipped) -> Site:
    """The site object for the front."""
    return Consumer(vary)
