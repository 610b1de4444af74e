"""Python path: an object of the user's own code, named as `package.module:attribute`, and the file that it is from."""

import importlib
import sys
from collections.abc import Callable
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from longtrail.errors import UsageError


def load_callable(path: str, subject: str) -> Callable[..., Any]:
    """Import what `package.module:attribute` names; the current directory comes before all other places, also before
    the folders of tests, which pytest puts first.

    Raises UsageError, in one line that begins with `subject`, if it can't be imported or called.
    """
    module, _, attribute = path.partition(":")
    current_folder = str(Path.cwd())
    if sys.path[0] not in ("", current_folder):
        sys.path.insert(0, current_folder)
    top = module.partition(".")[0]
    loaded, nearest = _file(top), PathFinder.find_spec(top, [current_folder])
    if loaded and nearest and nearest.origin and loaded != Path(nearest.origin).resolve():
        raise UsageError(
            f"{subject}: {nearest.origin} has the name of {loaded}, which is loaded already: rename one of them"
        )
    try:
        target: Any = importlib.import_module(module)
    except ImportError as error:
        raise UsageError(f"{subject}: can't import {module!r}: {error}") from error
    for part in attribute.split("."):
        target = getattr(target, part, None)
    if not callable(target):
        raise UsageError(f"{subject}: {module!r} has no callable {attribute!r}")
    return target  # type: ignore[no-any-return]


def source_file(name: str) -> Path | None:
    """The file of an agent of the user's own that was loaded, or the program of `cdp:COMMAND`; None: unknown."""
    target = name.removeprefix("cdp:").removeprefix("browsergym:")
    if (file := _file(target.partition(":")[0])) is not None:
        return file
    files = [Path(word).resolve() for word in target.split() if Path(word).is_file()] if target != name else []
    return files[-1] if files else None


def _file(module: str) -> Path | None:
    file = getattr(sys.modules.get(module), "__file__", None)
    return Path(file).resolve() if file else None
