"""Compose: the plan of a shift and the families -> its tickets, mails and records, with what is right for each ticket.

A pure function of the plan: people, orders and dates are drawn from its seed, family by family, so a twin has the same.
"""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import lru_cache
from types import ModuleType, SimpleNamespace

from longtrail.checks.decisions import DecisionTruth
from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.tasks.reference import ReferenceStep
from longtrail.tasks.shifts import forum, shop
from longtrail.tasks.shifts.cast_family import CastFamily, Casting, Messages, fact_of, phrase_of, without_brackets
from longtrail.tasks.shifts.families import families, material
from longtrail.tasks.shifts.ledger import (
    LedgerRuling,
    TicketRulings,
    events_of,
    final_ruling,
    rulings_of,
    ticket_number,
)
from longtrail.tasks.shifts.shift import FIRST_NUMBER, FirstDecision, Mail, Need, Shift, ShiftTask, Text, Ticket
from longtrail.tasks.shifts.shift_site import shift_site

DOMAINS: Mapping[str, ModuleType] = {"shop": shop, "forum": forum}


@lru_cache(maxsize=64)
def compose(task: ShiftTask) -> Shift:
    """The shift of a plan. Raises DataError."""
    return Composer(task).shift()


class Composer:
    """Composes one shift."""

    def __init__(self, task: ShiftTask) -> None:
        self.task, self.domain, self.site = task, DOMAINS[task.domain], shift_site(task.domain)
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
        events = events_of(self.families)
        rulings = rulings_of(events, self.domain, self.site)
        tickets = [
            self._ticket(family, name, rulings[family.number, name])
            for family, name in events
            if family.family.parts[name].about
        ]
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
                pages = self.site.pages_of(place, role, author or getattr(role, "clerk", ""))
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
                answers=self.site.check(self.site.asks, vars(family.roles[family.family.parts[ruled[0][0]].about]))
                if asked
                else None,
                phrase=phrase_of(text),
            )
            family.facts[name] = fact_of(
                family, name, f"The mail says: {phrase_of(text)}.", text, (f"inbox:{message}",)
            )

    # tickets

    def _ticket(self, family: CastFamily, name: str, rulings: TicketRulings) -> Ticket:
        part, ruling, domain = family.family.parts[name], family.outcome.tickets[name], self.domain
        site = self.site
        role, number = family.roles[part.about], ticket_number(family, name)
        final, first, ruled = final_ruling(family, name), rulings.first, rulings.last
        facts = self._evidence(family, final.found, ruled)
        again = rulings.changed_by is not None
        if rulings.changed_by and (news := rulings.changed_by[0].facts[rulings.changed_by[1]]) not in facts:
            facts.append(news)
        note = family.say(final.note) if final.note else "the rules of the shift say so."
        first_note = family.say(ruling.note) if ruling.note else note
        return Ticket(
            id=number,
            message=self.messages.numbers[family.number, name],
            place=family.at(name),
            family=family.family.id,
            subject=family.say(part.subjects[family.place.wording]),
            text=family.say(part.texts[family.place.wording]),
            sender=family.say(part.sender) if part.sender else role.name,
            facts=tuple(facts),
            truth=DecisionTruth(optimal=ruled.truth, acceptable=(), harmful=site.harmful_to(ruled.truth)),
            paragraph=ruled.rule,
            policy={
                "given": domain.given(part.claim, role),
                "start": domain.start(part.claim, role, ruling.start),
                "found": {family.facts[key].id: value for key, value in final.found.items()},
                "alone": [final.truth, final.rule],
            },
            amount=role.amount if ruled.truth == "APPROVE" else 0.0,
            first=FirstDecision(
                truth=first.truth,
                end_state=site.end_state(role, first.truth, first.rule),
                mail=self._mail_of(*rulings.changed_by).id,
            )
            if rulings.changed_by
            else None,
            first_facts=tuple(self._evidence(family, ruling.found, first)) if again else (),
            needs=self._needs(family, name, rulings, tuple(fact.id for fact in facts)),
            end_state=site.end_state(role, ruled.truth, ruled.rule),
            allowed_changes=site.allowed_changes(role, ruled.truth),
            touches=site.touched(role),
            readings=self._readings(family, role),
            acting=site.acting(role, first.truth, first.rule, first_note),
            acting_again=(
                (*site.undoing(role, first.truth), *site.acting(role, ruled.truth, ruled.rule, note)) if again else ()
            ),
        )

    def _mail_of(self, family: CastFamily, name: str) -> Mail:
        return family.mails[name]

    def _evidence(self, family: CastFamily, found: Iterable[str], ruling: LedgerRuling) -> list[Fact]:
        """The facts on which a ruling rests: the ticket's own ones and the memo's. Own ones that decide nothing are not
        asked for, and if a memo says the same as they do, either of both will do."""
        own, told = [family.facts[key] for key in found], self._told(ruling.memo)
        if ruling.settled:
            by_ledger = bool(ruling.memo or ruling.earlier)
            own = [] if by_ledger else [_either(fact, other) for other in self._told(ruling.instead) for fact in own]
        return [*own, *(fact for fact in told if fact not in own)]

    def _told(self, memo: str) -> list[Fact]:
        """The fact that a memo tells; none without a memo."""
        mails = ((f, name, mail) for f in self.families for name, mail in f.mails.items())
        return [family.facts[name] for family, name, mail in mails if mail.id == memo]

    def _needs(self, family: CastFamily, name: str, rulings: TicketRulings, facts: tuple[str, ...]) -> tuple[Need, ...]:
        ruled, place, number = rulings.last, family.at(name), ticket_number(family, name)
        needs = self._family_needs(family, name, ruled, facts)
        mails = {mail.id: (mail, f.facts[part].id) for f in self.families for part, mail in f.mails.items()}
        for told in (ruled.memo, *ruled.rivals):
            if told:
                mail, fact = mails[told]
                known = (fact,) if fact in facts else ()
                needs.append(Need(kind="told", ticket=told, distance=place - mail.place, facts=known))
        needs += [
            Need(kind="decided", ticket=each, distance=place - int(each[1:]) + FIRST_NUMBER) for each in ruled.earlier
        ]
        if rulings.changed_by and not any(need.kind in ("reversed", "promised") for need in needs):
            mail, fact = mails[self._mail_of(*rulings.changed_by).id]
            needs.append(Need(kind="reversed", ticket=mail.id, distance=mail.place - place, facts=(fact,)))
        if alike := family.outcome.tickets[name].alike:
            needs.append(Need(kind="alike", ticket=ticket_number(family, alike), distance=place - family.at(alike)))
        known_needs: dict[tuple[str, str], Need] = {}
        for need in needs:
            known_needs.setdefault((need.kind, need.ticket), need)
        return tuple(need for need in known_needs.values() if need.ticket != number or need.kind == "reversed")

    def _family_needs(self, family: CastFamily, name: str, ruled: LedgerRuling, facts: tuple[str, ...]) -> list[Need]:
        """What a ticket needs by the kind of its family."""
        parts, kind = list(family.family.parts), family.family.kind
        news, source = kind in ("reversed", "promised"), parts[0]
        if kind is None or not (news or parts.index(name)) or family.family.by_ledger or (ruled.settled and not news):
            return []
        again = family.outcome.tickets[name].again
        brought = again.after if again else name if news else source
        known = {
            fact.id
            for key, fact in family.facts.items()
            if (key in family.mails if news else self._is_from(family, key, source))
        }
        if kind == "told" and ruled.memo:
            return []
        return [
            Need(
                kind=kind,
                ticket=family.mails[brought].id if brought in family.mails else ticket_number(family, brought),
                distance=abs(family.at(parts[-1] if news else source) - family.at(name)),
                facts=tuple(f for f in facts if f in known),
            )
        ]

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
            moves.append(ReferenceStep(goto=self.site.addresses[place].format(**vars(role))))
            for record in own:
                if record.at.startswith(place) and phrase_of(record.text) != record.text:
                    moves.append(ReferenceStep(read=phrase_of(family.say(record.text)), why=record.says))
        return tuple(moves)


def _either(fact: Fact, other: Fact) -> Fact:
    """A fact of which the other one is as good."""
    return fact.model_copy(
        update={
            "says": f"{fact.says} Or: {other.says}",
            "shown": (*fact.shown, *other.shown),
            "pages": (*fact.pages, *other.pages),
        }
    )
