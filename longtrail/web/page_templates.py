"""Page templates: how sites turn data into HTML (always escaped; an undefined name is an error), and say what they are:
on a page linked from the footer and, on copies of real sites, in a header of every response. Other pages don't say it:
an agent that is told everywhere that it is tested behaves differently.
"""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import jinja2
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

ABOUT_PATH = "/about-this-site"
ABOUT_TITLE = "About this site"
HEADER = b"x-replica"


class _Compiled(jinja2.FileSystemBytecodeCache):
    """Stores compiled templates in the `__pycache__` next to their folder, because compiling a report's templates takes
    half a second. A changed template is compiled again. Nothing is written if Python writes no bytecode."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder.parent / "__pycache__"), f"%s.{sys.implementation.cache_tag}.jinja")

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):  # an installation that this user can't write to
            if not sys.dont_write_bytecode:
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)


def environment(folder: Path) -> jinja2.Environment:
    """A Jinja environment over a folder of templates: autoescape always on, undefined names raise."""
    templates = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_Compiled(folder),
    )
    templates.globals.update(about_path=ABOUT_PATH, about_title=ABOUT_TITLE)
    return templates


def page(templates: jinja2.Environment, name: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A rendered page."""
    return HTMLResponse(templates.get_template(name).render(**context), status_code=status)


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
