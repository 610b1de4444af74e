"""The Handbook's second part: its text and the rules in code state the same policy."""

import re
from typing import Any

import pytest

from longtrail.paths import POLICIES
from longtrail.web.sites.shopadmin.handbook import DISPUTE_LIMITS, LIMITS
from longtrail.yaml_file import read_yaml
from workshop.policies.shop import PolicyVerdict, ShopUndetermined, decide

ADDRESS = ("by_account", "before_weighing", "scan_new", "signer_known", "address_known")
HOME = ("same_ip", "signer_known", "reviewed", "single_code", "own_sign_in", "nobody_else")
BATCH = {"share": 10, "listed": True, "fault_listed": True, "months": 11.9, "altered": False, "settled": False}
PROMISE = {
    "unused": True, "entitled": True, "signed_in": True, "days": 60, "promised": 60, "uses": 12, "slip": True,
}  # fmt: skip
CARTON = {"missing": 2.0, "others": 1.4, "packed": 4.0, "accepted": 4.0, "delivered": 4.0}


def _decide(section: str, fields: dict[str, Any]) -> PolicyVerdict | ShopUndetermined:
    return decide({"given": {"claim": "faulty", "amount": 100}, "found": {"all": {section: fields}}})


def _yes(names: tuple[str, ...], count: int) -> dict[str, Any]:
    return {name: place < count for place, name in enumerate(names)}


CASES = [
    *(("redirected", _yes(ADDRESS, n), d, "13.3") for n, d in enumerate(
        ("ESCALATE", "ESCALATE", "APPROVE", "REQUEST_INFO", "ESCALATE", "DENY"))),
    *(("household", _yes(HOME, n), d, "16.3") for n, d in enumerate(
        ("APPROVE", "APPROVE", "APPROVE", "ESCALATE", "REQUEST_INFO", "DENY", "DENY"))),
    ("batch", BATCH, "APPROVE", "14.4"),
    ("batch", {**BATCH, "share": 9.9}, "REQUEST_INFO", "14.4"),
    ("batch", {**BATCH, "months": 12}, "REQUEST_INFO", "14.4"),
    ("batch", {**BATCH, "settled": True}, "ESCALATE", "14.4"),
    ("batch", {**BATCH, "settled": True, "listed": False}, "DENY", "14.4"),
    ("batch", {**BATCH, "settled": True, "listed": False, "altered": True}, "ESCALATE", "14.4"),
    ("promise", PROMISE, "APPROVE", "15.4"),
    ("promise", {**PROMISE, "slip": False}, "REQUEST_INFO", "15.4"),
    ("promise", {**PROMISE, "uses": 13, "slip": False}, "ESCALATE", "15.3"),
    ("promise", {**PROMISE, "days": 61, "uses": 13}, "DENY", "15.2"),
    ("promise", {**PROMISE, "signed_in": False}, "DENY", "15.2"),
    ("contents", CARTON, "DENY", "17.5"),
    ("contents", {**CARTON, "delivered": 3.0}, "ESCALATE", "17.4"),
    ("contents", {**CARTON, "packed": 3.0, "accepted": 3.0}, "APPROVE", "17.3"),
    ("contents", {**CARTON, "packed": 3.0, "accepted": 2.0}, "ESCALATE", "17.2"),
    ("contents", {**CARTON, "weighed": False}, "REQUEST_INFO", "17.4"),
]  # fmt: skip


@pytest.mark.parametrize(("section", "fields", "decision", "paragraph"), CASES)
def test_a_sheet_has_one_outcome(section: str, fields: dict[str, Any], decision: str, paragraph: str) -> None:
    verdict = _decide(section, fields)
    assert isinstance(verdict, PolicyVerdict)
    assert (verdict.decision, verdict.paragraph) == (decision, paragraph)


@pytest.mark.parametrize(
    ("section", "fields"),
    [("redirected", _yes(ADDRESS, 3)), ("household", _yes(HOME, 4)), ("batch", BATCH), ("promise", PROMISE),
     ("contents", CARTON)],
)  # fmt: skip
def test_a_blank_line_leaves_it_open(section: str, fields: dict[str, Any]) -> None:
    for name in fields:
        rest = {key: value for key, value in fields.items() if key != name}
        assert _decide(section, rest) == ShopUndetermined(missing=f"{section}.{name}")


def _paragraphs() -> dict[str, str]:
    page = read_yaml(POLICIES / "handbook_disputes.yaml")
    return {number: text for section in page["sections"] for number, text in section["paragraphs"]}


def test_every_figure_is_named() -> None:
    named = {name for text in _paragraphs().values() for name in re.findall(r"{(\w+)}", text)}
    assert named - LIMITS.keys() == DISPUTE_LIMITS.keys()


def test_verdicts_agree_with_the_words_of_their_paragraphs() -> None:
    for _, _, decision, paragraph in CASES:
        assert decision in _paragraphs()[paragraph], paragraph
