"""Families of tickets: the form of `data/shifts/DOMAIN/*.yaml`, except world.yaml (what shifts are drawn from) and
site.yaml (`ShiftSite`).

A family has roles (people with an order or a post), parts (tickets and mails, in the order in which they come in) and
at least two outcomes: the same requests with other records, and so with other right decisions. Texts have fields in
braces: `{a.number}` is the order number of role a, `{v.limit}` a value of the outcome. The words in square brackets
are those by which a record tells its fact.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from pydantic import Field

from longtrail.errors import DataError
from longtrail.paths import DATA
from longtrail.records.case import NeedKind
from longtrail.records.record import Record
from longtrail.tasks.shifts.shift import Domain
from longtrail.yaml_file import read, read_yaml

SHIFTS = DATA / "shifts"
WORLD, SITE = "world.yaml", "site.yaml"


class Part(Record):
    """A ticket (with `about`) or a mail (without) of a family, in three wordings."""

    about: str = ""
    """The role whose matter the ticket is."""
    claim: str = ""
    """What the executable rules call the request."""
    sender: str = ""
    """By default, the person of the role."""
    subjects: tuple[str, str, str]
    texts: tuple[str, ...] = Field(min_length=3, max_length=3)


class FamilyRecord(Record):
    """A text in the site's records."""

    id: str
    at: str
    """The kind of place and the role: `order a`, `parcel b`."""
    days: float
    """Days before now."""
    text: str
    by: str = ""
    """The forum: who wrote it; empty: a moderator."""
    says: str = ""
    """The fact that it tells, for people; empty: it tells nothing that counts."""


class RulingAgain(Record):
    """The ruling after a mail."""

    after: str
    """The part that is the mail."""
    truth: str
    rule: str
    found: dict[str, dict[str, Any]]
    note: str = ""


class FamilyRuling(Record):
    """What is right for a ticket, and why."""

    truth: str
    rule: str
    found: dict[str, dict[str, Any]]
    """The records that decide: id of the record -> what it establishes, for the executable rules."""
    start: dict[str, dict[str, Any]] = {}
    """What the first page shows, for the executable rules."""
    note: str = ""
    """What is written to the customer or to the colleague when it is refused or handed on."""
    again: RulingAgain | None = None
    alike: str = ""
    """The earlier ticket whose person it may be mistaken for."""


class Memo(Record):
    """A change of the rules for all tickets that come in later."""

    part: str
    limit: float | None = None
    """Refunds of damaged and faulty goods above it are escalated."""
    transit: int | None = None
    """Working days after which a parcel counts as lost."""
    recall: str = ""
    """The role whose article is refunded without proof."""
    forum: str = ""
    """The role whose forum it is about."""
    matter: str = ""
    """The forum: what was right for the `claim`, and what now is: `APPROVE->REMOVE`."""
    house: str = ""
    """The shop: the role about whose warehouse it is."""
    months: int | None = None
    """The forum: months between two gifts."""
    quota: float | None = None
    """So much may be granted from then on: dollars in the shop, posts in the forum."""
    claim: str = ""
    """The request to which the quota or the matter applies."""
    ended_by: str = ""
    """The part that takes it back."""


class FamilyOutcome(Record):
    """One state of the records, and what is then right."""

    roles: dict[str, dict[str, Any]] = {}
    """Added to the family's roles."""
    values: dict[str, str | int | float] = {}
    records: tuple[FamilyRecord, ...] = ()
    memos: tuple[Memo, ...] = ()
    uncounts: dict[str, str] = {}
    """A mail -> the ticket that the ledger no longer counts after it."""
    tickets: dict[str, FamilyRuling] = {}


class Family(Record):
    """A family of tickets."""

    id: str
    kind: NeedKind | None = None
    """How its later tickets depend on the earlier part; None: it is a single ticket that depends on nothing."""
    hard: bool = False
    """Whether only hard shifts have it."""
    by_ledger: bool = False
    """Whether its tickets depend on something only if the ledger says so."""
    topic: str = ""
    """A shift has one family of a topic at most."""
    counts: str = ""
    """What the ledger counts when its ticket is granted."""
    roles: dict[str, dict[str, Any]]
    draws: dict[str, str] = {}
    """Value -> the list of the material from which it is drawn."""
    parts: dict[str, Part]
    records: tuple[FamilyRecord, ...] = ()
    """Records that all outcomes have."""
    rulings: dict[str, FamilyRuling] = {}
    """What is right for tickets under every outcome that does not say otherwise."""
    outcomes: tuple[FamilyOutcome, ...] = Field(min_length=2)

    @property
    def tickets(self) -> tuple[str, ...]:
        """The names of its tickets, in order."""
        return tuple(name for name, part in self.parts.items() if part.about)


@cache
def families(domain: Domain) -> Mapping[str, Family]:
    """All families of a domain by id. Raises DataError."""
    known: dict[str, Family] = {}
    for path in sorted((SHIFTS / domain).glob("*.yaml")):
        if path.name in (WORLD, SITE, "shifts.yaml"):
            continue
        for family in read(list[Family], path):
            if family.id in known:
                raise DataError(path, family.id, "another family has this id")
            known[family.id] = family
    return known


@cache
def material(domain: Domain) -> Any:
    """What the shifts of a domain are drawn from."""
    return read_yaml(SHIFTS / domain / WORLD)
