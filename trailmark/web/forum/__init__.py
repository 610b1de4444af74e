"""Forum: the community at forum.test. Addresses and labels are Postmill's; markup, people and words are our own."""

from trailmark.web.forum.site import ForumSite, make

__all__ = ["ForumSite", "make"]
