"""Listed: what a page of a site lists. Told by the site, kept with the request."""

from longtrail.records.record import Record


class Listed(Record):
    """The items that are left, on all of the list's pages: their keys in order."""

    items: tuple[str, ...] = ()
    order: str = ""
    """The field by which they are sorted, with `-` before it downwards; empty: as the site has them."""
