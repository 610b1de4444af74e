"""The search engine as a site of the sealed web."""

from longtrail.web.site import Site
from longtrail.web.sites.search.app import SearchEngine


def make() -> Site:
    """The site object for the front."""
    return SearchEngine()
