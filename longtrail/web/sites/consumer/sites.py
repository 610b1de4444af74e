"""Sites: the hosts of the consumer web, and their replicas, each read at first use. All addresses are known in advance,
so a request is one look-up."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from urllib.parse import unquote

from longtrail.clock import NOW
from longtrail.errors import DataError
from longtrail.paths import SITES
from longtrail.web.page_templates import ABOUT_PATH, ABOUT_TITLE, notice
from longtrail.web.site import VARIANTS_KEPT, SourceTransform, as_shipped
from longtrail.web.sites.consumer.blocks import Prose
from longtrail.web.sites.consumer.items import Item, Shelf
from longtrail.web.sites.consumer.model import SiteSpec, check
from longtrail.web.sites.consumer.page import CartPage, FavouritesPage, Page, PlainPage
from longtrail.yaml_file import read_yaml, validate


@dataclass(frozen=True, slots=True)
class PageAddress:
    """A concrete page: its address, its definition, and its item."""

    path: str
    page: Page
    item: Item | None = None

    def fill(self, text: str) -> str:
        """A text of the page with its item's fields."""
        return self.item.fill(text) if self.item else text

    def path_fill(self, text: str) -> str:
        """An address of the page with its item's fields."""
        return self.item.fill(text, raw=True) if self.item else text

    @property
    def title(self) -> str:
        return self.fill(self.page.title)


def lookup(path: str) -> str:
    """A path as in the table of addresses: decoded, without a trailing slash."""
    return unquote(path).rstrip("/") or "/"


def _about(name: str) -> Page:
    """The page that tells people what this site is."""
    return PlainPage(kind="page", path=ABOUT_PATH, title=ABOUT_TITLE, blocks=(Prose(kind="prose", text=notice(name)),))


class Replica:
    """A site: its shelves, and the table of its addresses and redirects. Raises DataError that names the fault."""

    def __init__(self, spec: SiteSpec, file: Path) -> None:
        self.spec, self.file = spec, file
        check(spec, file)
        self.shelves: dict[str, Shelf] = {}
        for name, catalogue in spec.catalogues.items():
            self.shelves[name] = Shelf(name, catalogue, self.shelves)
        self.addresses: dict[str, PageAddress] = {}
        self.redirects: dict[str, str] = {}
        for index, page in enumerate((*spec.pages, _about(spec.name))):
            for address in self._expand(page, index):
                self._add(address, index)
        self.cart = next((page for page in spec.pages if isinstance(page, CartPage)), None)
        self.favourites = next((page for page in spec.pages if isinstance(page, FavouritesPage)), None)

    @property
    def host(self) -> str:
        return self.spec.host

    def item(self, key: str) -> Item | None:
        """The item named `catalogue/id`, if there is one."""
        name, _, id = key.partition("/")
        shelf = self.shelves.get(name)
        return shelf.by_id.get(id) if shelf else None

    def _expand(self, page: Page, index: int) -> Iterator[PageAddress]:
        if not page.each:
            yield PageAddress(page.path, page)
            return
        if page.each not in self.shelves:
            raise DataError(self.file, f"pages.{index}.each", f"no catalogue is named {page.each!r}")
        shelf = self.shelves[page.each]
        for item in shelf.where(page.where, None, NOW):
            yield PageAddress(item.fill(page.path, raw=True) or item.url, page, item)

    def _add(self, address: PageAddress, index: int) -> None:
        key = lookup(address.path)
        if key in self.addresses:
            raise DataError(self.file, f"pages.{index}.path", f"{address.path} is another page's address")
        self.addresses[key] = address
        for other in address.page.also:
            self.redirects[lookup(address.path_fill(other))] = address.path


@cache
def files() -> dict[str, Path]:
    """Main host -> its file."""
    return {path.stem: path for path in sorted(SITES.glob("*.yaml"))}


@cache
def aliases() -> dict[str, str]:
    """Alias -> main host, read only from the first lines of the files: parsing every file would take each process
    seconds."""
    host_by_alias: dict[str, str] = {}
    for host, path in files().items():
        with path.open(encoding="utf-8") as file:
            head = [next(file, "").strip() for _ in range(3)]
        line = next((line for line in head if line.startswith("aliases:")), "")
        names = line.removeprefix("aliases:").strip(" []").replace(",", " ").split()
        host_by_alias |= dict.fromkeys(names, host)
    return host_by_alias


def hosts() -> tuple[str, ...]:
    """Every host, aliases included."""
    return (*files(), *aliases())


def replica(host: str, vary: SourceTransform = as_shipped) -> Replica:
    """The replica at a main host. Raises KeyError, DataError."""
    return _replica(host, vary)


@lru_cache(64 * VARIANTS_KEPT)
def _replica(host: str, vary: SourceTransform) -> Replica:
    path = files()[host]
    return Replica(validate(SiteSpec, vary(f"consumer/{host}", read_yaml(path)), path), path)


def replicas(vary: SourceTransform = as_shipped) -> tuple[Replica, ...]:
    """All replicas."""
    return tuple(replica(host, vary) for host in files())
