"""Stories: the records that a case adds, checked, and turned into rows."""

import pytest
from pydantic import TypeAdapter, ValidationError

from longtrail.errors import DataError
from longtrail.tasks.task import DecisionTask
from longtrail.web.sites.forum import names, times
from longtrail.web.sites.forum.forum_site import ForumSite
from longtrail.web.sites.forum.story import STORY, ForumStory, StoryRows
from longtrail.web.world import Templates

SUBMISSION = {"id": 160000, "forum": "space", "by": "orbital_otter", "at": "2026-03-10 09:00", "title": "A"}


def told(story: dict[str, object]) -> StoryRows:
    story_rows = StoryRows()
    story_rows.add(STORY.validate_python(story))
    return story_rows


def test_times_are_moments_or_counted_from_the_submission() -> None:
    start = times.parse("2026-03-10 09:00")
    assert times.parse("+1d4h30m", start) == start + 102_600
    assert times.parse("+35m", start) == start + 2_100
    assert times.absolute(start) == "March 10, 2026 at 09:00"
    assert times.ago(start, start + 3 * 86_400) == "3 days ago"
    with pytest.raises(ValueError, match="counts from a submission"):
        times.parse("+35m")


def test_a_thread_becomes_rows() -> None:
    comment = {"by": "a_b", "at": "+4m", "text": "x", "replies": [{"by": "c_d", "at": "+9m", "text": "y"}]}
    removed = {"by": "e_f", "at": "+1h", "text": "z", "removed": {"by": "mod", "at": "+2h", "reason": "Rude."}}
    story = {
        "submissions": [
            SUBMISSION | {"comments": [comment, removed], "flairs": ["New"], "locked": {"by": "mod", "at": "+3h"}}
        ]
    }
    rows = told(story).rows
    top, reply, gone = rows["comment"]
    assert (top["parent"], reply["parent"]) == (None, top["id"])
    assert top["id"] == names.comment_id(top["created"])
    assert gone["visibility"] == "trashed"
    assert [line["action"] for line in rows["log"]] == ["submission_lock", "comment_deletion"]
    assert rows["submission"][0]["locked"] == 1
    assert rows["flair"] == [{"submission": 160000, "text": "New"}]


def test_bans_are_logged_and_wiki_pages_get_revisions() -> None:
    ban = {"forum": "space", "user": "a_b", "at": "2026-03-01 10:00", "by": "mod", "reason": "Spam.", "expires": "+30d"}
    page = {"path": "space/launches", "title": "Launches", "by": "mod", "at": "2026-03-01 10:00", "body": "One."}
    rows = told({"bans": [ban], "wiki": [page, page | {"body": "Two."}]}).rows
    assert rows["log"][0]["action"] == "ban"
    assert rows["ban"][0]["expires"] == times.parse("2026-03-31 10:00")
    assert (len(rows["wiki"]), len(rows["wiki_revision"])) == (1, 2)


@pytest.mark.parametrize(
    "story",
    [
        {"users": [{"name": "with-hyphen", "joined": "2026-01-01 10:00"}]},
        {"submissions": [SUBMISSION | {"flairs": ["a", "b", "c", "d"]}]},
        {"submissions": [SUBMISSION | {"titel": "B"}]},
        {"wiki": [{"path": "1a", "title": "x", "by": "mod", "at": "2026-01-01 10:00", "body": "x"}]},
    ],
)
def test_what_the_platform_does_not_allow_is_refused(story: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(ForumStory).validate_python(story)


def test_a_taken_id_names_the_task(cases: dict[str, DecisionTask]) -> None:
    task = next(iter(cases.values()))
    twin = task.model_copy(update={"id": "another"})
    with pytest.raises(DataError, match=r"another\.story: submission id \d+ is taken"):
        Templates([ForumSite([task, twin])]).of("forum")
