"""Replica notice: says that an embedded site is a replica, on a page linked from its footer and, on copies of real
sites, in a header of every response. Other pages don't say it: an agent that is told everywhere that it is
tested behaves differently.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

ABOUT_PATH = "/about-this-site"
ABOUT_TITLE = "About this site"
HEADER = b"x-replica"


def notice(name: str) -> str:
    """What people are told about the site."""
    return (
        f"Test replica for evaluating software. Not affiliated with, run by or endorsed by {name}. "
        "Its content is invented, and nothing can be bought here."
    )


def with_notice(app: ASGIApp) -> ASGIApp:
    """The app with the notice in the headers of all answers."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        host = dict(scope.get("headers", [])).get(b"host", b"").partition(b":")[0].decode("latin-1")
        notice_header = (HEADER, notice(host).encode("latin-1", "replace"))

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), notice_header]}
            await send(message)

        await app(scope, receive, tell)

    return answer
