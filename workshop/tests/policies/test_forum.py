"""The guide's rules in code agree with its pages, and every rule decides as its paragraph says."""

import re
from typing import Any

import pytest
from pydantic import ValidationError

from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.tasks.twins import load_twins
from tests.web.sites.forum.member import Member
from workshop.policies import DECIDE
from workshop.policies.forum import ForumUndetermined, decide, needless
from workshop.policies.forum_matters import ADMINISTRATOR, BEARS, CITES, LIMITS

PARTS = {"3": "promotion", "4": "threads", "5": "claims", "6": "questions"}


def ruled(matter: str, given: dict[str, Any] | None = None, **facts: Any) -> str:
    ruling = decide({"given": {"matter": matter, **(given or {})}, "found": {"all": {matter: facts}}})
    return (
        f"missing {ruling.missing}"
        if isinstance(ruling, ForumUndetermined)
        else f"{ruling.paragraph} {ruling.decision}"
    )


@pytest.fixture(scope="module")
def paragraphs() -> dict[str, str]:
    member = Member()
    lines = [line for part in PARTS.values() for line in member.page(f"/wiki/moderation/{part}").lines]
    member.close()
    return {match[1]: line for line in lines if (match := re.match(r"(\d\.\d) ", line))}


def test_every_rule_cites_a_paragraph_that_names_its_figures(paragraphs: dict[str, str]) -> None:
    for paragraph, figures in CITES.items():
        numbers = re.findall(r"(?<![\d.])\d+(?![\d.]\d)", paragraphs[paragraph].split(" ", 1)[1])
        for figure in figures:
            assert str(LIMITS[figure]) in numbers, (paragraph, figure)


def test_the_guide_names_whom_raids_are_reported_to() -> None:
    member = Member()
    lines = member.page("/wiki/moderation").lines
    assert any(line.startswith("2.6") and "the site administrator" in line and ADMINISTRATOR in line for line in lines)
    member.page(f"/user/{ADMINISTRATOR}/compose_message")
    member.close()


def test_every_figure_is_cited() -> None:
    assert {figure for figures in CITES.values() for figure in figures} == set(LIMITS)


def test_every_paragraph_that_decides_has_a_rule(paragraphs: dict[str, str]) -> None:
    deciding = {
        number
        for number, text in paragraphs.items()
        if re.search(r"\b(APPROVE|NO ACTION|REMOVE|LOCK|MONITOR|ADD|APPLY|CONFIRM|PROVIDE)\b", text)
    }
    assert deciding == set(CITES)


def test_circumstances_of_the_page_are_those_of_the_code(paragraphs: dict[str, str]) -> None:
    text = paragraphs["6.2"].lower()
    for subject in {subject for subject, _ in BEARS}:
        clause = re.search(rf"{subject}[^:.]*: ([^.]*)\.", text)
        assert clause, subject
        named = {
            c
            for c in ("bankruptcy", "gambling", "pregnancy", "heart", "blood thinner", "recovery", "court order")
            if c in clause[1]
        }
        assert named == {circumstance for known, circumstance in BEARS if known == subject}


