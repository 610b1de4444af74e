"""Weather: what a site of today puts in a visitor's way. Seeded, off by default (`--web-weather SEED`)."""

from trailmark.web.weather.site import Weathered

__all__ = ["Weathered"]
