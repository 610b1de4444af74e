"""Guessing: the text of a second part alone, without the history, must lead to none of its key steps.

The guesser searches for the words, opens what is found, and follows the links of those sites whose names share most
words with the instruction. A task that it solves in part tells too much, or its page is the only one of its kind.
"""

import asyncio
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any
from urllib.parse import urljoin, urlsplit

from longtrail.authoring.validity import ValidityFinding
from longtrail.authoring.validity.crawl import fetch, read
from longtrail.checks.route_steps import UrlStep
from longtrail.tasks.task import LongContextTask
from longtrail.web.site import SourceTransform, as_shipped

RESULTS = 10
"""Number of results that are examined: the first page."""
OPENED = 5
"""Number of results that are opened."""
FOLLOWED = 4
"""Number of links that are followed from each page."""
DEPTH = 2
"""Number of consecutive pages that are opened from a result."""
MANY = 5
"""If this many pages of one kind are found, they don't tell which one is wanted."""
_ANCHOR = re.compile(r"<a\b[^>]*?\bhref=\"([^\"]*)\"[^>]*>(.*?)</a>", re.S)


def second_part_cannot_be_guessed(
    task: LongContextTask, vary: SourceTransform = as_shipped
) -> Iterator[ValidityFinding]:
    """The instruction alone leads to none of the task's pages, or to many of the same kind with others before them."""
    opened = guess(task.a2.instruction, vary)
    for number, key in enumerate(task.a2.route):
        hit = next((url for url in opened if isinstance(key, UrlStep) and key.fits(url)), "")
        alike = [url for url in opened if _kind(url) == _kind(hit)]
        if hit and (len(alike) < MANY or alike[0] == hit):
            yield ValidityFinding(f"a2.key_steps.{number}", f"the instruction alone leads to {hit}", (task.id,))


def guess(instruction: str, vary: SourceTransform = as_shipped) -> tuple[str, ...]:
    """The addresses, in order, that somebody opens who knows only this text."""
    from longtrail.web.sites.consumer.full_text import content_words
    from longtrail.web.sites.consumer.words import words
    from longtrail.web.sites.search.app import index

    wanted = content_words(words(instruction))
    results = index(vary).find(" ".join(wanted)).urls[:RESULTS]
    return tuple(dict.fromkeys([*results, *_follow(results[:OPENED], frozenset(wanted), vary)]))


def _kind(url: str) -> tuple[str, str, int]:
    """Host, first part of the path, and its depth: `/schedules/Orange/line` and `/schedules/Red/line` are alike."""
    parts = urlsplit(url)
    path = parts.path.strip("/").split("/")
    return str(parts.hostname), path[0], len(path)


def _follow(starts: Sequence[str], wanted: frozenset[str], vary: SourceTransform) -> list[str]:
    from longtrail.web.sites.consumer.words import words

    opened: list[str] = []
    level = list(starts)
    for _ in range(DEPTH):
        following: list[str] = []
        for url in level:
            shared = [(len(wanted & set(words(name))), target) for name, target in _links(url, vary)]
            best = sorted({pair for pair in shared if pair[0]}, key=lambda pair: (-pair[0], pair[1]))
            following += [target for _, target in best[:FOLLOWED]]
        opened += following
        level = list(dict.fromkeys(following))
    return opened


@cache
def _links(url: str, vary: SourceTransform) -> tuple[tuple[str, str], ...]:
    """Names and addresses of a page's links to its own site."""
    parts = urlsplit(url)
    address = f"{parts.path}?{parts.query}" if parts.query else parts.path
    status, _, page = asyncio.run(fetch(_app(vary), str(parts.hostname), address))
    if status != 200:
        return ()
    links = (
        (" ".join(read(name)[0]), urljoin(url, href.replace("&amp;", "&"))) for href, name in _ANCHOR.findall(page)
    )
    return tuple((name, target) for name, target in links if urlsplit(target).hostname == parts.hostname)


@cache
def _app(vary: SourceTransform) -> Any:
    from longtrail.web.sites.consumer.app import make
    from longtrail.web.world import Templates, World, in_world

    site = make(vary)
    return in_world(site.app, World("guess", Templates([site])))
