"""The consumer web as a site of the sealed web."""

from longtrail.web.site import Site
from longtrail.web.sites.consumer.app import Consumer
from longtrail.web.sources import Vary, as_shipped


def make(vary: Vary = as_shipped) -> Site:
    """The site object for the front."""
    return Consumer(vary)
