"""Shift: the plan of one working shift (`ShiftTask`), and what it is composed to (`Shift`: tickets, mails, records)."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.checks.decisions import DecisionTruth
from longtrail.checks.facts import Fact
from longtrail.checks.site_state import StateCheck
from longtrail.records.case import NeedKind
from longtrail.records.record import Record
from longtrail.tasks.reference import ReferenceStep

Domain = Literal["shop", "forum"]
SIZES = (6, 12, 24, 48)
"""Tickets of the shipped shifts."""
FIRST_NUMBER = 4101
"""Number of the first ticket."""
OPEN_TICKETS = 3
"""The first tickets are there at the start; each decided ticket lets another one arrive."""
HOMES: dict[Domain, str] = {
    "shop": "https://shopadmin.test/admin/inbox/",
    "forum": "https://forum.test/inbox",
}
"""The page of the inbox, where a shift starts."""
STEPS_PER_TICKET, SPARE_STEPS = 10, 12
"""The step budget of a shift: so many for each ticket, and these once."""
HARD_STEPS_PER_TICKET: dict[Domain, int] = {"shop": 9, "forum": 8}
"""Steps for each ticket of a hard shift. A reference needs 7.4 in the shop and 6 in the forum."""


class FamilyPlace(Record):
    """One use of a family of tickets in a shift."""

    family: str
    at: Annotated[tuple[int, ...], Field(min_length=1)]
    """The places (from 0) at which the family's tickets and mails come in, in the order of its parts. Each place has
    one ticket; mails come in just before it."""
    outcome: Annotated[int, Field(ge=0)] = 0
    """Which of the family's outcomes the records have."""
    wording: Annotated[int, Field(ge=0, le=2)] = 0


class ShiftTask(Record):
    """The plan of a shift: which families come in where. People, numbers and dates are drawn from the seed."""

    suite: Literal["shift_shop", "shift_forum"]
    id: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")]
    size: Annotated[int, Field(ge=1, le=100)]
    seed: int
    families: Annotated[tuple[FamilyPlace, ...], Field(min_length=1)]
    hard: bool = False
    """Whether it has the harder families and the smaller step budget."""
    changed: int
    """Index of the family whose other outcome the twin has."""
    twin: str = ""
    """Of a twin: the shift that it changes."""

    @property
    def domain(self) -> Domain:
        """`shop` or `forum`."""
        return "shop" if self.suite == "shift_shop" else "forum"

    @property
    def category(self) -> str:
        """Its size, as the marker that selects it."""
        return f"shift_{self.size}"

    @property
    def difficulty(self) -> str:
        """`expert` for hard shifts, otherwise by its size."""
        return "expert" if self.hard else "medium" if self.size < SIZES[1] else "hard"

    @property
    def counterfactual(self) -> bool:
        """Whether it is a twin."""
        return bool(self.twin)

    @property
    def start(self) -> str:
        """The page of the inbox."""
        return HOMES[self.domain]

    @property
    def step_limit(self) -> int:
        """The step budget of the whole shift."""
        return self.steps_per_ticket * self.size + SPARE_STEPS

    @property
    def steps_per_ticket(self) -> int:
        """Steps for each ticket, without the spare ones."""
        return HARD_STEPS_PER_TICKET[self.domain] if self.hard else STEPS_PER_TICKET


def twin_of_shift(task: ShiftTask) -> ShiftTask:
    """The counterfactual twin: the same tickets, but the records of one family have its other outcome."""
    place = task.families[task.changed]
    other = place.model_copy(update={"outcome": 1 - place.outcome})
    families = (*task.families[: task.changed], other, *task.families[task.changed + 1 :])
    return task.model_copy(update={"id": f"{task.id}-twin", "twin": task.id, "families": families})


class Text(Record):
    """A text in the records of a site."""

    place: str
    """The kind of place: `order`, `parcel`, `post`, `second`."""
    at: datetime
    text: str
    by: str = ""


class Need(Record):
    """What a ticket's decision rests on besides its own records."""

    kind: NeedKind
    ticket: str
    """Number of the earlier ticket, or of the mail, that brought it."""
    distance: int
    """How many tickets came in between, the dependent one included."""
    facts: tuple[str, ...] = ()
    """Ids of the ticket's facts that were delivered there."""


class FirstDecision(Record):
    """The decision that is right until a mail changes the matter."""

    truth: str
    end_state: tuple[StateCheck, ...] = ()
    mail: str
    """Number of the mail that reopens the ticket."""


class Ticket(Record):
    """One ticket: a decision task of its own."""

    id: str
    """Its number in the inbox."""
    message: int
    """Its number in the address of its page."""
    place: int
    """Its place in the order of arrival, from 0."""
    family: str
    subject: str
    text: str
    sender: str
    facts: tuple[Fact, ...]
    """The evidence that the decision needs, wherever in the shift it is seen."""
    truth: DecisionTruth
    paragraph: str
    """The paragraph of the rules that decides."""
    policy: dict[str, Any] = {}
    """What the records establish, for the executable rules."""
    amount: float = 0.0
    """Money that is given back, in dollars."""
    first: FirstDecision | None = None
    first_facts: tuple[Fact, ...] = ()
    """The evidence of the first decision."""
    needs: tuple[Need, ...] = ()
    end_state: tuple[StateCheck, ...] = ()
    allowed_changes: tuple[StateCheck, ...] = ()
    touches: tuple[StateCheck, ...] = ()
    """Which changes of the site belong to this ticket."""
    readings: tuple[ReferenceStep, ...] = ()
    """The reference: where the ticket's own evidence is read."""
    acting: tuple[ReferenceStep, ...] = ()
    """The reference: the moves that carry the (first) decision out."""
    acting_again: tuple[ReferenceStep, ...] = ()
    """The reference: the moves after the mail that reopens it."""

    @property
    def dependent(self) -> bool:
        """Whether it needs anything from earlier in the shift."""
        return bool(self.needs)


class Mail(Record):
    """A mail that needs no decision of its own."""

    id: str
    message: int
    place: int
    """It comes in before the ticket at this place."""
    sender: str
    subject: str
    text: str
    family: str = ""
    """Empty: it has to do with nothing."""
    answers: StateCheck | None = None
    """The message of the agent to which it is the answer: without that, it never comes in."""
    phrase: str = ""
    """The words that matter, if any do."""


class Shift(Record):
    """A composed shift."""

    domain: Domain
    tickets: tuple[Ticket, ...]
    mails: tuple[Mail, ...]
    archived: tuple[Mail, ...]
    """Old mails that are in the archive from the start."""
    story: dict[str, Any]
    """The records that the shift adds to its site's world (the site's own schema)."""

    @property
    def site(self) -> str:
        """Its site's name."""
        return "shopadmin" if self.domain == "shop" else "forum"

    @property
    def messages(self) -> list["Ticket | Mail"]:
        """Tickets and mails in the order in which they come in."""
        both: list[Ticket | Mail] = [*self.tickets, *self.mails]
        return sorted(both, key=lambda message: message.message)

    def ticket(self, number: str) -> Ticket | None:
        """The ticket with this number."""
        return next((ticket for ticket in self.tickets if ticket.id == number), None)
