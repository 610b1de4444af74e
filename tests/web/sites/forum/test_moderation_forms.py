"""A moderator's actions change the world and are logged, except flairs and pins, as in Postmill."""

import pytest

from tests.web.sites.forum.member import Member

HERE = "/f/science"


@pytest.fixture
def submission(member: Member) -> str:
    row = member.rows(
        "SELECT id FROM submission WHERE forum = 'science' AND visibility = 'visible' AND locked = 0 "
        "AND id IN (SELECT submission FROM comment WHERE visibility = 'visible') ORDER BY id DESC"
    )[0]
    return f"{HERE}/{row['id']}/-"


def log(member: Member) -> str:
    """The newest line of the forum's log."""
    lines = member.page(f"{HERE}/moderation_log").lines
    return lines[lines.index("Moderation log of /f/science") + 1]


def test_delete_needs_a_reason_goes_to_the_trash_and_can_be_restored(member: Member, submission: str) -> None:
    title = member.page(submission).headings[0]
    assert 'maxlength="300" required' in member.get(f"{submission}/mod_delete").text
    assert "this must have 1 to 300 characters" in member.send(f"{submission}/mod_delete", "", reason="").text
    answer = member.send(f"{submission}/mod_delete", "", reason="Mouse study without the word.")
    assert answer.headers["location"] == HERE
    assert "The submission was deleted." in member.page(HERE).text
    assert title not in member.page(HERE).text
    assert "deleted submission" in log(member)
    assert "Mouse study without the word." in log(member)
    assert title in member.page(f"{HERE}/trash").text
    assert "This submission is in the trash" in member.page(submission).text
    assert member.send(submission, "/restore").status_code == 302
    assert title in member.page(HERE).text
    assert "restored submission" in log(member)


def test_a_locked_thread_refuses_comments_until_it_is_unlocked(member: Member, submission: str) -> None:
    action, fields = next(form for form in member.page(submission).forms if form[0].endswith("/-/comment"))
    assert member.send(submission, "/-/lock").status_code == 302
    page = member.page(submission)
    assert "The submission was locked." in page.text
    assert "You cannot post new comments." in page.text
    name = next(field for field in fields if field.endswith("[comment]"))
    assert member.post(action, {**fields, name: "Still here?"}).status_code == 403
    assert not member.rows("SELECT * FROM comment WHERE user = 'WrenHalloway' AND body = 'Still here?'")
    assert "locked submission" in log(member)
    member.send(submission, "/-/unlock")
    assert "unlocked submission" in log(member)
    assert member.post(action, {**fields, name: "Still here?"}).status_code == 302


def test_three_flairs_at_most_none_of_them_in_the_log(member: Member, submission: str) -> None:
    before = member.rows("SELECT count(*) AS n FROM log")
    for text in ("In mice", "Small sample", "Misleading"):
        assert member.send(f"{submission}/flair", "", text=text).status_code == 302
    page = member.page(f"{submission}/flair")
    assert "has three flairs" in page.text
    token = next(fields for action, fields in member.page(submission).forms if action.endswith("remove_flairs"))
    assert "Misleading" in member.page(HERE).text
    member.post(f"{submission}/remove_flairs", token)
    assert "In mice" not in member.page(submission).text
    assert member.send(submission, "/-/pin").status_code == 302
    assert "This submission is pinned" in member.page(HERE).text
    assert member.rows("SELECT count(*) AS n FROM log") == before


def test_a_fourth_flair_is_refused_even_if_it_is_sent_by_hand(member: Member, submission: str) -> None:
    form = next(
        fields for action, fields in member.page(f"{submission}/flair").forms if "custom_text_flair[text]" in fields
    )
    for text in "abcd":
        member.post(f"{submission}/flair", {**form, "custom_text_flair[text]": text})
    number = submission.split("/")[3]
    assert len(member.rows("SELECT * FROM flair WHERE submission = ?", number)) == 3


def test_a_ban_has_reason_and_expiry_and_ends_by_unbanning(member: Member) -> None:
    path = f"{HERE}/ban/nullhypo_nate"
    fault = member.send(path, "", **{"reason": "x", "forum_ban[expires][date]": "2026-03-01"})
    assert "this must be in the future" in fault.text
    fields = {
        "reason": "Anecdotes, again.",
        "forum_ban[expires][date]": "2026-04-01",
        "forum_ban[expires][time]": "12:00",
    }
    assert member.send(path, "", **fields).headers["location"] == f"{HERE}/bans"
    page = member.page(f"{HERE}/bans")
    assert "The user was banned." in page.text
    assert "April 1, 2026 at 12:00" in page.text
    assert "banned nullhypo_nate (expires: April 1, 2026 at 12:00)" in log(member)
    member.send(f"{HERE}/unban/nullhypo_nate", "", reason="Talked it over.")
    assert "nullhypo_nate" not in "".join(member.page(f"{HERE}/bans").text.split("Actions")[1:])
    assert "unbanned nullhypo_nate" in log(member)
    assert "Unbanned on March 17, 2026" in member.page(f"{HERE}/bans/history/nullhypo_nate").text


