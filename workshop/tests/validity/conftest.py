"""The two sites' visitors, and the forum's cases."""

from tests.web.sites.forum.conftest import cases, member
from tests.web.sites.shopadmin.conftest import shop

__all__ = ["cases", "member", "shop"]
