"""Listed: the items that a page lists, as the site reports them; stored with the request."""

from longtrail.records.record import Record


class Listed(Record):
    """The keys of the listed items in order, over all pages of the list."""

    items: tuple[str, ...] = ()
    order: str = ""
    """The field that they are sorted by, with a leading `-` for descending order; empty: the site's default order."""
