"""How many of the conformance pages Longtrail, Playwright and BrowserGym show, and how many they let an agent use.

    python -m benchmarks.conformance [--browsergym-python /path/to/python] [--list]

Each tool opens each page of `tests/browser/conformance/` in the same Chromium. A page is *shown* if the tool's text has
all words that people see (how it joins them does not count), *clean* if it has none that nobody sees, *used* if the
action works and its effect is shown (pages without an action count as used), *right* if all three hold.
"""

import argparse
import os
import re
from collections.abc import Sequence
from importlib.metadata import version
from typing import Protocol

from benchmarks.conformance_tools import AriaSnapshot, BrowserGym, Longtrail
from longtrail.browser.launcher import find_chromium
from tests.browser.conformance.pages import ConformancePage, ConformanceSite, conformance_pages


class Tool(Protocol):
    """Shows pages and acts on them."""

    def open(self, address: str) -> None: ...

    def text(self) -> str: ...

    def act(self, kind: str, words: str, text: str) -> bool: ...

    def close(self) -> None: ...


MEASURES = ("shown", "clean", "used", "right")


def measure(tool: Tool, page: ConformancePage, address: str) -> dict[str, bool]:
    """What the tool does with a page; a tool that fails on it does nothing with it."""
    try:
        tool.open(address)
        text = tool.text()
        shown = all(_folded(words) in _folded(text) for words in page.words)
        clean = not any(words in text for words in (*page.hides, "ghost"))
        used = page.action is None or _used(tool, page)
    except Exception as error:  # noqa: BLE001 (tools fail in many ways)
        print(f"  {type(tool).__name__} failed on {page.topic}: {page.name}: {str(error)[:200]}")
        return dict.fromkeys(MEASURES, False)
    return {"shown": shown, "clean": clean, "used": used, "right": shown and clean and used}


def _folded(text: str) -> str:
    """Without what tools put between the parts of a text: quotes, spaces, ids, `StaticText`."""
    return re.sub(r"\[(ref|cursor)=\w+\]|\[[a-z]?\d+\]|StaticText|\b(generic|text):|[\s'\"|-]", "", text)


def _used(tool: Tool, page: ConformancePage) -> bool:
    assert page.action is not None
    if not tool.act(page.action.kind, page.action.words, page.action.text):
        return False
    text = tool.text()
    return all(words in text for words in page.then)


def table(counts: dict[str, dict[str, int]], pages: int) -> list[str]:
    """Markdown: a line for each tool."""
    head = [f"| of {pages} pages | {' | '.join(MEASURES)} |", f"|---|{'---|' * len(MEASURES)}"]
    return [*head, *(f"| {name} | {' | '.join(str(count[m]) for m in MEASURES)} |" for name, count in counts.items())]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--browsergym-python", help="the Python of an environment with browsergym-core")
    parser.add_argument("--list", action="store_true", help="name the pages that are not right")
    options = parser.parse_args(arguments)
    os.environ.setdefault("LONGTRAIL_CHROMIUM", str(find_chromium()))
    pages = conformance_pages()
    site = ConformanceSite(pages)
    tools: dict[str, Tool] = {
        f"Longtrail {version('longtrail')}": Longtrail(site.hosts),
        f"Playwright {version('playwright')}, aria_snapshot": AriaSnapshot(),
    }
    if options.browsergym_python:
        tools["BrowserGym, axtree"] = BrowserGym(options.browsergym_python)
    counts = {name: dict.fromkeys(MEASURES, 0) for name in tools}
    for number, page in enumerate(pages):
        for name, tool in tools.items():
            result = measure(tool, page, site.address(number))
            for key in MEASURES:
                counts[name][key] += result[key]
            if options.list and not result["right"]:
                print(f"{name}: {page.topic}: {page.name}: not {', '.join(m for m in MEASURES[:3] if not result[m])}")
    print("\n".join(table(counts, len(pages))))
    for tool in tools.values():
        tool.close()
    site.close()


if __name__ == "__main__":
    main()
