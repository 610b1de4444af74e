"""The sections of the shop's Handbook as rules: each has fields for what the records say, and a method that decides.

Each has `apply(request)`: its verdict, or None if the next section decides. A field that is None has no value yet;
reading it raises UnknownShopFact.
"""

# ruff: noqa: ARG002 (all sections have the same signature, also those that ignore the claim)

from typing import Annotated, Any, Literal, TypeVar

from pydantic import BeforeValidator

from longtrail.records.record import Record
from longtrail.web.sites.shopadmin.handbook import LIMITS

Decision = Literal["APPROVE", "DENY", "ESCALATE", "REQUEST_INFO"]


class PolicyVerdict(Record):
    """What the policy says, and where it says so."""

    decision: Decision
    paragraph: str
    riders: tuple[str, ...] = ()
    sheet: tuple[bool, ...] = ()
    """5.3: the five lines; the lead must be told each of them."""

    @property
    def outcome(self) -> tuple[Decision, tuple[bool, ...]]:
        """The decision and what is passed on, whichever paragraph demands it."""
        return self.decision, self.sheet


class UnknownShopFact(Exception):
    """A rule needs a field that has no value; the text is `section.field`."""


T = TypeVar("T")


def ask(value: T | None, name: str) -> T:
    if value is None:
        raise UnknownShopFact(name)
    return value


def _each(value: Any) -> Any:
    return (value,) if isinstance(value, bool) else value


Pieces = Annotated[tuple[bool, ...], BeforeValidator(_each)]
"""Yes or no for the goods as a whole, or for each of several pieces that were looked at one by one."""


class RequestSays(Record):
    """What the request itself says."""

    claim: Literal["not_received", "damaged", "faulty", "wrong_item", "wrong_size", "changed_mind", "unauthorized"]
    amount: float


class OutOfScope(Record):
    """Section 4: matters that the care desk never decides."""

    chargeback: bool | None = None
    legal: bool | None = None
    injury: bool | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        stop = self.chargeback or self.legal or self.injury
        return PolicyVerdict(decision="ESCALATE", paragraph="4.1") if stop else None


class Takeover(Record):
    """Section 5: is the person who asks the owner of the account?"""

    reset_hidden: bool | None = None
    """Password reset or sign-in through a proxy, VPN or Tor."""
    new_state: bool | None = None
    """Ships to a state that the account never used."""
    orders_48h: int | None = None
    orders_month: float | None = None
    spend_48h: float | None = None
    spend_month: float | None = None
    answered: bool | None = None
    """The owner answered our verification."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        rush = ask(self.orders_48h, "takeover.orders_48h")
        usual = ask(self.orders_month, "takeover.orders_month")
        spent = ask(self.spend_48h, "takeover.spend_48h")
        lines = (
            ask(self.reset_hidden, "takeover.reset_hidden"),
            ask(self.new_state, "takeover.new_state"),
            rush >= LIMITS["rush_orders"] and rush >= LIMITS["rush_times"] * usual,
            spent >= LIMITS["spend_times"] * ask(self.spend_month, "takeover.spend_month"),
            not ask(self.answered, "takeover.answered"),
        )
        if sum(lines) >= LIMITS["takeover_yes"]:
            return PolicyVerdict(decision="ESCALATE", paragraph="5.3", riders=("hold", "verification"), sheet=lines)
        return None


class Linked(Record):
    """Section 6.2: other accounts behind the same address, telephone or card."""

    accounts: int | None = None
    refunds: int | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        many = ask(self.accounts, "linked.accounts") >= LIMITS["linked_accounts"]
        if many and ask(self.refunds, "linked.refunds") >= LIMITS["linked_refunds"]:
            return PolicyVerdict(decision="ESCALATE", paragraph="6.2", riders=("hold",))
        return None


class Forwarded(Record):
    """Section 6.3: goods sent on by a forwarding agent under another name."""

    forwarder: bool | None = None
    names_differ: bool | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        sent_on = ask(self.forwarder, "forwarded.forwarder") and ask(self.names_differ, "forwarded.names_differ")
        if sent_on and request.amount >= LIMITS["forward_amount"]:
            return PolicyVerdict(decision="ESCALATE", paragraph="6.3", riders=("hold",))
        return None


class Worn(Record):
    """Section 6.4: clothes that come back worn."""

    returns_worn: int | None = None
    item_worn: Pieces | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        again = ask(self.returns_worn, "worn.returns_worn") >= LIMITS["worn_returns"]
        if again and any(ask(self.item_worn, "worn.item_worn")):
            return PolicyVerdict(decision="DENY", paragraph="6.4")
        return None


class Possession(Record):
    """Sections 6.5 and 6.6: goods that the customer has, whatever the claim says."""

    signed: bool | None = None
    used: bool | None = None
    earlier_refunds: int | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        if not (ask(self.signed, "possession.signed") and ask(self.used, "possession.used")):
            return None
        if ask(self.earlier_refunds, "possession.earlier_refunds") >= 1:
            return PolicyVerdict(decision="DENY", paragraph="6.5")
        return PolicyVerdict(decision="ESCALATE", paragraph="6.6")


class Warehouse(Record):
    """Section 7: wrong items that we packed ourselves."""

    reports: int | None = None
    traced: int | None = None
    closed: bool | None = None
    """The cause was fixed and the warehouse closed the incident."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        reports, traced = ask(self.reports, "warehouse.reports"), ask(self.traced, "warehouse.traced")
        if not traced:
            return None
        if traced < reports:
            return PolicyVerdict(decision="ESCALATE", paragraph="7.3")
        if not ask(self.closed, "warehouse.closed"):
            return PolicyVerdict(decision="ESCALATE", paragraph="7.4")
        credit = ("credit",) if reports >= LIMITS["goodwill_reports"] else ()
        return PolicyVerdict(decision="APPROVE", paragraph="7.2", riders=("apology", *credit))


