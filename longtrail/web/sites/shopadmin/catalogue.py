"""Catalogue: the shop's products, one per size, read from the world's data."""

from datetime import date
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from longtrail.paths import WORLDS
from longtrail.records.record import Record
from longtrail.web.site import VARIANTS_KEPT, SourceTransform, as_shipped
from longtrail.yaml_file import read_yaml, validate

FOLDER = WORLDS / "shopadmin"
FILE = FOLDER / "catalogue.yaml"


class Product(Record):
    """The product of one sku."""

    id: int
    sku: str
    name: str
    size: str
    category: str
    price: float
    qty: int
    weight: float
    enabled: bool
    since: date
    description: str


class CatalogueEntry(Record):
    """A catalogue entry. With sizes, each size is a separate product (`LM-HRN-FLC-M`)."""

    id: Annotated[int, Field(ge=1)]
    sku: Annotated[str, Field(pattern=r"^LM-[A-Z]{3}-[A-Z]{3}$")]
    name: str
    category: Literal["Outerwear", "Tops", "Bottoms", "Footwear", "Bags", "Camp & Trail", "Home", "Accessories"]
    price: float
    weight: float
    since: date
    sizes: tuple[str, ...] = ()
    enabled: bool = True
    text: str

    def products(self) -> list[Product]:
        """One product per size. Ids leave room for ten sizes per article."""
        return [
            Product(
                id=self.id * 10 + index,
                sku=f"{self.sku}-{size}" if size else self.sku,
                name=self.name,
                size=size,
                category=self.category,
                price=self.price,
                qty=(self.id * 37 + index * 23) % 140 if self.enabled else 0,
                weight=self.weight,
                enabled=self.enabled,
                since=self.since,
                description=self.text,
            )
            for index, size in enumerate(self.sizes or ("",))
        ]


def catalogue(vary: SourceTransform = as_shipped) -> dict[str, Product]:
    """All products by sku, in the catalogue's order."""
    return _catalogue(vary)


@lru_cache(VARIANTS_KEPT)
def _catalogue(vary: SourceTransform) -> dict[str, Product]:
    articles = validate(list[CatalogueEntry], vary("shop/catalogue", read_yaml(FILE)), FILE)
    return {p.sku: p for article in articles for p in article.products()}
