"""Sources: the shipped data that a world is built from. A variant changes them before anything is built."""

from collections.abc import Callable
from typing import Any

Vary = Callable[[str, Any], Any]
"""The name of a source (`shopadmin/crowd`, `forum/crowd`, `consumer/www.ikea.com`) and its contents -> the contents to
build from. It is a key of caches, so it must be hashable, and two of them may be equal only if they change everything
in the same way."""


def as_shipped(_: str, contents: Any) -> Any:
    """Without a variant: the shipped contents."""
    return contents
