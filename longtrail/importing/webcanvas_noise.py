"""WebCanvas' published trajectories as a pool of noise. Missing data are counted, never invented."""

import re
from collections import Counter
from pathlib import Path

from pydantic import AliasChoices, Field

from longtrail.checks.hosts import host_of, registrable_domain
from longtrail.errors import DataError
from longtrail.importing.pathways import PublishedRecord, read_json
from longtrail.noise.pool import NoiseTrajectory, save_pool
from longtrail.noise.selection import content_words
from longtrail.records.memory import MemoryStep, PastTask
from longtrail.report.text import plain
from longtrail.yaml_file import validate

SEARCH_ENGINES = frozenset({"google.com", "bing.com", "duckduckgo.com"})
_CALL = re.compile(r"^(?P<name>\w+)\[(?P<argument>.*)\]$", re.DOTALL)


class WebCanvasMove(PublishedRecord):
    """One step of a WebCanvas agent. `url` is where the action *led*; the first step's page is not recorded."""

    thought: str = ""
    action: str = ""
    """`click[12]`, `google_search[words]`, `goto[address]`, `fill_search[12,text]`, `None`."""
    action_description: str = Field(default="", validation_alias=AliasChoices("action_description", "description"))
    reflection: str = ""
    url: str = ""


class WebCanvasTrajectory(PublishedRecord):
    """One run of one task of WebCanvas."""

    task: str = Field(min_length=1)
    steps: tuple[WebCanvasMove, ...] = Field(min_length=1)


def read_trajectories(path: Path) -> tuple[WebCanvasTrajectory, ...]:
    """A file of WebCanvas' trajectories. Raises DataError."""
    records = read_json(path)
    if not isinstance(records, list) or not records:
        raise DataError(path, "", "expected a list of trajectories (records with `steps`)")
    return tuple(validate(WebCanvasTrajectory, record, path, f"record {at}") for at, record in enumerate(records, 1))


def import_noise(file: Path, out: Path | None) -> str:
    """Write a published file's trajectories to `out` as a pool, and return the report. Raises DataError, UsageError.

    The host is the one most steps were on, search engines aside; the topics are the content words of the goal, so that
    a task is only given noise whose goal shares no word with the task's topics. A trajectory without any address is
    left out, because it is unknown whether it is irrelevant to a task.
    """
    trajectories, skipped = [], []
    for number, trajectory in enumerate(read_trajectories(file), 1):
        host, topics = _host(trajectory), tuple(sorted(content_words(trajectory.task)))
        if host and topics:
            trajectories.append(_noise(number, trajectory, host, topics))
        else:
            missing = "the goal has no word that tells its topic" if host else "no address was recorded"
            skipped.append(f"left out: {plain(trajectory.task)}: {missing}")
    if not trajectories:
        raise DataError(file, "", f"no trajectory can be used as noise; {skipped[0]}")
    if out is not None:
        save_pool(trajectories, out)
    tokens = sum(trajectory.tokens for trajectory in trajectories)
    lines = [
        f"{len(trajectories)} trajectories on {len({noise.host for noise in trajectories})} hosts, {tokens} tokens"
    ]
    steps = [step for noise in trajectories for step in noise.episode.steps]
    for field, name in (("url", "address"), ("reflection", "reflection"), ("seen", "summary of the page")):
        if missing_count := sum(not getattr(step, field) for step in steps):
            lines.append(f"lacking in {missing_count} of {len(steps)} steps: {name}")
    written = f"written to {out}" if out else "nothing was written: give --out FILE"
    return "\n".join([*lines, *skipped, written])


def _noise(number: int, trajectory: WebCanvasTrajectory, host: str, topics: tuple[str, ...]) -> NoiseTrajectory:
    """A logged address is where an action led, so a step's own page is the previous step's address."""
    pages = ["", *(_address(step.url) for step in trajectory.steps)]
    steps = tuple(
        MemoryStep(url=url, thought=step.thought, action=_action_text(step), reflection=step.reflection)
        for url, step in zip(pages, trajectory.steps, strict=False)
    )
    slug = "-".join(re.findall(r"[a-z0-9]+", trajectory.task.lower()))[:48].strip("-")
    episode = PastTask(instruction=trajectory.task, steps=steps)
    name = f"webcanvas-{number:03d}-{slug}"
    return NoiseTrajectory(id=name, host=host, topics=topics, episode=episode, ended_at=pages[-1])


def _address(url: str) -> str:
    """Only addresses that a browser can open: neither blank nor an error page."""
    return url if url.startswith(("http://", "https://")) and host_of(url) else ""


def _action_text(step: WebCanvasMove) -> str:
    """The action in the wording of our histories if the record has all of it; otherwise the record's description
    (element ids mean nothing later)."""
    call = _CALL.match(step.action.strip())
    if call and call["name"] == "goto":
        return f"goto {call['argument']}"
    if call and call["name"] == "google_search":
        return f'search the web for "{call["argument"]}"'
    if step.action.startswith("go_back"):
        return "go back"
    return step.action_description or step.action


def _host(trajectory: WebCanvasTrajectory) -> str:
    hosts = [host_of(step.url) for step in trajectory.steps if _address(step.url)]
    proper = [host for host in hosts if registrable_domain(host) not in SEARCH_ENGINES]
    return Counter(proper or hosts).most_common(1)[0][0] if hosts else ""
