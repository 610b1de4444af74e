"""The two sites' visitors."""

from workshop.tests.validity.conftest import member, shop

__all__ = ["member", "shop"]
