"""Which facts a decision depends on: those for which another value would change it."""

from datetime import date
from typing import Any

import pytest

from workshop.policies import forum, shop
from workshop.policies.forum import ForumFindings
from workshop.policies.shop import ShopFindings
from workshop.policies.variation import variants

UNUSED = {"goods": {"unused": True}}
MOVING = {"parcel": {"scan": "moving"}}
SEEN = {"parcel": {"scan": "moving", "last_scan": 16}}
GOODS: dict[str, Any] = {"delivered": {"goods": {"days": 4}}, "photo": {"goods": {"proof": True}}}


def _shop(claim: str = "damaged", **found: Any) -> dict[str, Any]:
    return {"given": {"claim": claim, "amount": 80.0}, "found": found}


@pytest.mark.parametrize(
    ("policy", "idle"),
    [
        (_shop(**GOODS), []),
        (_shop(**{**GOODS, "photo": {"goods": {"proof": False}}}), ["delivered"]),
        # used before or after the delivery: each of the two dates decides
        (_shop(delivered={"goods": {"days": 8}}, sticker={"goods": {"used_days": 3}}), []),
        # 6.4: earlier worn returns don't matter if this item was found unworn
        (
            _shop(
                "wrong_size",
                earlier={"worn": {"returns_worn": 2}},
                item={"worn": {"item_worn": False}, "goods": {"unused": True}},
                delivered={"goods": {"days": 4}},
            ),
            ["earlier"],
        ),
        # 5.3 needs the full sheet, 5.4 does not
        (
            _shop(
                reset={"takeover": {"reset_hidden": True, "new_state": True}},
                pace={"takeover": {"orders_48h": 3, "orders_month": 1, "spend_48h": 300.0, "spend_month": 50.0}},
                silence={"takeover": {"answered": False}},
            ),
            [],
        ),
        (
            _shop(
                reset={"takeover": {"reset_hidden": True}},
                state={"takeover": {"new_state": False}},
                pace={"takeover": {"orders_48h": 1, "orders_month": 1, "spend_48h": 30.0, "spend_month": 50.0}},
                silence={"takeover": {"answered": False}},
                **GOODS,
            ),
            ["reset", "silence"],
        ),
        # 8.2: lost after a trace, whatever was scanned before
        (_shop("not_received", scan={"parcel": {"scan": "delivered"}}, trace={"parcel": {"trace": "lost"}}), ["scan"]),
        # 7.4 or 7.3: escalated in any case, so the number of reports does not matter
        (
            _shop(
                "wrong_item",
                reports={"warehouse": {"reports": 2}},
                traced={"warehouse": {"traced": 2}},
                cause={"warehouse": {"closed": False}},
            ),
            ["reports"],
        ),
        # 9.2 needs a field without a value, so any decision is possible
        (
            _shop(
                "wrong_size",
                orders={"returns": {"orders": 10}},
                memos={"returns": {"returns": 3}},
                delivered={"goods": {"days": 4}},
                unused={"goods": {"unused": True}},
            ),
            [],
        ),
    ],
)
def test_shop(policy: dict[str, Any], idle: list[str]) -> None:
    assert shop.needless(policy) == idle


@pytest.mark.parametrize(
    ("claim", "found", "ordered", "idle"),
    [
        # delivered thirty days ago at most, or forty-five
        ("damaged", GOODS, date(2026, 2, 15), ["delivered"]),
        ("damaged", GOODS, date(2026, 2, 14), []),
        ("changed_mind", {"delivered": GOODS["delivered"], "seal": UNUSED}, date(2026, 1, 31), ["delivered"]),
        ("changed_mind", {"delivered": GOODS["delivered"], "seal": UNUSED}, date(2026, 1, 30), []),
        # ten working days after March 3, a Tuesday
        ("not_received", {"moving": MOVING, "sent": {"parcel": {"days": 2}}}, date(2026, 3, 4), ["sent"]),
        ("not_received", {"moving": MOVING, "sent": {"parcel": {"days": 2}}}, date(2026, 3, 3), []),
        # it left before it was last seen
        ("not_received", {"moving": SEEN, "sent": {"parcel": {"days": 18}}}, date(2026, 2, 1), ["sent"]),
    ],
)
def test_no_parcel_is_older_than_its_order(claim: str, found: Any, ordered: date, idle: list[str]) -> None:
    assert shop.needless(_shop(claim, **found), ordered) == idle


