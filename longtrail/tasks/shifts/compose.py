"""Compose: the plan of a shift and the families -> its tickets, mails and records, with what is right for each ticket.

A pure function of the plan: people, orders and dates are drawn from its seed, family by family, so a twin has the same.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import lru_cache
from types import ModuleType, SimpleNamespace

from longtrail.checks.decisions import DecisionTruth
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.shifts import forum, shop
from longtrail.tasks.shifts.cast_family import CastFamily, Casting, fact_of, phrase_of, without_brackets
from longtrail.tasks.shifts.families import families, material
from longtrail.tasks.shifts.ledger import Ledger, LedgerRuling, Matter
from longtrail.tasks.shifts.messages import Messages
from longtrail.tasks.shifts.shift import FirstDecision, Mail, Need, Shift, ShiftTask, Text, Ticket

FIRST_NUMBER = 4101
"""Number of the first ticket."""
DOMAINS: Mapping[str, ModuleType] = {"shop": shop, "forum": forum}


@lru_cache(maxsize=64)
def compose(task: ShiftTask) -> Shift:
    """The shift of a plan. Raises DataError."""
    return Composer(task).shift()


class Composer:
    """Composes one shift."""

    def __init__(self, task: ShiftTask) -> None:
        self.task, self.domain = task, DOMAINS[task.domain]
        drawn_from, known = material(task.domain), families(task.domain)
        casting = Casting(task.seed, drawn_from, self.domain.cast(drawn_from))
        self.families = [casting.cast(number, place, known[place.family]) for number, place in enumerate(task.families)]
        self.texts: dict[int, list[Text]] = {}
        self.messages = Messages(task, self.families, drawn_from)
        for family in self.families:
            self._records(family)
            self._mails(family)

    def shift(self) -> Shift:
        """Tickets in the order in which they come in, mails, and the records of the site."""
        ledger, tickets = Ledger(), list[Ticket]()
        parts = {(f.number, name): f for f in self.families for name in f.family.parts}
        order = sorted(
            parts.items(), key=lambda item: (item[1].at(item[0][1]), bool(item[1].family.parts[item[0][1]].about))
        )
        for (_, name), family in order:
            if family.family.parts[name].about:
                tickets.append(self._ticket(family, name, ledger))
            elif (memo := family.outcome.memo) is not None:
                mail = family.mails[memo.part]
                if name == memo.part:
                    ledger.announce(
                        mail.id, memo, family.roles[memo.recall or memo.forum].sku if memo.recall or memo.forum else ""
                    )
                elif name == memo.ended_by:
                    ledger.revoke(mail.id)
        roles = [role for family in self.families for role in family.roles.values()]
        return Shift(
            domain=self.task.domain,
            tickets=tuple(tickets),
            mails=tuple(
                sorted(
                    (*(m for f in self.families for m in f.mails.values()), *self.messages.filler_mails()),
                    key=lambda m: m.message,
                )
            ),
            archived=tuple(self.messages.archive()),
            story=self.domain.story([(role, self.texts.get(id(role), [])) for role in roles]),
        )

    def _records(self, family: CastFamily) -> None:
        for number, record in enumerate(family.outcome.records):
            place, _, name = record.at.partition(" ")
            role = family.roles[name]
            at = NOW.replace(tzinfo=None) - timedelta(days=record.days, minutes=37 * (family.number + number) % 300)
            text, author = family.say(record.text), family.say(record.by)
            self.texts.setdefault(id(role), []).append(Text(place=place, at=at, text=without_brackets(text), by=author))
            if record.says:
                pages = self.domain.pages(place, role, author)
                family.facts[record.id] = fact_of(family, record.id, record.says, text, pages)

    def _mails(self, family: CastFamily) -> None:
        for name, part in family.family.parts.items():
            if part.about:
                continue
            text, message = family.say(part.texts[family.place.wording]), self.messages.numbers[family.number, name]
            ruled = [(t, r.again) for t, r in family.outcome.tickets.items() if r.again and r.again.after == name]
            asked = family.family.kind == "promised"
            family.mails[name] = Mail(
                id=f"M{message:02d}",
                message=message,
                place=family.at(name),
                sender=family.say(part.sender),
                subject=family.say(part.subjects[family.place.wording]),
                text=without_brackets(text),
                family=family.family.id,
                answers=self.domain.asks(family.roles[family.family.parts[ruled[0][0]].about]) if asked else None,
                reopens=self._id(family, ruled[0][0]) if ruled else "",
                phrase=phrase_of(text),
            )
            family.facts[name] = fact_of(
                family, name, f"The mail says: {phrase_of(text)}.", text, (f"inbox:{message}",)
            )

    # tickets

    def _id(self, family: CastFamily, part: str) -> str:
        return f"T{FIRST_NUMBER + family.at(part)}"

    def _ticket(self, family: CastFamily, name: str, ledger: Ledger) -> Ticket:
        part, ruling, domain = family.family.parts[name], family.outcome.tickets[name], self.domain
        role, number = family.roles[part.about], self._id(family, name)
        final = ruling.again or ruling
        days = next((f["parcel"]["days"] for f in final.found.values() if "days" in f.get("parcel", {})), 0)
        matter = Matter(part.claim, role.amount, role.sku, final.truth, final.rule, days, family.family.counts)
        ruled = ledger.judge(number, matter)
        facts = [family.facts[key] for key in final.found]
        if ruled.memo and (fact := self._memo_fact(ruled.memo)) not in facts:
            facts.append(fact)
        refund = ruled.truth == "APPROVE"
        note = family.say(final.note) if final.note else "the rules of the shift say so."
        first_note = family.say(ruling.note) if ruling.note else note
        again = ruling.again is not None
        return Ticket(
            id=number,
            message=self.messages.numbers[family.number, name],
            place=family.at(name),
            family=family.family.id,
            subject=family.say(part.subjects[family.place.wording]),
            text=family.say(part.texts[family.place.wording]),
            sender=family.say(part.sender) if part.sender else role.name,
            facts=tuple(facts),
            truth=DecisionTruth(optimal=ruled.truth, acceptable=(), harmful=domain.harmful(ruled.truth)),
            paragraph=ruled.rule,
            policy={
                "given": domain.given(part.claim, role),
                "start": domain.start(part.claim, role, ruling.start),
                "found": {family.facts[key].id: value for key, value in final.found.items()},
                "alone": [final.truth, final.rule],
            },
            amount=role.amount if refund else 0.0,
            first=FirstDecision(
                truth=ruling.truth,
                end_state=domain.end_state(role, ruling.truth, ruling.rule),
                mail=family.mails[ruling.again.after].id,
            )
            if ruling.again
            else None,
            first_facts=tuple(family.facts[key] for key in ruling.found) if again else (),
            needs=self._needs(family, name, ruled, tuple(fact.id for fact in facts)),
            end_state=domain.end_state(role, ruled.truth, ruled.rule),
            allowed_changes=domain.allowed(role, refund=refund),
            touches=domain.touches(role),
            readings=self._readings(family, role),
            acting=domain.acting(
                role, ruling.truth if again else ruled.truth, ruling.rule if again else ruled.rule, first_note
            ),
            acting_again=(
                (*domain.undoing(role, ruling.truth), *domain.acting(role, ruled.truth, ruled.rule, note))
                if again
                else ()
            ),
        )

    def _memo_fact(self, mail: str) -> Fact:
        return next(f.facts[name] for f in self.families for name, each in f.mails.items() if each.id == mail)

    def _needs(self, family: CastFamily, name: str, ruled: LedgerRuling, facts: tuple[str, ...]) -> tuple[Need, ...]:
        place, needs, parts = family.at(name), list[Need](), list(family.family.parts)
        kind, source = family.family.kind, parts[0]
        if (kind is not None and parts.index(name) > 0) or (kind in ("reversed", "promised") and len(parts) > 1):
            again, news = family.outcome.tickets[name].again, name == source
            brought = again.after if again else source
            end = family.at(parts[-1]) if news else place
            known = {
                fact.id
                for key, fact in family.facts.items()
                if (key in family.mails if news else self._is_from(family, key, source))
            }
            needs.append(
                Need(
                    kind=kind,
                    ticket=family.mails[brought].id if brought in family.mails else self._id(family, brought),
                    distance=end - family.at(source),
                    facts=tuple(f for f in facts if f in known),
                )
            )
        if ruled.memo and not any(need.ticket == ruled.memo for need in needs):
            mail = next(mail for f in self.families for mail in f.mails.values() if mail.id == ruled.memo)
            needs.append(
                Need(kind="told", ticket=mail.id, distance=place - mail.place, facts=(self._memo_fact(mail.id).id,))
            )
        needs += [
            Need(kind="decided", ticket=each, distance=place - int(each[1:]) + FIRST_NUMBER) for each in ruled.earlier
        ]
        return tuple(needs)

    def _is_from(self, family: CastFamily, key: str, source: str) -> bool:
        """Whether a fact is delivered with the family's first part."""
        if key in family.mails:
            return key == source
        about = family.family.parts[source].about
        record = next(record for record in family.outcome.records if record.id == key)
        return record.at.endswith(f" {about}")

    def _readings(self, family: CastFamily, role: SimpleNamespace) -> tuple[ReferenceStep, ...]:
        """The reference opens the pages with texts about the ticket's own role, first those of the order itself."""
        moves = []
        own = [record for record in family.outcome.records if family.roles[record.at.partition(" ")[2]] is role]
        for place in sorted({record.at.partition(" ")[0] for record in own}):
            moves.append(ReferenceStep(goto=self.domain.address(place, role)))
            for record in own:
                if record.at.startswith(place) and phrase_of(record.text) != record.text:
                    moves.append(ReferenceStep(read=phrase_of(family.say(record.text)), why=record.says))
        return tuple(moves)
