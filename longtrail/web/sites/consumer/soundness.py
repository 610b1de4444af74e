"""Soundness: checks of a site's catalogues beyond their schema. Wrong data raises an error before pages are made."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.web.sites.consumer.model import Attribute, Catalogue, SiteSpec

IMPLICIT: Mapping[str, Attribute] = {name: Attribute() for name in ("id", "name", "slug", "url")}
"""Fields that every item has without declaring them."""
_KINDS: Mapping[str, Any] = {
    "number": int | float,
    "money": int | float,
    "rating": int | float,
    "flag": bool,
    "list": list,
    "time": str,
}


def check(spec: SiteSpec, file: Path) -> None:
    """Check that every reference exists, ids are unique and values have their fields' types. Raises DataError."""
    before: set[str] = set()
    for name, catalogue in spec.catalogues.items():
        for field, attribute in catalogue.fields.items():
            if attribute.type == "ref" and attribute.of not in spec.catalogues:
                raise DataError(file, f"catalogues.{name}.fields.{field}.of", f"no catalogue {attribute.of!r}")
        if catalogue.across and catalogue.across.of not in before:
            of = catalogue.across.of
            raise DataError(file, f"catalogues.{name}.across.of", f"no earlier catalogue is named {of!r}")
        _check_items(spec, catalogue, file, f"catalogues.{name}.items")
        before.add(name)


def _check_items(spec: SiteSpec, catalogue: Catalogue, file: Path, at: str) -> None:
    seen: set[str] = set()
    for index, values in enumerate(catalogue.items):
        id = str(values.get("id", ""))
        if not id or not values.get("name"):
            raise DataError(file, f"{at}.{id or index}", "an item needs an id and a name")
        if id in seen:
            raise DataError(file, f"{at}.{id}", "two items have this id")
        seen.add(id)
        for field, value in values.items():
            attribute = catalogue.fields.get(field) or IMPLICIT.get(field)
            if attribute is None:
                raise DataError(file, f"{at}.{id}.{field}", "is not a field of this catalogue")
            _check_value(spec, attribute, value, file, f"{at}.{id}.{field}")


def _check_value(spec: SiteSpec, attribute: Attribute, value: Any, file: Path, at: str) -> None:
    kind = _KINDS.get(attribute.type)
    if kind and not isinstance(value, kind):
        hint = " in quotes" if attribute.type == "time" else ""
        raise DataError(file, at, f"expected a {attribute.type}{hint}, got {value!r}")
    if attribute.whole and value is not None and value != int(value):
        raise DataError(file, at, f"expected whole dollars, got {value!r}")
    if attribute.type == "ref":
        target = spec.catalogues[attribute.of]
        if target.across is None and all(str(item.get("id")) != str(value) for item in target.items):
            raise DataError(file, at, f"{attribute.of} has no item {value!r}")
