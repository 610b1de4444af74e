"""Sources: the shipped data that a world is built from. A variant changes them before anything is built."""

from collections.abc import Callable
from typing import Any

Vary = Callable[[str, Any], Any]
"""The name of a source (`shopadmin/crowd`, `forum/crowd`, `consumer/www.ikea.com`) and its contents -> the contents to
build from. It must be hashable, and equal only to what changes everything in the same way: results are cached by it."""


def as_shipped(_: str, contents: Any) -> Any:
    """Without a variant: the shipped contents."""
    return contents