TWO, FAR = ["2026-03-15 10:00", "2026-03-16 10:00"], ["2026-01-01 10:00", "2026-03-01 10:00"]
BURST = [*TWO, "2026-03-14 12:00"]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"gains": False}, "3.1 APPROVE"),
        ({"gains": True, "disclosed": False, "shown": BURST}, "3.2 REMOVE_ALL_POSTS_AND_BAN_USER"),
        ({"gains": True, "disclosed": False, "shown": TWO, "account_days": 29}, "3.3 REMOVE_ALL_POSTS_AND_BAN_USER"),
        (
            {"gains": True, "disclosed": False, "shown": TWO, "account_days": 30},
            "3.4 REMOVE_PROMOTIONAL_POSTS_AND_WARN",
        ),
        ({"gains": True, "disclosed": True, "shown": TWO, "warned": True}, "3.5 REMOVE_ALL_POSTS_AND_BAN_USER"),
        ({"gains": True, "disclosed": True, "shown": TWO, "warned": False}, "3.6 REMOVE_PROMOTIONAL_POSTS_AND_WARN"),
        ({"gains": True, "disclosed": True, "shown": BURST}, "missing promotion.warned"),
        ({"gains": True, "disclosed": True, "shown": FAR, "licence": "free"}, "3.7 APPROVE"),
        ({"gains": True, "disclosed": True, "shown": FAR, "licence": "other", "others": 20}, "3.8 APPROVE"),
        (
            {"gains": True, "disclosed": True, "shown": FAR, "licence": "other", "others": 19},
            "3.8 REMOVE_PROMOTIONAL_POSTS_AND_WARN",
        ),
        ({"gains": True, "disclosed": True, "shown": FAR[:1]}, "missing promotion.shown"),
        ({"disclosed": True}, "missing promotion.gains"),
    ],
)
def test_promotion(facts: dict[str, Any], expected: str) -> None:
    assert ruled("promotion", {"places": 2}, **facts) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["same", "same"], "5.3 CONFIRM_FACTUAL"),
        (["same", "opposite"], "5.5 APPLY_MISINFORMATION_FLAIR"),
        (["silent", "silent"], "5.6 NO_ACTION"),
        (["same"], "missing claim.parts"),
    ],
)
def test_claims_of_several_statements(parts: list[str], expected: str) -> None:
    assert ruled("claim", {"parts": 2}, parts=parts) == expected


PLACE = {"picture": "place", "claimed": "Paris"}
EDIT = {"picture": "edit"}
DOUBLED = {"picture": "figures", "factor": 2}
WORDS = {"picture": "text", "claimed": "eight bar"}


@pytest.mark.parametrize(
    ("given", "facts", "expected"),
    [
        (PLACE, {"mark": "a tower", "belongs": {"a tower": "Paris"}}, "5.3 CONFIRM_FACTUAL"),
        (PLACE, {"mark": "a tower", "belongs": {"a tower": "Osaka"}}, "5.2 REMOVE"),
        (PLACE, {"mark": "a tower"}, "missing claim.belongs"),
        (PLACE, {"belongs": {"a tower": "Osaka"}}, "missing claim.mark"),
        (EDIT, {"reads": "took", "original": "took"}, "5.3 CONFIRM_FACTUAL"),
        (EDIT, {"reads": "took", "original": "sent back"}, "5.2 REMOVE"),
        (EDIT, {"reads": "took"}, "missing claim.original"),
        (DOUBLED, {"figures": [4120, 8190]}, "5.3 CONFIRM_FACTUAL"),
        (DOUBLED, {"figures": [9.4, 9.9]}, "5.5 APPLY_MISINFORMATION_FLAIR"),
        (DOUBLED, {"figures": [9.9, 9.4], "risk": "health"}, "5.4 ADD_CORRECTION_COMMENT"),
        (DOUBLED, {"figures": [9.9, 9.9], "risk": "none"}, "5.5 APPLY_MISINFORMATION_FLAIR"),
        (DOUBLED, {"figures": [9.9]}, "missing claim.figures"),
        (WORDS, {"stated": "eight bar"}, "5.3 CONFIRM_FACTUAL"),
        (WORDS, {"stated": "five bar", "risk": "safety"}, "5.4 ADD_CORRECTION_COMMENT"),
        (WORDS, {"stated": "five bar"}, "missing claim.risk"),
        (WORDS, {"stated": "nothing"}, "5.6 NO_ACTION"),
        (WORDS, {}, "missing claim.stated"),
    ],
)
def test_claims_that_a_picture_is_to_prove(given: dict[str, Any], facts: dict[str, Any], expected: str) -> None:
    assert ruled("claim", given, **facts) == expected