class Parcel(Record):
    """Section 8: parcels that did not arrive."""

    scan: Literal["delivered", "moving", "lost"] | None = None
    trace: Literal["none", "open", "delivered", "lost"] | None = None
    earlier_claims: int | None = None
    days: int | None = None
    """Working days since dispatch."""
    last_scan: int | None = None
    """Working days since the carrier's last scan; it was dispatched before that."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        if self.trace == "lost":
            return PolicyVerdict(decision="APPROVE", paragraph="8.2")
        scan = ask(self.scan, "parcel.scan")
        if scan == "lost":
            return PolicyVerdict(decision="APPROVE", paragraph="8.2")
        if scan == "moving":
            late = ask(self.days, "parcel.days") >= LIMITS["transit_days"]
            return PolicyVerdict(decision="APPROVE" if late else "DENY", paragraph="8.6")
        if ask(self.trace, "parcel.trace") == "delivered":
            return PolicyVerdict(decision="DENY", paragraph="8.5")
        if request.amount <= LIMITS["courtesy"] and not ask(self.earlier_claims, "parcel.earlier_claims"):
            return PolicyVerdict(decision="APPROVE", paragraph="8.3")
        return PolicyVerdict(decision="ESCALATE", paragraph="8.4", riders=("verification",))


class Returns(Record):
    """Section 9: accounts that send a lot back."""

    orders: int | None = None
    returns: int | None = None
    exchanges: int | None = None
    net: float | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        orders, returns = ask(self.orders, "returns.orders"), ask(self.returns, "returns.returns")
        if 100 * returns <= LIMITS["return_share"] * orders:
            return None
        exchanges, net = ask(self.exchanges, "returns.exchanges"), ask(self.net, "returns.net")
        if exchanges == returns and net >= LIMITS["exchange_net"]:
            return PolicyVerdict(decision="APPROVE", paragraph="9.3")
        return PolicyVerdict(decision="ESCALATE", paragraph="9.4")


class Account(Record):
    """Section 10: preferred accounts."""

    months: int | None = None
    orders: int | None = None
    lifetime: float | None = None
    rank: float | None = None
    """The account is within this top percentage by lifetime value."""
    refunds: int | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        orders = ask(self.orders, "account.orders")
        tests = (
            ask(self.months, "account.months") >= LIMITS["preferred_months"],
            orders >= LIMITS["preferred_orders"],
            ask(self.lifetime, "account.lifetime") >= LIMITS["preferred_lifetime"],
            ask(self.rank, "account.rank") <= LIMITS["preferred_rank"],
            100 * ask(self.refunds, "account.refunds") <= LIMITS["preferred_refunds"] * orders,
        )
        if not all(tests):
            return None
        if request.amount > LIMITS["preferred_amount"]:
            return PolicyVerdict(decision="ESCALATE", paragraph="10.3")
        return PolicyVerdict(decision="APPROVE", paragraph="10.2")


class Goods(Record):
    """Section 11: all other cases."""

    days: int | None = None
    """Days from delivery to the request."""
    proof: bool | None = None
    """A photo, or our own inspection, shows the fault."""
    ours: bool | None = None
    """Water and stains: they were there before the delivery. None: it is not about these."""
    unused: Pieces | None = None
    this_piece: bool | None = None
    """An article bought more than once: the piece of this order is what came back. None: it was bought once."""
    measured: float | None = None
    """What we measured of the article, where its product page has a figure for it."""
    at_least: float | None = None
    """That figure, where less is a fault (or, of a return, a sign of use)."""
    at_most: float | None = None
    """That figure, where more is a fault."""
    used_days: int | None = None
    """Goods said to be second-hand: how many days before the request they were used."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        days = ask(self.days, "goods.days")
        if request.claim in ("changed_mind", "wrong_size"):
            good = days <= LIMITS["return_days"] and self._unused() and self.this_piece is not False
            paragraph = "11.4"
        else:
            good = days <= LIMITS["report_days"] and self._faulty() and self.ours is not False
            paragraph = "11.2" if good else "11.3"
        if good and request.amount > LIMITS["lead_amount"]:
            return PolicyVerdict(decision="ESCALATE", paragraph="11.5")
        return PolicyVerdict(decision="APPROVE" if good else "DENY", paragraph=paragraph)

    def _unused(self) -> bool:
        if (short := self._short()) is not None:
            return not short
        return all(ask(self.unused, "goods.unused"))

    def _faulty(self) -> bool:
        if self.used_days is not None:  # used before they were delivered
            return self.used_days > ask(self.days, "goods.days")
        short = self._short()
        return ask(self.proof, "goods.proof") if short is None else short

    def _short(self) -> bool | None:
        """Does the article miss its product page's figure? None: it isn't about a figure."""
        if self.measured is None and self.at_least is None and self.at_most is None:
            return None
        measured = ask(self.measured, "goods.measured")
        if self.at_most is not None:
            return measured > self.at_most
        return measured < ask(self.at_least, "goods.at_least")
