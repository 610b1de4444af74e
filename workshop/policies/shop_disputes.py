"""The sections of the Handbook's second part as rules: requests that no single record settles (hard tier).

Each is a class like those in `shop_sections.py`: fields for what the records say, and `apply`.
"""

# ruff: noqa: ARG002 (all sections have the same signature)

from longtrail.records.record import Record
from longtrail.web.sites.shopadmin.handbook import DISPUTE_LIMITS as LIMITS
from workshop.policies.shop_sections import Decision, PolicyVerdict, RequestSays, ask


class Redirected(Record):
    """Section 13: the address was changed after the order."""

    by_account: bool | None = None
    """(a) The change was saved by the customer's own account."""
    before_weighing: bool | None = None
    scan_new: bool | None = None
    signer_known: bool | None = None
    address_known: bool | None = None
    """(e) The customer says so; no answer counts as no."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        lines = _lines(self, "redirected")
        decisions: dict[int, Decision] = {5: "DENY", 4: "ESCALATE", 3: "REQUEST_INFO", 2: "APPROVE"}
        return PolicyVerdict(decision=decisions.get(lines, "ESCALATE"), paragraph="13.3")


class Batch(Record):
    """Section 14: batches under suspicion."""

    share: float | None = None
    """Percent of the pieces that came back."""
    listed: bool | None = None
    """The piece's batch is in the list."""
    fault_listed: bool | None = None
    months: float | None = None
    """Months from the order to the request."""
    altered: bool | None = None
    settled: bool | None = None
    """The piece was refunded or replaced before."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        points = 2 * (ask(self.share, "batch.share") >= LIMITS["batch_share"])
        points += 3 * ask(self.listed, "batch.listed") + 2 * ask(self.fault_listed, "batch.fault_listed")
        points += ask(self.months, "batch.months") < LIMITS["batch_months"]
        points -= 3 * ask(self.altered, "batch.altered") + 4 * ask(self.settled, "batch.settled")
        decision: Decision = "DENY"
        if points >= LIMITS["batch_approve"]:
            decision = "APPROVE"
        elif points >= LIMITS["batch_request"]:
            decision = "REQUEST_INFO"
        elif points >= LIMITS["batch_escalate"] or points < 0:
            decision = "ESCALATE"
        return PolicyVerdict(decision=decision, paragraph="14.4")


class Promise(Record):
    """Section 15: a longer return period was promised."""

    unused: bool | None = None
    entitled: bool | None = None
    """The person who promised was allowed to."""
    signed_in: bool | None = None
    days: int | None = None
    """From the delivery scan to the day on which the parcel came back."""
    promised: int | None = None
    uses: int | None = None
    """Uses of the code since the first day of the month of the order."""
    slip: bool | None = None
    """The customer gave the number of the return slip."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        kept = ask(self.days, "promise.days") <= ask(self.promised, "promise.promised")
        made = ask(self.entitled, "promise.entitled") and ask(self.signed_in, "promise.signed_in")
        if not (ask(self.unused, "promise.unused") and made and kept):
            return PolicyVerdict(decision="DENY", paragraph="15.2")
        if ask(self.uses, "promise.uses") > LIMITS["promise_uses"]:
            return PolicyVerdict(decision="ESCALATE", paragraph="15.3")
        slip = ask(self.slip, "promise.slip")
        return PolicyVerdict(decision="APPROVE" if slip else "REQUEST_INFO", paragraph="15.4")


class Household(Record):
    """Section 16: another person of the household may have ordered."""

    same_ip: bool | None = None
    signer_known: bool | None = None
    reviewed: bool | None = None
    single_code: bool | None = None
    own_sign_in: bool | None = None
    nobody_else: bool | None = None
    """(f) The customer names nobody outside; no answer counts as no."""

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        lines = _lines(self, "household")
        if lines >= 5:
            return PolicyVerdict(decision="DENY", paragraph="16.3")
        if lines == 4:
            return PolicyVerdict(decision="REQUEST_INFO", paragraph="16.3")
        if lines == 3:
            return PolicyVerdict(decision="ESCALATE", paragraph="16.3")
        return PolicyVerdict(decision="APPROVE", paragraph="16.3")


class Contents(Record):
    """Section 17: an article was missing in the carton. All weights are in pounds."""

    missing: float | None = None
    """The missing article's weight."""
    others: float | None = None
    """The weight of the other article that was ordered."""
    more: float = 0.0
    """The weight of a third article, if there is one."""
    packed: float | None = None
    accepted: float | None = None
    weighed: bool | None = None
    """The carrier weighed the carton at delivery; None if `delivered` says so."""
    delivered: float | None = None

    def apply(self, request: RequestSays) -> PolicyVerdict | None:
        half = ask(self.missing, "contents.missing") / 2
        packed, accepted = ask(self.packed, "contents.packed"), ask(self.accepted, "contents.accepted")
        whole = 2 * half + ask(self.others, "contents.others") + self.more + LIMITS["carton"]
        if packed - accepted >= half:
            return PolicyVerdict(decision="ESCALATE", paragraph="17.2")
        if whole - packed >= half:
            return PolicyVerdict(decision="APPROVE", paragraph="17.3")
        if self.weighed is False:
            return PolicyVerdict(decision="REQUEST_INFO", paragraph="17.4")
        if accepted - ask(self.delivered, "contents.delivered") >= half:
            return PolicyVerdict(decision="ESCALATE", paragraph="17.4")
        return PolicyVerdict(decision="DENY", paragraph="17.5")


def _lines(sheet: Record, section: str) -> int:
    """The number of lines of a sheet that are answered yes. Raises UnknownShopFact for a blank one."""
    return sum(ask(getattr(sheet, name), f"{section}.{name}") for name in type(sheet).model_fields)
