"""The search engine of the sealed web: one index over all pages of the consumer web, behind two familiar faces."""

from trailmark.web.search.app import SearchEngine
from trailmark.web.site import Site


def make() -> Site:
    """The site object for the front."""
    return SearchEngine()