BRIGADING = "4.3 LOCK_THREAD_AND_REPORT_BRIGADING"
OLD, NEW = {"own_days": 90, "age_days": 900}, {"age_days": 3}


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"called": True, "sent": 3, "overlap": 3}, BRIGADING),
        (
            {"called": True, "sent": 3, "overlap": 0, "commenters": [OLD, NEW, NEW]},
            "4.3 LOCK_THREAD_AND_REPORT_BRIGADING",
        ),
        ({"called": True, "sent": 3, "overlap": 0, "commenters": [OLD, NEW]}, "4.4 LOCK_THREAD_AND_WARN_BRIGADERS"),
        ({"called": True, "sent": 2, "overlap": 3}, "4.4 LOCK_THREAD_AND_WARN_BRIGADERS"),
        ({"commenters": [OLD, OLD]}, "missing thread.called"),
        ({"called": False, "commenters": [OLD, OLD]}, "4.5 APPROVE"),
        ({"called": False, "commenters": [NEW, NEW], "within": 5, "overlap": 0}, "4.6 MONITOR_AND_FLAG"),
        ({"called": False, "commenters": [NEW, NEW], "within": 4}, "4.7 APPROVE"),
        ({"called": False, "commenters": [OLD]}, "missing thread.commenters"),
    ],
)
def test_threads(facts: dict[str, Any], expected: str) -> None:
    assert ruled("thread", {"suspects": 2}, **facts) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"pictured": "altered"}, "5.2 REMOVE"),
        ({"source": "same"}, "5.3 CONFIRM_FACTUAL"),
        ({"source": "opposite", "risk": "money"}, "5.4 ADD_CORRECTION_COMMENT"),
        ({"source": "opposite", "risk": "none"}, "5.5 APPLY_MISINFORMATION_FLAIR"),
        ({"source": "partly"}, "5.5 APPLY_MISINFORMATION_FLAIR"),
        ({"source": "silent"}, "5.6 NO_ACTION"),
        ({"source": "opposite"}, "missing claim.risk"),
    ],
)
def test_claims(facts: dict[str, Any], expected: str) -> None:
    assert ruled("claim", **facts) == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"circumstance": "none"}, "6.2 NO_ACTION"),
        ({"circumstance": "pregnancy", "current": False}, "6.3 NO_ACTION"),
        ({"circumstance": "pregnancy", "current": True, "cleared": True}, "6.4 NO_ACTION"),
        ({"circumstance": "pregnancy", "current": True, "cleared": False, "insists": True}, "6.5 ADD_WARNING_COMMENT"),
        ({"circumstance": "pregnancy", "current": True, "cleared": False}, "6.6 PROVIDE_CONTEXT_AWARE_RESPONSE"),
        ({"circumstance": "pregnancy"}, "missing question.current"),
    ],
)
def test_questions(facts: dict[str, Any], expected: str) -> None:
    assert ruled("question", {"subject": "caffeine"}, **facts) == expected


def test_a_fact_that_changes_nothing_is_needless() -> None:
    policy = {
        "given": {"matter": "claim"},
        "found": {"source": {"claim": {"source": "same"}}, "colour": {"claim": {"risk": "none"}}},
    }
    assert needless(policy) == ["colour"]


def test_a_misspelt_field_is_an_error() -> None:
    with pytest.raises(ValidationError):
        decide({"given": {"matter": "claim"}, "found": {"a": {"claim": {"sauce": "same"}}}})


def test_whoever_decides_by_3_6_must_have_looked_into_the_log() -> None:
    """3.5 comes first and asks whether the log has a warning (2.3: who did not look does not know)."""
    cases = [task for task in (*load_tasks().values(), *load_twins().values()) if isinstance(task, DecisionTask)]
    forum_cases = [task for task in cases if task.base_suite == "reddit"]
    too_soon = [task for task in forum_cases if getattr(DECIDE[task.suite](task.policy), "paragraph", "") == "3.6"]
    assert len(too_soon) >= 16
    unasked = [task.id for task in too_soon if not any("forum:log/" in page for page in task.critical_pages)]
    assert unasked == []
