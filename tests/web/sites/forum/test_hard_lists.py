"""Long lists and gates of the hard tier's forum: filtered log, votes, activity report, log-in page, notice, answers."""

from collections.abc import Iterator

import pytest

from longtrail.checks.site_state import StateCheck
from longtrail.tasks.hard import AddedRow, Expiry, Notice, ReplyEvent, WorldEvents
from longtrail.web.site_session import SiteSession
from tests.web.sites.forum.member import Member


@pytest.fixture
def wren() -> Iterator[Member]:
    made = Member()
    made.world.edition = "hard"
    yield made
    made.close()


def test_the_usual_forum_has_neither_the_lists_nor_the_guides_further_parts(member: Member) -> None:
    assert member.get("/wiki/moderation/records").status_code == 404
    assert "Filter" not in member.page("/f/boardgames/moderation_log").text
    assert member.rows("SELECT count(*) AS n FROM ballot") == [{"n": 0}]


def test_a_long_log_is_filtered_by_member_action_reason_and_day(wren: Member) -> None:
    base = "/f/boardgames/moderation_log"
    total = wren.rows("SELECT count(*) AS n FROM log WHERE forum = 'boardgames'")[0]["n"]
    assert f"{total:,} entries." in wren.page(base).text
    found = wren.page(f"{base}?user=pinwheel_press").text
    assert f"2 of {total:,} entries match." in found
    assert "restored submission" in found
    assert f"1 of {total:,} entries match." in wren.page(f"{base}?user=pinwheel_press&action=submission_restored").text
    assert "Told by message" in wren.page(f"{base}?reason=told+by+message&from=2025-11-07&to=2025-11-07").text
    assert "write a date as" in wren.page(f"{base}?from=yesterday").text


def test_the_log_of_all_forums_says_whether_it_has_something_about_a_member(member: Member) -> None:
    total = member.rows("SELECT count(*) AS n FROM log")[0]["n"]
    everything = member.page("/moderation_log")
    assert f"{total:,} entries." in everything.text
    assert ("/moderation_log", {"user": ""}) in everything.forms
    one = member.page("/moderation_log?user=/u/Enclave_Eli")
    assert "1 entry about Enclave_Eli in the log of all forums." in one.lines
    assert "second border quiz within nine days" in one.text
    none = member.page("/moderation_log?user=rosin_and_rye&moderator=Wren")
    assert "0 entries about rosin_and_rye in the log of all forums." in none.lines
    assert "There are no entries to display." in none.text
    most = member.rows("SELECT user, count(*) AS n FROM log GROUP BY user ORDER BY n DESC")[0]
    assert f"{most['n']} entries about {most['user']}" in member.page(f"/moderation_log?user={most['user']}").text


def test_the_filter_stays_on_further_pages(wren: Member) -> None:
    page = wren.page("/f/boardgames/moderation_log?moderator=meeplemom")
    onward = next(link for link in page.addresses if link.startswith("/f/boardgames/moderation_log/2"))
    assert onward == "/f/boardgames/moderation_log/2?moderator=meeplemom"
    lines = [line for line in wren.page(onward).lines if "moderator" in line and "2" in line]
    assert lines
    assert not any("rulebook_rolf" in line for line in lines)


def test_votes_are_filtered_by_hour_registration_and_choice(wren: Member) -> None:
    base = "/f/gardening/160246/-/votes"
    assert "1,240 votes." in wren.page(base).text
    hour = f"{base}?from=2026-03-14+18:05&to=2026-03-14+19:05"
    assert "251 of 1,240 votes match: 242 for, 9 against." in wren.page(hour).text
    assert "37 of 1,240 votes match" in wren.page(f"{hour}&registered_from=2026-02-13").text
    assert "against" in wren.page(f"{base}?choice=down").text
    assert base in wren.page("/f/gardening/160246").addresses
    assert wren.get(f"{base}/99").status_code == 404


def test_lists_are_the_same_in_every_process(wren: Member) -> None:
    rows = wren.rows("SELECT user, choice FROM ballot WHERE submission = 160246 ORDER BY created, user LIMIT 2")
    assert rows == [{"user": "bagel_r", "choice": "up"}, {"user": "MossyKestrel", "choice": "up"}]


def test_names_in_a_list_are_all_different_and_no_members(wren: Member) -> None:
    twice = "SELECT user FROM ballot GROUP BY submission, lower(user) HAVING count(*) > 1"
    assert wren.rows(twice) == []
    assert wren.rows("SELECT b.user FROM ballot b JOIN user u ON u.name = b.user") == []


def test_the_activity_report_is_empty_until_it_is_run_for_a_period(wren: Member) -> None:
    base = "/user/cronwright/activity"
    assert base in wren.page("/user/cronwright").addresses
    assert "All forums" not in wren.page(base).text
    assert "Give both days of the period." in wren.page(f"{base}?from=2025-12-15").text
    found = wren.page(f"{base}?from=2025-12-15&to=2026-03-15").text
    assert "All forums" in found
    rows = wren.rows(
        "SELECT sum(kind = 'submission') AS s, sum(kind = 'comment') AS c FROM archive WHERE created > 1765800000"
    )
    assert rows == [{"s": 2, "c": 24}]


def test_a_message_is_answered_in_its_own_thread(wren: Member) -> None:
    answer = AddedRow(
        site="forum",
        table="message",
        row={"sender": "kettlehead", "receiver": "WrenHalloway", "body": "The kettle is fine."},
    )
    asked = StateCheck(site="forum", table="message", match={"receiver": "kettlehead", "body": "*kettle*"})
    wren.world.session = SiteSession(WorldEvents(replies=(ReplyEvent(to=asked, adds=(answer,)),)))
    wren.send("/user/moka_marta/compose_message", "", body="How are you?")
    wren.send("/user/kettlehead/compose_message", "", body="Good morning.")
    assert wren.rows("SELECT count(*) AS n FROM message WHERE sender = 'kettlehead'") == [{"n": 0}]
    sent = wren.send("/user/kettlehead/compose_message", "", body="How is the kettle?")
    thread = wren.page(sent.headers["location"])
    assert "How is the kettle?" in thread.text
    assert "The kettle is fine." in thread.text
    assert {change.table for change in wren.world.changes()} == {"message"}
    assert not any("fine" in str(change.after) for change in wren.world.changes())


def test_the_session_ends_once_and_leads_back(wren: Member) -> None:
    wren.world.session = SiteSession(WorldEvents(expires=Expiry(after_requests=1)))
    wren.page("/f/Coffee")
    gate = wren.page("/wiki/moderation/votes")
    assert "Your session has ended." in gate.text
    assert "Part 8" not in gate.text
    assert wren.post("/login_check", {}).headers["location"] == "/wiki/moderation/votes"
    assert "8.3" in wren.page("/wiki/moderation/votes").text


def test_a_notice_stands_before_one_page(wren: Member) -> None:
    told = Notice(title="Maintenance", text="On Wednesday.", button="Go on")
    wren.world.session = SiteSession(WorldEvents(notice=told))
    assert "On Wednesday." in wren.page("/f/Coffee").text
    assert wren.post("/notice/read", {}).headers["location"] == "/f/Coffee"
    assert "On Wednesday." not in wren.page("/f/Coffee").text
