"""The consumer web as a site of the sealed web."""

from longtrail.web.site import Site
from longtrail.web.sites.consumer.app import Consumer


def make() -> Site:
    """The site object for the front."""
    return Consumer()
