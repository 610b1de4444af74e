"""Plans: the plan of a new shift from a seed, and the shipped ones (made by `python -m workshop.shift_plans DOMAIN`).

Half of the tickets depend on nothing, of a hard shift at least three in ten. The dependent ones come from all six kinds
in turn; about half of them lie far apart. The place of the twin's change is drawn among the families whose two outcomes
differ only in later decisions.
"""

import random
from collections.abc import Mapping
from functools import cache
from itertools import count

from longtrail.errors import DataError
from longtrail.tasks.shifts.compose import compose
from longtrail.tasks.shifts.families import SHIFTS, Family, families
from longtrail.tasks.shifts.ledger import COURTESIES
from longtrail.tasks.shifts.shift import SIZES, Domain, FamilyPlace, ShiftTask, twin_of_shift
from longtrail.yaml_file import read

SHARE, HARD_SHARE = 0.5, 0.65
"""Share of dependent tickets that the generator looks for."""
HARD_SHARES = 0.55, 0.7
"""The share that a hard shift must have: not all of its tickets depend on what the families say."""
FREE_AT_FIRST = {"float": 2, "quota": 2}
"""Topic -> so many tickets of the family come in before anything is refused."""
TWINS = frozenset({"seen", "decided", "told", "reversed"})
"""The kinds of dependency that a twin may change."""


def generate(domain: Domain, size: int, seed: int, name: str, *, hard: bool = False) -> ShiftTask:
    """The plan of a shift of this size."""
    drafts = (_Generator(domain, size, f"{seed}:{attempt}", hard=hard).task(name, seed) for attempt in count())
    return next(draft for draft in drafts if draft is not None)


def flips(task: ShiftTask) -> tuple[str, ...]:
    """The tickets whose right decision is another one in the twin. (Another memo may outweigh a changed one.)"""
    pairs = zip(compose(task).tickets, compose(twin_of_shift(task)).tickets, strict=True)
    return tuple(ticket.id for ticket, other in pairs if ticket.truth != other.truth)


def _differs_later(task: ShiftTask) -> bool:
    """Whether the twin changes decisions, and only those that depend on something earlier. A draft in which a message
    would change a ticket that can't be changed is none."""
    try:
        changed = flips(task)
    except DataError:
        return False
    return bool(changed) and all(ticket.dependent for ticket in compose(task).tickets if ticket.id in changed)


def _is_dependent_enough(task: ShiftTask) -> bool:
    """Whether a hard shift has its share of dependent tickets, and enough that depend on nothing."""
    dependent = sum(ticket.dependent for ticket in compose(task).tickets)
    return not task.hard or HARD_SHARES[0] <= dependent / task.size <= HARD_SHARES[1]


