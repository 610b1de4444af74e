"""The detector of hallucinations: against labelled claims, under changes with known effect, and on any text at all."""

import random
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from longtrail.authoring.claims.agreement import agreement, shown
from longtrail.clock import NOW
from longtrail.records.action import Decide, Evidence
from longtrail.scoring.grounding.claims import LONGEST, MOST, Claim, claims_of
from longtrail.scoring.grounding.detector import Kind, findings, judge
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.page import read_page
from tests.scoring.grounding.labelled import DEVELOPMENT, LOCKED, UNMENDED, claims, ledgers, verdicts

LABELLED = [*claims(*DEVELOPMENT, *LOCKED)]
AMOUNT = re.compile(r"\d(?=\d*\.\d\d\b)")
FEW = re.compile(r"(?<![\d.,:#$/+-])\b([2-9])\b(?= [a-z]{4})")
IN_WORDS = ("", "", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@cache
def quoted() -> tuple[tuple[str, Claim], ...]:
    """(case, claim) of the evidence that stands word for word on the page which it names."""
    found = verdicts(*DEVELOPMENT, *LOCKED)
    return tuple(
        (one.case, one.claim)
        for one, (_, label, finding) in zip(LABELLED, found, strict=True)
        if label == "supported" and one.claim.source and finding.reason.startswith("stands on")
    )


def judged_otherwise(kind: Kind, altered: Iterable[tuple[Claim, Ledger]]) -> list[str]:
    """The claims among these that are not judged so. Raises ValueError where there are hardly any."""
    kinds = [(claim, judge(claim, ledger).kind) for claim, ledger in altered]
    if len(kinds) < 5:
        raise ValueError(f"only {len(kinds)} claims to try it on")
    return [f"{found}: {claim}" for claim, found in kinds if found != kind]


def test_there_are_enough_claims_of_every_class() -> None:
    assert len(LABELLED) >= 600
    for label in ("supported", "fabricated_source", "misattribution", "synthetic", "unverifiable"):
        assert sum(kind == label for _, kind, _ in LABELLED) >= 60
    texts = [(case, claim.source, claim.text) for case, _, claim in LABELLED]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(("parts", "recall"), [(DEVELOPMENT, 0.83), (LOCKED, 0.85)], ids=["development", "locked"])
def test_flags_are_right_and_few_are_missed(parts: tuple[str, ...], recall: float) -> None:
    """What is missed mostly turns a fact round in words of its own."""
    found = agreement([(label, finding.kind) for _, label, finding in verdicts(*parts)])
    for each in found.classes:
        assert each.precision >= 0.95, shown(found)
        assert each.recall >= recall, shown(found)
    assert found.kappa >= 0.9, shown(found)


def test_what_to_expect_on_new_cases() -> None:
    """Far below the rest, as the docs say; no change may make it worse unseen."""
    found = agreement([(label, finding.kind) for _, label, finding in verdicts(*UNMENDED)])
    assert found.kappa >= 0.7, shown(found)
    assert all(each.precision >= 0.65 for each in found.classes), shown(found)


def test_over_all_claims_flags_can_be_relied_on() -> None:
    found = agreement([(label, finding.kind) for _, label, finding in verdicts(*DEVELOPMENT, *LOCKED)])
    assert all(each.low >= 0.95 and each.recall >= 0.85 for each in found.classes), shown(found)
    assert found.kappa >= 0.9, shown(found)


def test_without_the_page_the_source_is_fabricated() -> None:
    def without(case: str, claim: Claim) -> Ledger:
        ledger = ledgers()[case]
        keys = {key for entry in ledger.entries if entry.url.startswith(claim.source.rstrip("/")) for key in entry.keys}
        return replace(ledger, entries=tuple(entry for entry in ledger.entries if not entry.keys & keys))

    by_address = [(case, claim) for case, claim in quoted() if claim.source.startswith("https://")]
    left = [(claim, without(case, claim)) for case, claim in by_address]
    assert judged_otherwise("fabricated_source", left) == []


def test_with_another_page_named_it_is_misattributed() -> None:
    def elsewhere(case: str, claim: Claim) -> tuple[Claim, Ledger]:
        ledger = ledgers()[case]
        others = (claim.model_copy(update={"source": entry.url}) for entry in ledger.entries if entry.url)
        return next(moved for moved in others if judge(moved, ledger).kind != "supported"), ledger

    long = [(case, claim) for case, claim in quoted() if len(claim.text.split()) > 3]
    assert judged_otherwise("misattribution", [elsewhere(case, claim) for case, claim in long]) == []


def test_with_another_digit_it_is_synthetic() -> None:
    def altered(claim: Claim, amount: re.Match[str]) -> Claim:
        at, text = amount.start(), claim.text
        other = f"{text[:at]}{(int(text[at]) + 4) % 9 + 1}{text[at + 1 :]}"
        return claim.model_copy(update={"text": other})

    found = ((case, claim, AMOUNT.search(claim.text)) for case, claim in quoted())
    changed = [(altered(claim, amount), ledgers()[case]) for case, claim, amount in found if amount]
    assert judged_otherwise("synthetic", changed) == []


def test_the_order_of_pages_changes_nothing() -> None:
    for case, _, claim in random.Random(7).sample(LABELLED, 120):
        ledger = ledgers()[case]
        turned = replace(ledger, entries=tuple(reversed(ledger.entries)))
        assert judge(claim, turned).kind == judge(claim, ledger).kind, claim


def test_marks_around_a_quotation_change_nothing() -> None:
    for case, claim in quoted():
        if '"' not in claim.text:
            marked = claim.model_copy(update={"text": f'"{claim.text}"'})
            assert judge(marked, ledgers()[case]).kind == "supported", claim


def test_a_number_may_be_written_in_words() -> None:
    for case, claim in quoted():
        text = FEW.sub(lambda match: IN_WORDS[int(match[1])], claim.text)
        assert judge(claim.model_copy(update={"text": text}), ledgers()[case]).kind == "supported", text


def test_every_claim_of_a_decision_is_judged() -> None:
    decision = Decide(
        decision="APPROVE",
        justification='Net of refunds $5,879.84 are left; "M. Baker signed it." It looks fine.\n- Order 600 is done.',
        evidence=(Evidence(source="customer:148", quote="Net of Refunds $5,879.84"),),
    )
    assert [claim.text for claim in claims_of(decision)] == [
        "Net of Refunds $5,879.84",
        "Net of refunds $5,879.84 are left",
        '"M. Baker signed it."',
        "It looks fine.",
        "Order 600 is done.",
    ]
    kinds = [finding.kind for finding in findings(decision, ledgers()["PW-025"])]
    assert kinds == ["supported", "supported", "synthetic", "unverifiable", "supported"]


def test_what_was_cut_off_was_not_delivered() -> None:
    page = read_page('heading "Order"\nrow: Grand Total | $10.00\n... truncated, 40 more lines; scroll', NOW)
    ledger = Ledger(
        "shopping_admin", (Entry(frozenset({"order:9"}), "https://shopadmin.test/admin/", "", page, 1),), NOW
    )
    assert judge(Claim(text="$88.10 were refunded."), ledger).kind == "synthetic"


SIGNS, LETTERS = " .,:;\"'()$%#0123456789-/", "aeinorstAT"
TEXTS = st.text(st.one_of(st.sampled_from(SIGNS), st.sampled_from(LETTERS), st.characters(codec="utf-8")))
ODD = [
    "1e99 refunds",
    "$" + "9" * 400,
    "9" * 300 + " days ago",
    "0 of 0 orders, 0 %",
    "99999999 years old",
    "x" * LONGEST,
]
FLOODS = [
    "x",
    "3 ",
    "a_b ",
    "Xx ",
    "$1.50 ",
    "3 days after ",
    "; ",
    "5. ",
    "$5,879.84 and 3 and 4 and $12.00 and 5 and 6 ",
]


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS)
def test_any_claim_can_be_judged(source: str, text: str) -> None:
    for case in ("PW-025", "brigade_false_alarm_003"):
        judge(Claim(text=text, source=source, part="evidence"), ledgers()[case])
        judge(Claim(text=text), ledgers()[case])


@pytest.mark.parametrize("text", ODD, ids=lambda text: text[:12])
def test_odd_claims_raise_nothing(text: str) -> None:
    for ledger in ledgers().values():
        judge(Claim(text=text), ledger)


@pytest.mark.parametrize("flood", FLOODS)
def test_who_floods_the_scoring_does_not_stop_it(flood: str) -> None:
    """As much as a decision may hold, of one thing: what would be compared each with each took hours."""
    text = (flood * 20_000)[:20_000]
    decision = Decide(
        decision="APPROVE", justification=text, evidence=(Evidence(source=text[:2000], quote=text[:4000]),)
    )
    found = findings(decision, ledgers()["PW-025"])
    assert 0 < len(found) <= MOST
    assert all(len(finding.claim.text) <= LONGEST for finding in found)


def test_a_long_text_is_judged_in_pieces_between_words() -> None:
    words = [f"word{number}" for number in range(400)]
    decision = Decide(decision="APPROVE", justification=" ".join(words))
    pieces = [claim.text for claim in claims_of(decision)]
    assert len(pieces) > 2
    assert " ".join(pieces).split() == words
