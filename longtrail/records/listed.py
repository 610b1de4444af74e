"""Listed: the items that a page of a site lists, as the site reports them; kept with the request."""

from longtrail.records.record import Record


class Listed(Record):
    """The keys of the listed items in order, over all pages of the list."""

    items: tuple[str, ...] = ()
    order: str = ""
    """The field by which they are sorted, with `-` before it downwards; empty: as the site has them."""
