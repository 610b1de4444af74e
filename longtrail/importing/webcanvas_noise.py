"""Published WebCanvas trajectories as a pool of noise.

Missing data are counted, never invented.
"""

import re
from collections import Counter
from collections.abc import Sequence

from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.importing.webcanvas import PublishedStep, PublishedTrajectory
from longtrail.noise.pool import NoiseTrajectory
from longtrail.noise.selection import content_words
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.records.record import Record

SEARCH_ENGINES = frozenset({"google.com", "bing.com", "duckduckgo.com"})
_CALL = re.compile(r"^(?P<name>\w+)\[(?P<given>.*)\]$", re.DOTALL)


class SkippedTrajectory(Record):
    """A trajectory that can't be noise, and why."""

    task: str
    why: str


class ImportedNoise(Record):
    """The result for a file."""

    trajectories: tuple[NoiseTrajectory, ...]
    left: tuple[SkippedTrajectory, ...] = ()
    steps: int = 0
    lacking: dict[str, int] = {}
    """Number of steps that lack the address, a reflection, a summary of the page."""


def as_noise(published: Sequence[PublishedTrajectory]) -> ImportedNoise:
    """Convert trajectories to noise, as far as the records allow.

    The host is the one most steps were on, search engines aside; the topics are the content words of the goal, so that
    a task is only given noise whose goal shares no word with the task's topics. A trajectory without any address is
    left out, because it is unknown whether it is irrelevant to a task.
    """
    kept: list[NoiseTrajectory] = []
    left: list[SkippedTrajectory] = []
    for number, one in enumerate(published, 1):
        steps = _steps(one)
        host = _host(one)
        topics = tuple(sorted(content_words(one.task)))
        if not host:
            left.append(SkippedTrajectory(task=one.task, why="no address was recorded, so its site is not known"))
        elif not topics:
            left.append(SkippedTrajectory(task=one.task, why="the goal has no word that tells its topic"))
        else:
            episode = PastTask(instruction=one.task, steps=steps)
            end = _address(one.steps[-1].url)
            kept.append(
                NoiseTrajectory(id=_id(number, one.task), host=host, topics=topics, episode=episode, ended_at=end)
            )
    every = [step for noise in kept for step in noise.episode.steps]
    lacking = {
        "address": sum(not step.url for step in every),
        "reflection": sum(not step.reflection for step in every),
        "summary of the page": sum(not step.seen for step in every),
    }
    return ImportedNoise(trajectories=tuple(kept), left=tuple(left), steps=len(every), lacking=lacking)


def _steps(one: PublishedTrajectory) -> tuple[MemoryStep, ...]:
    """A recorded address is where an action led: the next step was taken there."""
    before = ["", *(_address(step.url) for step in one.steps)]
    return tuple(
        MemoryStep(url=url, thought=step.thought, action=_words(step), reflection=step.reflection)
        for url, step in zip(before, one.steps, strict=False)
    )


def _address(url: str) -> str:
    """Only addresses that a browser can open: neither blank nor an error page."""
    return url if url.startswith(("http://", "https://")) and host_of(url) else ""


def _words(step: PublishedStep) -> str:
    """The action in the wording of our histories if the record has all of it; otherwise the record's description
    (element ids mean nothing later)."""
    call = _CALL.match(step.action.strip())
    if call and call["name"] == "goto":
        return f"goto {call['given']}"
    if call and call["name"] == "google_search":
        return f'search the web for "{call["given"]}"'
    if step.action.startswith("go_back"):
        return "go back"
    return step.action_description or step.action


def _host(one: PublishedTrajectory) -> str:
    hosts = [host_of(step.url) for step in one.steps if _address(step.url)]
    proper = [host for host in hosts if registrable_domain(host) not in SEARCH_ENGINES]
    return Counter(proper or hosts).most_common(1)[0][0] if hosts else ""


def _id(number: int, task: str) -> str:
    words = "-".join(re.findall(r"[a-z0-9]+", task.lower()))
    return f"webcanvas-{number:03d}-{words[:48].strip('-')}"
