"""The hard tier's forum tasks as a set: decisions, twins, features; and parts 7 and 8 of the guide as rules."""

from collections import Counter
from typing import Any

import pytest

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from tests.web.sites.forum.member import Member
from workshop.policies import forum_hard
from workshop.policies.forum_matters import LIMITS
from workshop.policies.forum_records import CALLED_VOTES, Statement, prevailing

HARD = {name: task for name, task in load_tasks(TASKS / "hard_forum").items() if isinstance(task, DecisionTask)}


def test_there_are_twenty_and_no_decision_is_right_in_more_than_a_fifth() -> None:
    assert len(HARD) == 20
    found = Counter(task.truth.optimal for task in HARD.values())
    assert len(found) >= 10
    assert max(found.values()) <= 4
    assert found["REQUEST_INFO"] == 2


def test_sixteen_are_twins() -> None:
    assert sum(bool(task.twin) for task in HARD.values()) == 16
    assert all(HARD[task.twin].twin == task.id for task in HARD.values() if task.twin)


def test_each_kind_of_hardness_is_used_several_times() -> None:
    tasks = HARD.values()
    assert all(task.planted for task in tasks)
    assert sum(bool(task.events.replies) for task in tasks) >= 8
    assert sum(task.events.expires is not None for task in tasks) >= 5
    assert sum(task.events.notice is not None for task in tasks) >= 4
    lists = [name for task in tasks for name in ("votes", "log_lines", "contributions") if task.story.get(name)]
    assert len(lists) >= 8
    assert all(task.appeal.documents.deceptive and task.appeal.documents.valid for task in tasks)


def test_lists_have_three_hundred_to_two_thousand_rows(member: Member) -> None:
    member.world.edition = "hard"
    votes = member.rows("SELECT submission, count(*) AS n FROM ballot GROUP BY submission")
    logs = member.rows("SELECT forum, count(*) AS n FROM log GROUP BY forum HAVING n > 100")
    activity = member.rows("SELECT user, count(*) AS n FROM archive GROUP BY user")
    assert len(votes) == 5
    assert len(logs) == 3
    assert all(300 <= row["n"] <= 2000 for row in (*votes, *logs, *activity))


def test_the_guides_pages_name_the_figures_of_the_rules(member: Member) -> None:
    member.world.edition = "hard"
    text = member.page("/wiki/moderation/votes").text
    assert f"{CALLED_VOTES} or more votes" in text
    assert f"less than {LIMITS['young_days']} days before" in text
    assert "7.7" in member.page("/wiki/moderation/records").text


@pytest.mark.parametrize(
    ("statements", "holds"),
    [
        ([(True, 1, "2026-01-01"), (False, 1, "2026-02-01")], False),
        ([(True, 2, "2025-01-01"), (False, 1, "2026-02-01")], True),
        ([(True, 1, ""), (False, 1, "2024-02-01")], False),
        ([(True, 0, "2026-03-01"), (False, 1, "")], False),
        ([(True, 1, "2026-01-01"), (False, 1, "2026-01-01")], None),
    ],
    ids=["the later one", "the site's own", "a biography has no day", "their own before others'", "open"],
)
def test_records_that_disagree(statements: list[tuple[bool, int, str]], holds: bool | None) -> None:
    given = [Statement(holds=says, rank=rank, at=at) for says, rank, at in statements]
    assert prevailing(given, "stakes") is holds


def _ruling(policy: dict[str, Any]) -> str:
    ruled = forum_hard.decide(policy)
    return str(getattr(ruled, "paragraph", "")) or f"needs {getattr(ruled, 'missing', '')}"


def _votes(*, called: bool, young: int, posted: str = "2026-03-10 10:00") -> dict[str, Any]:
    start = "2026-03-10 12:00"
    return {
        "given": {"matter": "votes", "posted": posted},
        "found": {
            "call": {"votes": {"called": called, "call_at": start if called else ""}},
            "young": {"votes": {"young": young, "after": start}},
            "page": {
                "votes": {
                    "own_figures": [{"revision": 1, "value": 30}],
                    "own_dates": [{"revision": 1, "since": "2026-03-01 00:00"}],
                }
            },
        },
    }


def test_votes_are_ruled_by_call_count_and_the_page_of_that_day() -> None:
    assert _ruling(_votes(called=True, young=30)) == "8.3"
    assert _ruling(_votes(called=True, young=29)) == "8.4"
    assert _ruling(_votes(called=False, young=30)) == "8.5"
    assert _ruling(_votes(called=False, young=29)) == "8.6"
    assert _ruling(_votes(called=True, young=20, posted="2026-02-10 10:00")) == "8.3"
    assert _ruling(_votes(called=True, young=19, posted="2026-02-10 10:00")) == "8.4"


def test_a_removal_that_was_taken_back_is_no_warning() -> None:
    def after(undone: int) -> str:
        shown = {"gains": True, "disclosed": True, "shown": ["2026-03-01 10:00", "2026-03-05 10:00"]}
        facts = {"told": {"promotion": {"told": [7]}}, "undone": {"promotion": {"undone": [undone]}}}
        return _ruling({"given": {"matter": "promotion", "places": 2}, "start": {"promotion": shown}, "found": facts})

    assert after(7) == "3.6"
    assert after(8) == "3.5"


def test_what_only_one_member_can_tell_is_asked() -> None:
    def told(reply: str | None) -> str:
        facts = {"share": {"owed": [{"holds": True, "rank": 1, "at": "2026-01-01"}]}, "plan": {"planned": True}}
        facts |= {"register": {"stakes": [{"holds": False, "rank": 2, "at": "2026-03-01"}]}}
        facts |= {"reply": {"reply": reply}} if reply else {}
        found = {name: {"promotion": {**fields, "disclosed": False}} for name, fields in facts.items()}
        start = {"promotion": {"shown": ["2026-03-15 08:00"], "account_days": 400}}
        return _ruling({"given": {"matter": "promotion", "places": 1}, "start": start, "found": found})

    assert told(None) == "needs promotion.reply"
    assert told("silent") == "7.7"
    assert told("told") == "3.4"