class _Generator:
    def __init__(self, domain: Domain, size: int, seed: str, *, hard: bool) -> None:
        self.domain, self.size, self.hard = domain, size, hard
        self.rng = random.Random(f"{domain}:{size}:{seed}")  # noqa: S311 (a seeded choice, no secret)
        self.known = [family for family in families(domain).values() if hard or not family.hard]
        self.free = set(range(size))
        self.places: list[FamilyPlace] = []

    def task(self, name: str, seed: int) -> ShiftTask | None:
        """A plan; None if no family of it can be changed in the twin."""
        self._dependent()
        self._limited()
        self._alone()
        places = sorted(self.places, key=lambda place: place.at)
        kinds = {family.id: family.kind for family in self.known}
        candidates = [at for at, place in enumerate(places) if kinds[place.family] in TWINS]
        self.rng.shuffle(candidates)
        suite = "shift_shop" if self.domain == "shop" else "shift_forum"
        plan = {"suite": suite, "id": name, "size": self.size, "seed": seed, "families": places, "hard": self.hard}
        tasks = (ShiftTask.model_validate({**plan, "changed": at}) for at in candidates)
        return next((task for task in tasks if _differs_later(task) and _is_dependent_enough(task)), None)

    def _dependent(self) -> None:
        """Families with a dependency until they have about half of the tickets."""
        topics: set[str] = set()
        chosen: list[str] = []
        share = HARD_SHARE if self.hard else SHARE
        wanted = int(share * self.size) - max(0, self._limited_tickets - COURTESIES)
        known = {family.id: family for family in self.known}
        while sum(_dependents(known[place.family]) for place in self.places) < wanted:
            fitting = [f for f in self.known if f.kind and f.topic not in topics - {""}]
            if self.hard and (unused := [f for f in fitting if f.hard and f.id not in {p.family for p in self.places}]):
                fitting = unused
            fitting = [f for f in fitting if len(f.tickets) <= len(self.free) - 2] or fitting
            fewest = min(chosen.count(str(f.kind)) for f in fitting)
            family = self.rng.choice([f for f in fitting if chosen.count(str(f.kind)) == fewest])
            if len(family.tickets) > len(self.free):
                break
            self.places.append(self._place(family))
            topics.add(family.topic)
            chosen += [str(family.kind)] * (_dependents(family) if self.hard else 1)

    def _limited(self) -> None:
        """Tickets that are counted: in larger shifts enough to exceed the limit, spread over the shift."""
        counted, number = [f for f in self.known if f.counts and not f.hard], self._limited_tickets
        if not number:
            return
        step = max(1, len(self.free) // (number + 1))
        places = sorted(self.free)[::step][: number + 1]
        other = self.rng.randrange(len(places))  # one of them has another outcome, so that the family tells nothing
        taken_off = self.rng.choice([turn for turn in range(COURTESIES + 1) if turn != other])
        for turn, at in enumerate(places):
            self.free.discard(at)
            if self.hard and turn == taken_off and at + 1 < self.size:
                family = self.rng.choice([f for f in self.known if f.counts and f.hard])
                self._add(family, (at, self.rng.randrange(at + 1, self.size)), self.rng.randrange(2))
            else:
                self._add(self.rng.choice(counted), (at,), outcome=int(turn == other))

    @property
    def _limited_tickets(self) -> int:
        """How many tickets of a limited kind it has: more than the limit, but for the smallest shifts."""
        if self.size <= SIZES[0] or not any(family.counts for family in self.known):
            return 0
        return COURTESIES + 1 + (self.size >= SIZES[2])

    def _alone(self) -> None:
        alone = [family for family in self.known if not family.kind and not family.counts]
        left = sorted(self.free)
        drawn = [family for _ in range(len(left) // len(alone) + 1) for family in self.rng.sample(alone, len(alone))]
        for at, family in zip(left, drawn, strict=False):
            self._add(family, (at,), outcome=self.rng.randrange(len(family.outcomes)))
        self.free.clear()

    def _place(self, family: Family) -> FamilyPlace:
        """Places for the parts of a family, in order: near or far from each other, as it falls."""
        names, tickets = list(family.parts), set(family.tickets)
        free = sorted(self.free)
        at = sorted(self.rng.sample(free, len(tickets)))
        if (
            len(tickets) == 1 and family.parts[names[0]].about == ""
        ):  # memos come first: the ticket lies in the later part
            at = [self.rng.choice(free[len(free) // 2 :])]
        if len(tickets) == 1 and family.parts[names[0]].about:
            at = [self.rng.choice(free[: max(1, len(free) // 2)])]
        chosen, low = dict(zip(family.tickets, at, strict=True)), 0
        result = []
        for number, name in enumerate(names):
            if name in tickets:
                low = chosen[name]
            else:
                later = [chosen[n] for n in names[number + 1 :] if n in tickets]
                first = low + (number > 0 and names[number - 1] in tickets)
                more = sum(n not in tickets for n in names[number + 1 :]) if later else 0
                last = max(first, later[0] - more) if later else self.size - 1
                low = self.rng.randint(min(first, self.size - 1), last)
            result.append(low)
        self.free -= set(at)
        return self._made(family, tuple(result), self.rng.randrange(2))

    def _add(self, family: Family, at: tuple[int, ...], outcome: int) -> None:
        self.places.append(self._made(family, at, outcome))

    def _made(self, family: Family, at: tuple[int, ...], outcome: int) -> FamilyPlace:
        return FamilyPlace(family=family.id, at=at, outcome=outcome, wording=self.rng.randrange(3))


def _dependents(family: Family) -> int:
    """How many of a family's tickets depend on something."""
    if family.kind is None:
        return 0
    names = list(family.parts)
    if family.kind in ("reversed", "promised"):
        return len(family.tickets)
    return sum(names.index(name) > 0 for name in family.tickets) - FREE_AT_FIRST.get(family.topic, 0)


DOMAINS: tuple[Domain, ...] = ("shop", "forum")


@cache
def load_shifts(seed: int | None = None) -> Mapping[str, ShiftTask]:
    """All shipped shifts by id; with a seed, fresh ones of the same sizes under the same ids. Raises DataError."""
    shifts = [shift for domain in DOMAINS for shift in read(list[ShiftTask], SHIFTS / domain / "shifts.yaml")]
    if seed is not None:
        shifts = [
            generate(each.domain, each.size, 1000 * (seed + 1) + each.seed, each.id, hard=each.hard) for each in shifts
        ]
    return {shift.id: shift for shift in shifts}


def load_shift_twins(seed: int | None = None) -> Mapping[str, ShiftTask]:
    """The twins of all shifts by id. Raises DataError."""
    twins = (twin_of_shift(shift) for shift in load_shifts(seed).values())
    return {twin.id: twin for twin in twins}
