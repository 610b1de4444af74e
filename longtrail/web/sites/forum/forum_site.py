"""The forum as a site of the sealed web: its host, its app, its initial state (the crowd and every case's story)."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from longtrail.errors import DataError
from longtrail.paths import TASKS, WORLDS
from longtrail.records.case import Suite
from longtrail.tasks.hard import Notice
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.shifts.shift import Shift
from longtrail.tasks.task import DecisionTask, Task
from longtrail.tasks.twins import in_world, load_twins
from longtrail.web.shift_inbox import write_messages
from longtrail.web.site import Edition, SourceTransform, as_shipped, for_hard_tier
from longtrail.web.sites.forum import rows
from longtrail.web.sites.forum.reading import FOLDER
from longtrail.web.sites.forum.routes import app
from longtrail.web.sites.forum.story import STORY, StoryRows
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit
from longtrail.web.staged_app import GatePages, StagedApp
from longtrail.yaml_file import read_yaml, validate

LOG_IN, NOTICE = "/login_check", "/notice/read"


def log_in(request: Request) -> Response:
    """The log-in page; the browser has filled in the user's name and password."""
    return ForumVisit(request).page("log_in.html", action=LOG_IN)


def notice(request: Request, message: Notice) -> Response:
    """A notice instead of the page; its button leads on."""
    return ForumVisit(request).page("notice.html", action=NOTICE, message=message)


def _is_page(path: str) -> bool:
    return not path.endswith((".css", ".json", ".ico", ".png", ".jpg"))


GATE = GatePages("/", LOG_IN, NOTICE, log_in, notice, _is_page)


SCHEMA = Path(__file__).with_name("schema.sql")
CROWD = WORLDS / "forum" / "crowd.json"
HARD = WORLDS / "forum" / "hard.yaml"
"""What the state of the hard tier has besides its tasks' stories."""


class ForumSite:
    """`forum.test`: a community like those that Postmill runs, with the moderator signed in."""

    name = "forum"
    hosts: tuple[str, ...] = ("forum.test",)

    def __init__(
        self, tasks: Iterable[Task] | None = None, pictures: Path = FOLDER, vary: SourceTransform = as_shipped
    ) -> None:
        """`tasks`: the tasks whose stories the world contains; default: all shipped forum tasks."""
        self.app: ASGIApp = StagedApp(app(pictures), GATE)
        self._tasks = None if tasks is None else tuple(tasks)
        self._vary = vary

    def build(self, db: sqlite3.Connection, edition: Edition) -> None:
        """Create the tables, the crowd, and the records of every case of the edition. Raises DataError."""
        suite: Suite = "hard_forum" if edition in ("hard", "hard twins") else "reddit"
        twins = edition in ("twins", "hard twins")
        db.executescript(SCHEMA.read_text(encoding="utf-8"))
        db.execute("BEGIN")
        vary = self._vary if suite == "reddit" else for_hard_tier(self._vary)
        crowd: rows.Rows = vary("forum/crowd", rows.load(CROWD))
        rows.insert(db, crowd)
        taken = (("submission", "id"), ("comment", "id"), ("wiki", "path"), ("user", "name"))
        story_rows = StoryRows(*([row[key] for row in crowd[table]] for table, key in taken))
        if isinstance(edition, Shift):
            story_rows.add(validate(STORY, edition.story, TASKS, "shift.story"))
            write_messages(db, edition)
        if suite == "hard_forum":
            story_rows.add(validate(STORY, vary("forum/hard", read_yaml(HARD)), HARD))
        tasks = self._tasks
        if tasks is None:
            tasks = (*load_tasks(TASKS / suite).values(), *(load_twins().values() if twins else ()))
        for task in () if isinstance(edition, Shift) else in_world(tasks, twins=twins):
            if isinstance(task, DecisionTask) and task.suite == suite:
                try:
                    story_rows.add(validate(STORY, task.story, TASKS / suite, f"{task.id}.story"))
                except ValueError as error:
                    raise DataError(TASKS / suite, f"{task.id}.story", str(error)) from error
        rows.insert(db, story_rows.rows)
        db.execute(
            "INSERT OR IGNORE INTO moderator (forum, user, created) SELECT name, ?, created FROM forum", (MODERATOR,)
        )
        db.execute("COMMIT")


def make(tasks: Iterable[Task] | None = None, vary: SourceTransform = as_shipped) -> ForumSite:
    """The forum with the stories of these tasks, or of all shipped ones."""
    return ForumSite(tasks, vary=vary)
