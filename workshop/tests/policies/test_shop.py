"""The Handbook's text and the rules in code state the same policy."""

import re
from typing import Any

import pytest

from longtrail.paths import POLICIES
from longtrail.web.sites.shopadmin.handbook import LIMITS
from longtrail.yaml_file import read_yaml
from tests.web.sites.shopadmin.shop import Shop, read
from workshop.policies.shop import PolicyVerdict, ShopUndetermined, decide

TAKEN = {
    "reset_hidden": True, "new_state": True, "orders_48h": 3, "orders_month": 1, "spend_48h": 350, "spend_month": 85,
    "answered": False,
}  # fmt: skip
PREFERRED = {"months": 24, "orders": 25, "lifetime": 5000, "rank": 10, "refunds": 1}
RETURNS = {"orders": 30, "returns": 15, "exchanges": 15, "net": 1000}
UNUSED = {"days": 5, "unused": True}
Found = dict[str, dict[str, Any]]


def _decide(found: Found, claim: str = "damaged", amount: float = 100) -> PolicyVerdict | ShopUndetermined:
    return decide({"given": {"claim": claim, "amount": amount}, "found": {"all": found}})


CASES: list[tuple[str, Found, dict[str, Any], str, str]] = [
    ("a chargeback", {"stop": {"chargeback": True}}, {}, "ESCALATE", "4.1"),
    ("a lawyer, though preferred", {"stop": {"legal": True}, "account": PREFERRED}, {}, "ESCALATE", "4.1"),
    ("a full sheet", {"takeover": TAKEN}, {}, "ESCALATE", "5.3"),
    ("three lines", {"takeover": {**TAKEN, "reset_hidden": False, "answered": True}}, {}, "ESCALATE", "5.3"),
    ("a taken account that is preferred", {"takeover": TAKEN, "account": PREFERRED}, {}, "ESCALATE", "5.3"),
    (
        "two lines, and preferred",
        {"takeover": {**TAKEN, "reset_hidden": False, "answered": True, "orders_48h": 2}, "account": PREFERRED},
        {},
        "APPROVE",
        "10.2",
    ),
    ("linked accounts", {"linked": {"accounts": 2, "refunds": 2}}, {}, "ESCALATE", "6.2"),
    ("a forwarder", {"forwarded": {"forwarder": True, "names_differ": True}}, {"amount": 250}, "ESCALATE", "6.3"),
    ("worn again", {"worn": {"returns_worn": 2, "item_worn": True}}, {}, "DENY", "6.4"),
    ("in use, again", {"possession": {"signed": True, "used": True, "earlier_refunds": 1}}, {}, "DENY", "6.5"),
    ("in use, once", {"possession": {"signed": True, "used": True, "earlier_refunds": 0}}, {}, "ESCALATE", "6.6"),
    ("our mistake", {"warehouse": {"reports": 1, "traced": 1, "closed": True}}, {}, "APPROVE", "7.2"),
    ("partly ours", {"warehouse": {"reports": 4, "traced": 3, "closed": True}}, {}, "ESCALATE", "7.3"),
    ("ours and still open", {"warehouse": {"reports": 4, "traced": 4, "closed": False}}, {}, "ESCALATE", "7.4"),
    ("lost", {"parcel": {"scan": "lost"}}, {}, "APPROVE", "8.2"),
    ("lost after a trace", {"parcel": {"scan": "delivered", "trace": "lost"}}, {}, "APPROVE", "8.2"),
    ("a courtesy", {"parcel": {"scan": "delivered", "trace": "open", "earlier_claims": 0}}, {}, "APPROVE", "8.3"),
    (
        "no courtesy above the limit",
        {"parcel": {"scan": "delivered", "trace": "none", "earlier_claims": 0}},
        {"amount": 100.01},
        "ESCALATE",
        "8.4",
    ),
    (
        "no second courtesy",
        {"parcel": {"scan": "delivered", "trace": "open", "earlier_claims": 1}},
        {},
        "ESCALATE",
        "8.4",
    ),
    ("delivered after all", {"parcel": {"scan": "delivered", "trace": "delivered"}}, {}, "DENY", "8.5"),
    ("on its way", {"parcel": {"scan": "moving", "days": 9}}, {}, "DENY", "8.6"),
    ("on its way for too long", {"parcel": {"scan": "moving", "days": 10}}, {}, "APPROVE", "8.6"),
    ("sizes only", {"returns": RETURNS}, {}, "APPROVE", "9.3"),
    ("sizes, but little stays", {"returns": {**RETURNS, "net": 999.99}}, {}, "ESCALATE", "9.4"),
    ("not only sizes", {"returns": {**RETURNS, "exchanges": 14}}, {}, "ESCALATE", "9.4"),
    ("preferred", {"account": PREFERRED}, {"amount": 250}, "APPROVE", "10.2"),
    ("preferred, large", {"account": PREFERRED}, {"amount": 250.01}, "ESCALATE", "10.3"),
    ("shown in time", {"goods": {"days": 30, "proof": True}}, {}, "APPROVE", "11.2"),
    ("shown in time, large", {"goods": {"days": 30, "proof": True}}, {"amount": 300.01}, "ESCALATE", "11.5"),
    ("too late", {"goods": {"days": 31, "proof": True}}, {}, "DENY", "11.3"),
    ("nothing to show", {"goods": {"days": 3, "proof": False}}, {}, "DENY", "11.3"),
    ("a change of mind", {"goods": {"days": 45, "unused": True}}, {"claim": "changed_mind"}, "APPROVE", "11.4"),
    ("a late change of mind", {"goods": {"days": 46, "unused": True}}, {"claim": "changed_mind"}, "DENY", "11.4"),
    ("used", {"goods": {"days": 5, "unused": False}}, {"claim": "wrong_size"}, "DENY", "11.4"),
    ("one piece used", {"goods": {"days": 5, "unused": [True, False]}}, {"claim": "wrong_size"}, "DENY", "11.4"),
    ("each unused", {"goods": {"days": 5, "unused": [True, True]}}, {"claim": "wrong_size"}, "APPROVE", "11.4"),
    ("another piece", {"goods": {**UNUSED, "this_piece": False}}, {"claim": "changed_mind"}, "DENY", "11.4"),
    ("this piece", {"goods": {**UNUSED, "this_piece": True}}, {"claim": "changed_mind"}, "APPROVE", "11.4"),
    ("wet with the customer", {"goods": {"days": 3, "proof": True, "ours": False}}, {}, "DENY", "11.3"),
    ("wet with us", {"goods": {"days": 3, "proof": True, "ours": True}}, {}, "APPROVE", "11.2"),
    ("short of its page", {"goods": {"days": 3, "measured": 2.5, "at_least": 40}}, {}, "APPROVE", "11.2"),
    ("as its page says", {"goods": {"days": 3, "measured": 7.8, "at_most": 8}}, {}, "DENY", "11.3"),
    ("slower than its page", {"goods": {"days": 3, "measured": 8.2, "at_most": 8}}, {}, "APPROVE", "11.2"),
    ("soles as new", {"goods": {"days": 5, "measured": 4, "at_least": 4}}, {"claim": "wrong_size"}, "APPROVE", "11.4"),
    ("soles run down", {"goods": {"days": 5, "measured": 3, "at_least": 4}}, {"claim": "wrong_size"}, "DENY", "11.4"),
    ("one of two worn", {"worn": {"returns_worn": 2, "item_worn": [False, True]}}, {}, "DENY", "6.4"),
]