def test_comments_answers_edits_and_deletions(member: Member, submission: str) -> None:
    where = member.send(submission, "/-/comment", comment="See **figure 3** first.").headers["location"]
    assert "See figure 3 first." in member.page(where).text
    parent = where.rsplit("/", 1)[1]
    reply = f"/comment_form/science/{submission.split('/')[3]}/{parent}"
    answer = member.send(reply, f"/comment/{parent}", comment="And the supplement.").headers["location"]
    assert "Parent" in member.page(answer).text
    member.send(f"{submission}/comment/{parent}/edit", "", comment="See figure 4 first.")
    assert "See figure 4 first." in member.page(submission).text
    theirs = member.rows(
        "SELECT id, body FROM comment WHERE submission = ? AND user != 'WrenHalloway' AND visibility = 'visible'",
        submission.split("/")[3],
    )[0]
    member.send(f"{submission}/comment/{theirs['id']}/delete", "", reason="Off topic.")
    assert "deleted comment" in log(member)
    assert member.get(f"{submission}/comment/{theirs['id']}/edit").status_code == 403


def test_deleting_a_thread_deletes_every_reply(member: Member) -> None:
    top = member.rows(
        "SELECT c.*, s.forum FROM comment c JOIN comment r ON r.parent = c.id JOIN submission s ON s.id = c.submission "
        "WHERE c.visibility = 'visible' AND r.visibility = 'visible'"
    )[0]
    member.send(f"/f/{top['forum']}/{top['submission']}/-/comment/{top['id']}/delete_thread", "", reason="Quarrel.")
    left = member.rows("SELECT * FROM comment WHERE parent = ? AND visibility = 'visible'", top["id"])
    assert not left


def test_forms_without_the_sessions_token_are_refused(member: Member, submission: str) -> None:
    member.get("/")
    assert member.post(f"{submission}/lock", {}).status_code == 403
    assert member.post(f"{submission}/lock", {"token": "guess"}).status_code == 403
    fields = next(fields for action, fields in member.page(submission).forms if action.endswith("/-/lock"))
    stranger = Member()
    assert stranger.post(f"{submission}/lock", fields).status_code == 403
    stranger.close()
    assert member.post(f"{submission}/pin", fields).status_code == 403


def test_messages_make_threads(member: Member) -> None:
    where = member.send("/user/errorbars/compose_message", "", body="Could you pin the preprint list?").headers[
        "location"
    ]
    assert "Could you pin the preprint list?" in member.page(where).text
    member.send(where, where, body="No hurry.")
    assert "No hurry." in member.page(where).text
    assert len(member.rows("SELECT * FROM message WHERE receiver = 'errorbars'")) == 2
    assert "Could you pin" in member.page("/messages").text


def test_submitting_checks_title_address_and_forum(member: Member) -> None:
    faulty = member.send("/submit/space", "", title="", url="javascript:alert(1)", forum="nowhere").text
    assert faulty.count("<li>") >= 3
    where = member.send("/submit", "", title="Launch thread", body="T minus two days.", forum="space").headers[
        "location"
    ]
    assert member.page(where).headings == ["Launch thread"]
    assert "not a valid address" in member.send(f"{where}/edit", "", url="nowhere").text
    member.send(f"{where}/edit", "", title="Launch thread, take two")
    assert "launch-thread-take-two" in member.get(f"/{where.split('/')[3]}").headers["location"]
    assert member.get("/f/science").status_code == 200


def test_a_forum_can_be_founded_edited_subscribed_and_hidden(member: Member) -> None:
    assert (
        "3 to 25 letters" in member.send("/create_forum", "", name="a-b", title="x", description="x", sidebar="x").text
    )
    fields = {"name": "typewriters", "title": "Typewriters", "description": "Clack.", "sidebar": "Be kind."}
    assert member.send("/create_forum", "", **fields).headers["location"] == "/f/typewriters"
    member.send("/f/typewriters/edit", "", sidebar="Be very kind.", tags="craft")
    assert "Be very kind." in member.page("/f/typewriters").text
    member.send("/f/typewriters", "/subscribe")
    assert "1 subscribers" in member.page("/f/typewriters").text
    member.send("/f/science", "/hide")
    assert not [link for link in member.page("/all/new").addresses if link.startswith("/f/science/")]


def test_a_user_can_be_blocked_and_a_moderator_added(member: Member) -> None:
    member.send("/user/errorbars", "/block_user")
    assert "errorbars" in member.page("/user/WrenHalloway/block_list").text
    member.send(f"{HERE}/add_moderator", "", user="pipette_pia")
    assert "pipette_pia" in member.page(f"{HERE}/moderators").text
    assert "no such user" in member.send(f"{HERE}/add_moderator", "", user="nobody").text


def test_actions_are_the_only_changes(member: Member, submission: str) -> None:
    member.page("/")
    member.page(submission)
    assert member.world.changes() == ()
    member.send(submission, "/-/lock")
    assert [(change.table, (change.after or {}).get("action")) for change in member.world.changes()] == [
        ("log", "submission_lock"),
        ("submission", None),
    ]
