"""Params: the query of an address as ordered pairs, and the addresses that a page links to by changing it."""

from collections.abc import Iterable
from urllib.parse import quote

from longtrail.web.request_values import query_pairs


class Params:
    """Immutable; empty values are left out as if the field had not been sent."""

    def __init__(self, path: str, pairs: Iterable[tuple[str, str]]) -> None:
        self.path = path
        self.pairs = tuple((name, value.strip()) for name, value in pairs if value.strip())

    @classmethod
    def parse(cls, path: str, query: str) -> "Params":
        """From the raw query of a request."""
        return cls(path, query_pairs(query))

    def get(self, name: str, default: str = "") -> str:
        """The first value of a parameter."""
        return next((value for key, value in self.pairs if key == name), default)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a parameter."""
        return tuple(value for key, value in self.pairs if key == name)

    def without(self, *names: str) -> "Params":
        """The same without these parameters."""
        return Params(self.path, [(key, value) for key, value in self.pairs if key not in names])

    def put(self, name: str, *values: str) -> "Params":
        """The same with a parameter's values replaced."""
        return Params(self.path, [*self.without(name).pairs, *((name, value) for value in values)])

    @property
    def url(self) -> str:
        """Path and query."""
        query = "&".join(f"{quote(key, safe='[]')}={quote(value, safe=',:')}" for key, value in self.pairs)
        return f"{self.path}?{query}" if query else self.path
