"""An agent that drives the browser itself, with Playwright over CDP: it follows links that share words with the task.

pytest -m shopping_admin --agent cdp:reader:solve        (with this folder on PYTHONPATH)
"""

import re

from playwright.sync_api import Page, sync_playwright

from longtrail.api import AgentReport, TaskMessage

SMALL = frozenset(
    {"and", "are", "for", "from", "has", "have", "its", "not", "that", "the", "this", "was", "with", "you"}
)


def solve(errand: TaskMessage) -> AgentReport:
    """Read up to five pages, then decide or answer with the sentence that fits the task best."""
    with sync_playwright() as driver:
        context = driver.chromium.connect_over_cdp(errand.cdp).contexts[0]
        page = context.pages[0]
        read: dict[str, str] = {page.url: page.locator("body").inner_text()}
        for _ in range(4):
            link = _best_link(page, errand.prompt, read)
            if link is None:
                break
            page.goto(link)
            read[page.url] = page.locator("body").inner_text()
    url, line = _best_line(errand.prompt, read)
    if not errand.decisions:
        return AgentReport(answer=line)
    return AgentReport.model_validate(
        {
            "decision": errand.decisions[0],
            "justification": f"On {url} it says: {line}",
            "evidence": [{"source": url, "quote": line}],
            "thought": f"I read {len(read)} pages.",
        }
    )


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z0-9]{3,}", text.lower())) - SMALL


def _best_link(page: Page, prompt: str, read: dict[str, str]) -> str | None:
    links = page.locator("a[href]").evaluate_all("each => each.map(a => [a.href, a.innerText])")
    fresh = [(len(_words(text) & _words(prompt)), href) for href, text in links if href.split("#")[0] not in read]
    best = max(fresh, default=(0, ""))
    return best[1] if best[0] else None


def _best_line(prompt: str, read: dict[str, str]) -> tuple[str, str]:
    lines = [
        (len(_words(line) & _words(prompt)), url, line.strip())
        for url, text in read.items()
        for line in text.splitlines()
    ]
    _, url, line = max(lines, default=(0, "", ""))
    return url, line[:400]
