"""Does every page always give the same text? Opens each kind of page repeatedly on a busy machine and counts the
different texts.

    python -m benchmarks.repeated_looks [--loads 200] [--loops 4] [--pages forum]

The kinds: pages of all embedded sites, and pages on which the browser or a script still changes something while the
first frames are drawn. Prints one row per page; if a page has several texts, prints the difference and exits with 1.
"""

import argparse
import difflib
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from benchmarks.busy_machine import busy
from benchmarks.page_times import PAGES
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import UrlPolicy
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from longtrail.web.site import Edition

A_SESSION = 20
"""Number of loads in one session; then a new one begins."""
ROWS = "<p>row <a href=#x>link</a>" * 1500
EMPTY = f"<p id=o>empty</p>{ROWS}"
FETCH = "fetch('/words').then(a => a.text()).then(t => { o.textContent = t })"
DRAWING = {
    "focus": "<input type=search autofocus aria-label=Search>",
    "focus-on-a-long-page": f"<input type=search autofocus aria-label=Search>{ROWS}",
    "focus-by-script": f"<input aria-label=Search>{ROWS}<script>onload = () => document.forms.length || "
    "document.querySelector('input').focus()</script>",
    "place": f"{ROWS}<h2 id=end>The end</h2>{ROWS}",
    "late-picture": f"<img loading=lazy alt=Teal width=200 height=100 src=/picture>{ROWS}",
    "frame": f"{EMPTY}<script>requestAnimationFrame(() => {{ o.textContent = 'drawn' }})</script>",
    "seen": f"{EMPTY}<script>new IntersectionObserver(() => {{ o.textContent = 'seen' }}).observe(o)</script>",
    "size": f"{EMPTY}<script>new ResizeObserver(() => {{ o.title = 'sized' }}).observe(o)</script>",
    "fetched": f"{EMPTY}<script>{FETCH}</script>",
    "fetched-when-seen": f"{EMPTY}<script>new IntersectionObserver((_, w) => {{ w.disconnect(); {FETCH} }}).observe(o)"
    "</script>",
}
"""Pages on which something happens after they were loaded."""
DRAWING_ADDRESS = "https://drawing.test/page/%s"
ADDRESSES = (
    *(f"https://{host}{path}" for host, paths in PAGES.items() for path in paths),
    "https://www.google.com/",
    "https://www.google.com/search?q=ikea",
    "https://duckduckgo.com/",
    "https://duckduckgo.com/?q=museum",
    *(DRAWING_ADDRESS % name for name in DRAWING),
    DRAWING_ADDRESS % "place#end",
)
"""Every kind of page."""


async def _page(request: Request) -> Response:
    return HTMLResponse(f"<!doctype html><title>Drawing</title>{DRAWING[request.path_params['name']]}")


async def _words(_: Request) -> Response:
    return Response("fetched words")


async def _picture(_: Request) -> Response:
    teal = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100"/></svg>'
    return Response(teal, media_type="image/svg+xml")


@dataclass
class DrawingSite:
    """The pages of `DRAWING`."""

    name: str = "drawing"
    hosts: tuple[str, ...] = ("drawing.test",)
    app: ASGIApp = field(
        default_factory=lambda: Starlette(
            routes=[Route("/page/{name}", _page), Route("/words", _words), Route("/picture", _picture)]
        )
    )

    def build(self, db: sqlite3.Connection, _: Edition) -> None:
        db.execute("CREATE TABLE lines (id INTEGER PRIMARY KEY)")


class Looker:
    """A browser that opens pages and reports their observations."""

    def __init__(self, web: SealedWeb, browser: Browser) -> None:
        self._web, self._browser, self._worlds = web, browser, 0

    def texts(self, url: str, loads: int) -> Counter[str]:
        """How often each text was shown in this many loads."""
        seen: Counter[str] = Counter()
        for first in range(0, loads, A_SESSION):
            self._worlds += 1
            world = self._web.open_world(f"looks-{self._worlds}")
            try:
                with self._browser.session(
                    world, self._web.proxy(world), url_policy=UrlPolicy(self._web.hosts)
                ) as session:
                    for _ in range(first, min(first + A_SESSION, loads)):
                        session.goto(url)
                        told = session.observe().observation
                        seen[f"{told.url}\n{told.title}\n{told.text}\n{told.pictures}"] += 1
            finally:
                world.close()
        return seen


@contextmanager
def looker() -> Iterator[Looker]:
    """One on all embedded sites."""
    with SealedWeb([*all_sites(), DrawingSite()]) as web, Browser() as browser:
        yield Looker(web, browser)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--loads", type=int, default=200, help="of each page")
    parser.add_argument("--loops", type=int, default=4, help="endless loops beside it")
    parser.add_argument("--pages", default="", help="only addresses that hold this")
    given = parser.parse_args()
    chosen = [url for url in ADDRESSES if given.pages in url]
    unlike = 0
    with looker() as looks, busy(given.loops):
        for url in chosen:
            seen = looks.texts(url, given.loads)
            print(f"{url:75} {given.loads:5} loads {len(seen):3} text{'s' if len(seen) > 1 else ''}", flush=True)
            if len(seen) > 1:
                unlike += 1
                texts = [text.splitlines() for text, _ in seen.most_common(2)]
                print(*list(difflib.unified_diff(*texts, n=0, lineterm=""))[:20], sep="\n")
    print(f"{len(chosen)} pages: {f'{unlike} have more than one text' if unlike else 'every page is one text'}")
    return 1 if unlike else 0


if __name__ == "__main__":
    raise SystemExit(main())
