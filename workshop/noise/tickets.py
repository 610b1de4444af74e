"""Tickets as noise: entries in which an agent has looked into other tickets of the shop's desk or the forum's.

Each one is the reference of a decision task, played in Chromium up to its last reading; then it tells what the records
say. It decides and changes nothing, so that nothing of it is missing in the site later.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from longtrail.agents.agent import Agent, Assignment, Equipment
from longtrail.agents.oracle import Oracle, ReferenceScript, needs_screenshots
from longtrail.checks.hosts import host_of
from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import play_once
from longtrail.errors import DataError
from longtrail.noise.pool import TICKETS, NoisePool, NoiseTrajectory, load_pool, save_pool
from longtrail.records.memory import PastTask, recall
from longtrail.records.trajectory import Case, Contender, Step
from longtrail.tasks.cases import slug
from longtrail.tasks.loading import crossed_selection, load_tasks
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.task import DecisionTask

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.web.sealed import SealedWeb

EVERY = {"shopping_admin": 2, "reddit": 3}
"""Suite -> every second or third of the tasks that are not crossed by default becomes noise."""
ONLY = "Don't decide anything yet and change nothing in the site. Only look into it, and tell me what the records say."
DONE = "That is what the records say about it. The decision is not mine."
HUNT = (
    "The rest of the page is below.",
    "This is longer than the window, so I read on.",
    "More of it follows further down.",
)
OPENS = (
    "{} is what I need to see next.",
    "{} may say more.",
    "Let me open {}.",
    "Next, {}.",
    "{} belongs to this, too.",
)
SEARCHES = (
    "I look it up by {}.",
    "A search for {} is the quickest way there.",
    "The list is long, so I search for {}.",
)
QUOTES = ('It says "{}".', '"{}", this is what stands here.', 'One line counts here: "{}".', 'Here it is: "{}".')


def record_tickets(out: Path = TICKETS, *, tell: Callable[[str], None] = lambda _: None) -> NoisePool:
    """Play the tickets and write them to a file. `tell` is called with one line for each. Raises DataError."""
    from longtrail.browser.session import Browser
    from longtrail.web.registry import all_sites
    from longtrail.web.sealed import SealedWeb

    played: list[NoiseTrajectory] = []
    with SealedWeb(all_sites()) as web, Browser() as browser:
        for task in ticket_tasks():
            if (entry := play_ticket(task, web, browser)) is not None:
                played.append(entry)
            tell(f"{task.id}: {entry.tokens if entry else 'changes the site, left out'}")
    save_pool(played, out)
    return load_pool(out)


def ticket_tasks() -> Iterator[DecisionTask]:
    """The tasks that become noise. None needs a picture."""
    crossed, counts = crossed_selection(), dict.fromkeys(EVERY, 0)
    for task in load_tasks().values():
        if not isinstance(task, DecisionTask) or task.suite not in EVERY or task.id in crossed:
            continue
        if needs_screenshots(task):
            continue
        counts[task.suite] += 1
        if counts[task.suite] % EVERY[task.suite] == 0:
            yield task


def play_ticket(task: DecisionTask, web: "SealedWeb", browser: "Browser") -> NoiseTrajectory | None:
    """One ticket as an entry; None if its reading changes the site."""
    script = ReferenceScript(moves=(*_spoken(task), ReferenceStep(finish=_found(task), why=DONE)))

    def make(assignment: Assignment, equipment: Equipment) -> Agent:  # noqa: ARG001
        return Oracle(script)

    case = Case(id=f"ticket-{slug(task.id)}", suite=task.suite, task=task.id, prompt="raw")
    played = play_once(case, task, EpisodeContext(web, browser, Contender(agent="tickets"), factory=make))
    if played.trouble is not None or "does not work" in played.steps[-1].thought:
        raise DataError(Path(f"{task.suite}/{task.id}"), "reference", played.steps[-1].thought or str(played.trouble))
    if played.changes:
        return None
    rng = random.Random(task.id)  # noqa: S311 (a seeded choice, no secret)
    steps = recall(_without_hunts(played.steps, rng))
    instruction = f"{' '.join(task.trigger.split())} {ONLY}"
    episode = PastTask(instruction=instruction, steps=steps)
    return NoiseTrajectory(
        id=f"ticket_{task.id}", host=host_of(task.start), topics=(task.category.replace("_", " "),), episode=episode
    )


def _spoken(task: DecisionTask) -> Iterator[ReferenceStep]:
    """The moves up to the last reading, each with a thought: what was read before it, and why it is made."""
    path = task.reference.path
    last = max(number for number, move in enumerate(path) if move.read is not None)
    rng = random.Random(f"thoughts:{task.id}")  # noqa: S311 (a seeded choice, no secret)
    read: list[str] = []
    for move in path[: last + 1]:
        if move.read is not None:
            read += [rng.choice(QUOTES).format(move.read.strip().rstrip(".")), *([move.why] if move.why else [])]
            yield move
            continue
        yield move.model_copy(update={"why": " ".join([*read, move.why or _why(move, rng)])})
        read = []


def _why(move: ReferenceStep, rng: random.Random) -> str:
    if move.fill is not None:
        return rng.choice(SEARCHES).format(move.fill.text)
    if move.goto is not None:
        return rng.choice(OPENS).format(urlsplit(move.goto).path.strip("/").replace("/", " > ") or "the front page")
    if move.click is not None:
        return rng.choice(OPENS).format(f'"{move.click.name.strip("*")}"')
    return "Back to the page before." if move.back else "This narrows it down."


def _found(task: DecisionTask) -> str:
    return " ".join(fact.says for fact in task.required)


def _without_hunts(steps: Iterable[Step], rng: random.Random) -> Iterator[Step]:
    """The steps, with the words of somebody who reads on where the oracle looks for a text."""
    for step in steps:
        hunts = step.thought.startswith("I look for the text") or step.thought.startswith("I look for link")
        yield step.model_copy(update={"thought": rng.choice(HUNT)}) if hunts else step
