"""Contact sheet: every consumer site's home page and three inner pages side by side, to check that the sites look
different.

    python -m workshop.contact_sheet [HOST ...]

The pictures and their page are written to reports/contact-sheet.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from longtrail.authoring.browse import serving
from longtrail.browser.launcher import find_chromium, sandbox_allowed
from longtrail.errors import UsageError
from longtrail.paths import REPORTS
from longtrail.records.record import Record
from longtrail.report.template_page import templates, write
from longtrail.tasks.cases import slug
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.app import make
from longtrail.web.sites.consumer.sites import PageAddress, Replica

TEMPLATE = Path(__file__).with_suffix(".html")
SIZE = (1280, 1600)
"""The size of a page in CSS pixels; its picture on the sheet is half as large."""
INNER = 3
_FIRST = ("listing", "detail", "form", "article", "page", "cart")
"""Kinds of inner pages, the most characteristic first."""


class PagePicture(Record):
    """One page on the sheet."""

    path: str
    title: str
    file: str
    """The file of its picture, in the sheet's folder."""


class SiteRow(Record):
    """One site on the sheet."""

    host: str
    name: str
    prints: tuple[PagePicture, ...]


def contact_sheet(hosts: Sequence[str], folder: Path, tell: Callable[[str], None] = lambda _: None) -> Path:
    """Take the pictures, write `index.html` next to them, and return its path. `hosts`: all sites
    if empty.

    Raises UsageError for a host that is not a consumer site.
    """
    unknown = [host for host in hosts if host not in sites.files()]
    if unknown:
        raise UsageError(f"{unknown[0]}: no such site; there are {', '.join(sites.files())}")
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for row in _rows([sites.replica(host) for host in hosts or sites.files()], folder):
        rows.append(row)
        tell(f"{row.host}: {', '.join(print.path for print in row.prints)}")
    template = templates().from_string(TEMPLATE.read_text(encoding="utf-8"))
    return write(folder / "index.html", template.render(rows=rows))


def inner_pages(replica: Replica) -> list[PageAddress]:
    """Up to three inner pages of different kinds. A search page without a query is left out."""
    chosen: dict[str, PageAddress] = {}
    for address in replica.addresses.values():
        if not getattr(address.page, "needs_query", False):
            chosen.setdefault(address.page.kind, address)
    return [chosen[kind] for kind in _FIRST if kind in chosen][:INNER]


def _rows(replicas: Sequence[Replica], folder: Path) -> Iterator[SiteRow]:
    from playwright.sync_api import sync_playwright

    with serving([make()], 0) as (web, world), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), chromium_sandbox=sandbox_allowed())
        context = browser.new_context(
            viewport={"width": SIZE[0], "height": SIZE[1]},
            device_scale_factor=0.5,
            proxy=web.proxy(world),  # type: ignore[arg-type]
            ignore_https_errors=True,
        )
        page = context.new_page()
        for replica in replicas:
            home = replica.spec.navigation.home
            prints = []
            for number, path in enumerate((home, *(address.path for address in inner_pages(replica)))):
                page.goto(f"https://{replica.host}{path}")
                file = f"{slug(replica.host)}-{number}.jpg"
                page.screenshot(path=folder / file, type="jpeg", quality=80)
                prints.append(PagePicture(path=path, title=page.title(), file=file))
            yield SiteRow(host=replica.host, name=replica.spec.name, prints=tuple(prints))
        browser.close()


if __name__ == "__main__":
    print(contact_sheet(sys.argv[1:], REPORTS / "contact-sheet", tell=print))