@pytest.mark.parametrize(("found", "given", "decision", "paragraph"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_rules(found: Found, given: dict[str, Any], decision: str, paragraph: str) -> None:
    verdict = _decide(found, **given)
    assert isinstance(verdict, PolicyVerdict)
    assert (verdict.decision, verdict.paragraph) == (decision, paragraph)


@pytest.mark.parametrize("field", PREFERRED)
def test_each_condition_of_a_preferred_account_counts(field: str) -> None:
    worse = {"months": 23, "orders": 24, "lifetime": 4999.99, "rank": 11, "refunds": 2}
    goods = {"days": 200, "proof": False}
    assert _decide({"account": PREFERRED, "goods": goods}) == PolicyVerdict(decision="APPROVE", paragraph="10.2")
    verdict = _decide({"account": {**PREFERRED, field: worse[field]}, "goods": goods})
    assert verdict == PolicyVerdict(decision="DENY", paragraph="11.3")


@pytest.mark.parametrize(
    ("section", "fields"),
    [
        ("takeover", TAKEN),
        ("linked", {"accounts": 2, "refunds": 2}),
        ("worn", {"returns_worn": 2, "item_worn": True}),
        ("possession", {"signed": True, "used": True, "earlier_refunds": 1}),
        ("warehouse", {"reports": 4, "traced": 4, "closed": True}),
        ("parcel", {"scan": "delivered", "trace": "open", "earlier_claims": 2}),
        ("returns", RETURNS),
        ("account", PREFERRED),
        ("goods", {"days": 3, "proof": True}),
    ],
)
def test_what_nobody_looked_up_leaves_it_open(section: str, fields: dict[str, Any]) -> None:
    for name in fields:
        rest = {k: v for k, v in fields.items() if k != name}
        assert _decide({section: rest}) == ShopUndetermined(missing=f"{section}.{name}")


def test_goodwill_begins_with_the_third_report() -> None:
    for reports, riders in ((2, ("apology",)), (3, ("apology", "credit"))):
        verdict = _decide({"warehouse": {"reports": reports, "traced": reports, "closed": True}})
        assert isinstance(verdict, PolicyVerdict)
        assert verdict.riders == riders


def _paragraphs() -> dict[str, str]:
    return {
        n: text for section in read_yaml(POLICIES / "handbook.yaml")["sections"] for n, text in section["paragraphs"]
    }


def test_every_figure_is_named_and_every_verdict_has_its_paragraph() -> None:
    assert {paragraph for *_, paragraph in CASES} <= _paragraphs().keys()
    assert {name for text in _paragraphs().values() for name in re.findall(r"{(\w+)}", text)} == set(LIMITS)


def test_verdicts_agree_with_the_words_of_their_paragraphs() -> None:
    """The paragraph of each verdict contains the name of the decision."""
    for name, _, _, decision, paragraph in CASES:
        assert re.search(decision[:5], _paragraphs()[paragraph].upper()), name


def test_the_page_reads_as_the_rules_compute(shop: Shop) -> None:
    text = read(shop.get("/admin/cms/page/edit/page_id/6/").text)[0]
    assert "{" not in text
    for number in _paragraphs():
        assert re.search(rf"^{re.escape(number)} \S", text, re.MULTILINE), number
    assert "up to $250" in text
    assert "24 months old or more" in text
    assert "$5,000 or more" in text