@pytest.mark.parametrize(
    ("policy", "idle"),
    [
        # 4.5 or 4.7: left alone in any case, because nothing could make it a raid
        (
            {
                "given": {"matter": "thread", "suspects": 1},
                "start": {"thread": {"called": False, "within": 3, "overlap": 0}},
                "found": {"before": {"thread": {"commenters": [{"own_days": 90}]}}},
            },
            ["before"],
        ),
        # 4.7: no shared wording, and nothing says that the accounts are young: left alone, whatever they wrote before
        (
            {
                "given": {"matter": "thread", "suspects": 2},
                "start": {"thread": {"called": False, "within": 5, "overlap": 0}},
                "found": {
                    "one": {"thread": {"commenters": [{"own_days": 90}]}},
                    "other": {"thread": {"commenters": [{"own_days": 85}]}},
                },
            },
            ["one", "other"],
        ),
        # 6.4: cleared, so neither the circumstance nor its duration matters any more
        (
            {
                "given": {"matter": "question", "subject": "exertion"},
                "found": {
                    "valve": {"question": {"circumstance": "heart"}},
                    "stays": {"question": {"current": True}},
                    "leave": {"question": {"cleared": True}},
                },
            },
            ["valve", "stays"],
        ),
        # 5.5: one half is wrong and harmless, so the other half leads to the same flair
        (
            {
                "given": {"matter": "claim", "parts": 2},
                "start": {"claim": {"risk": "none"}},
                "found": {"year": {"claim": {"parts": ["same"]}}, "nave": {"claim": {"parts": ["opposite"]}}},
            },
            ["year"],
        ),
        (
            {
                "given": {"matter": "claim", "picture": "place", "claimed": "Paris"},
                "found": {
                    "neon": {"claim": {"mark": "neon"}},
                    "tower": {"claim": {"belongs": {"neon": "Osaka"}}},
                },
            },
            [],
        ),
        # each of the two alone is below sixty days, so either is enough
        (
            {
                "given": {"matter": "thread", "suspects": 2},
                "start": {"thread": {"called": False, "within": 5, "overlap": 3}},
                "found": {
                    "one": {"thread": {"commenters": [{"own_days": 20}]}},
                    "other": {"thread": {"commenters": [{"own_days": 30}]}},
                },
            },
            ["one", "other"],
        ),
        # 4.4: every account that followed the call must get a message
        (
            {
                "given": {"matter": "thread", "suspects": 3},
                "start": {"thread": {"within": 4, "overlap": 0}},
                "found": {"origin": {"thread": {"called": True}}, "three": {"thread": {"sent": 3}}},
            },
            [],
        ),
        # hidden, two places: a burst takes three, but the other showing has to be deleted, too
        (
            {
                "given": {"matter": "promotion", "places": 2},
                "start": {"promotion": {"disclosed": False, "shown": ["2026-03-15 10:00"]}},
                "found": {
                    "seller": {"promotion": {"gains": True}},
                    "other-showing": {"promotion": {"shown": ["2026-02-20 10:00"]}},
                    "age": {"promotion": {"account_days": 900}},
                },
            },
            [],
        ),
    ],
)
def test_forum(policy: dict[str, Any], idle: list[str]) -> None:
    assert forum.needless(policy) == idle


def test_every_kind_of_value_is_varied() -> None:
    """Words by their type, figures around the case's own, moments near and far, lists value by value."""
    policy = _shop(scan={"parcel": {"scan": "lost"}}, days={"parcel": {"days": 12}})
    scans = [other["parcel"]["scan"] for other in variants({"parcel": {"scan": "lost"}}, policy, ShopFindings)]
    assert scans == ["delivered", "moving", "lost"]
    days = [other["parcel"]["days"] for other in variants({"parcel": {"days": 12}}, policy, ShopFindings)]
    assert {0, 12, 13, 10**6} <= {*days}
    shown = {"promotion": {"shown": ["2026-03-15 10:00"]}}
    case = {"given": {"matter": "promotion", "places": 1}, "found": {"showing": shown}}
    moments = [other["promotion"]["shown"] for other in variants(shown, case, ForumFindings)]
    assert moments == [["2026-03-15 11:00"], ["2001-01-01 00:00"], ["2002-01-01 00:00"]]


def _promotion(**found: Any) -> dict[str, Any]:
    start = {"promotion": {"disclosed": True, "licence": "other", "others": 3, "shown": ["2026-03-16 12:00"]}}
    return {"given": {"matter": "promotion", "places": 2}, "start": start, "found": found}


def test_a_showing_that_must_be_deleted_is_needed() -> None:
    """3.8: the ratio decides, whenever it was shown. But a showing that is not known can't be deleted."""
    shown = {"promotion": {"gains": True, "shown": ["2026-01-02 12:00"]}}
    assert forum.decide(_promotion(first=shown)).outcome[2] == ("2026-01-02 12:00", "2026-03-16 12:00")
    assert forum.needless(_promotion(first=shown)) == []


def test_each_tie_that_was_looked_into_is_needed() -> None:
    """3.1: one gain decides, so all ties must be known to say that there is none."""
    ties = {"maker": {"promotion": {"gains": False}}, "link": {"promotion": {"tied": [False]}}}
    assert forum.decide(_promotion(**ties)).paragraph == "3.1"
    assert forum.needless(_promotion(**ties)) == []
