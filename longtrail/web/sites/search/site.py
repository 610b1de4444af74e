"""The search engine as a site of the sealed web."""

from longtrail.web.site import Site
from longtrail.web.sites.search.app import SearchEngine
from longtrail.web.sources import Vary, as_shipped


def make(vary: Vary = as_shipped) -> Site:
    """The site object for the front."""
    return SearchEngine(vary)
