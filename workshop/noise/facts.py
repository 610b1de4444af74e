"""Facts of the noise: do the figures and quotations in an entry stand on the pages that it had read by then?"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from urllib.parse import urlsplit

from longtrail.authoring.validity.crawl import fetch, read
from longtrail.noise.pool import NoiseTrajectory
from longtrail.records.memory import MemoryStep
from longtrail.web.registry import all_sites, by_host
from longtrail.web.world import Templates, World, in_world
from workshop.noise.bearing import claims, ungrounded


@dataclass(frozen=True)
class FactCheck:
    """The figures and quotations of some entries."""

    told: int
    """How many there are."""
    stray: tuple[tuple[str, int, str], ...]
    """Those that no page has shown by then: entry, step (from 1), and the words."""


def check_facts(entries: Iterable[NoiseTrajectory]) -> FactCheck:
    """Every figure, amount and quotation in thoughts, reflections and answers is looked up on the entry's pages up to
    then, in its instruction, and in what was typed. Pages are asked for as a new visitor sees them."""
    told, stray = 0, []
    for entry in entries:
        seen = entry.episode.instruction
        steps = entry.episode.steps
        for number, step in enumerate(steps, 1):
            after = steps[number].url if number < len(steps) else ""
            seen += _page(step)
            for words, also in ((f"{step.thought}\n{_answer(step)}", ""), (step.reflection, page_text(after))):
                told += len(claims(words))
                stray += [(entry.id, number, claim) for claim in ungrounded(words, seen + step.action + also)]
    return FactCheck(told, tuple(stray))


def _page(step: MemoryStep) -> str:
    return f"\n{step.url}\n{step.seen}\n{page_text(step.url)}\n"


def _answer(step: MemoryStep) -> str:
    return step.action if step.action.startswith("finish") else ""


@cache
def page_text(url: str) -> str:
    """What a page says to a new visitor; empty if it can't be asked for."""
    sites, parts = by_host(all_sites()), urlsplit(url)
    if (site := sites.get(parts.hostname or "")) is None:
        return ""
    world = World("facts", Templates([site]))
    try:
        address = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        _, _, text = asyncio.run(fetch(in_world(site.app, world), parts.hostname or "", address))
    finally:
        world.close()
    return "\n".join(read(text)[0])
