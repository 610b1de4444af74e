"""axe: a page's violations of accessibility rules, found by axe-core."""

from functools import cache
from pathlib import Path
from typing import Any

import axe_playwright_python


@cache
def _script() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """One line for each violated rule, with the first element that violates it."""
    page.evaluate(_script())
    found = page.evaluate("axe.run()")["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:200]}" for each in found]
