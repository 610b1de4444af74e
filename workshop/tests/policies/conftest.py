"""The two sites' visitors."""

from tests.web.sites.forum.conftest import member
from tests.web.sites.shopadmin.conftest import shop

__all__ = ["member", "shop"]
