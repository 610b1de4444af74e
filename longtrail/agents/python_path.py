"""Python path: an object of the user's own code, named as `package.module:attribute`."""

import importlib
import os
import sys
from collections.abc import Callable
from typing import Any

from longtrail.errors import UsageError


def load_callable(path: str, who: str) -> Callable[..., Any]:
    """Import what `package.module:attribute` names, also from the current directory.

    Raises UsageError, in one line that begins with `who`, if it can't be imported or called.
    """
    module, _, attribute = path.partition(":")
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.append(os.getcwd())
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"{who}: can't import {module!r}: {error}") from error
    for part in attribute.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise UsageError(f"{who}: {module!r} has no callable {attribute!r}")
    return found  # type: ignore[no-any-return]
