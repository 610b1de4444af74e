"""Tiny: the smallest site that has everything. For tests, and for people who write an agent or a site of their own."""

from trailmark.web.tiny.site import Tiny


def make() -> Tiny:
    """The tool library at https://tiny.test/."""
    return Tiny()
