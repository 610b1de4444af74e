"""The consumer web: replicas of well-known sites, one engine fed by one YAML a site."""

from trailmark.web.consumer.app import Consumer
from trailmark.web.site import Site


def make() -> Site:
    """The site object for the front."""
    return Consumer()
