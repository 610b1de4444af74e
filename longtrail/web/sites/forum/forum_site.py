"""The forum as a site of the sealed web: its host, its addresses in the order in which they are tried, its app, and its
initial state (the crowd and every case's story)."""

import json
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from itertools import groupby
from pathlib import Path

from starlette.applications import Starlette
from starlette.convertors import Convertor, IntegerConvertor, StringConvertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from longtrail.errors import DataError
from longtrail.paths import TASKS, WORLDS
from longtrail.records.case import Suite
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.shifts.shift import Shift
from longtrail.tasks.task import DecisionTask, Task
from longtrail.tasks.twins import in_world, load_twins
from longtrail.web.shift_inbox import write_messages
from longtrail.web.site import Edition, SourceTransform, as_shipped, for_hard_tier
from longtrail.web.sites.forum import feeds, reading
from longtrail.web.sites.forum.bulk import Rows
from longtrail.web.sites.forum.pages import FORMS, PAGES
from longtrail.web.sites.forum.reading import FOLDER
from longtrail.web.sites.forum.story import STORY, StoryRows
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit
from longtrail.web.staged_app import GatePages, StagedApp
from longtrail.yaml_file import read_yaml, validate

GATE = GatePages(
    home="/",
    sign_in_at="/login_check",
    notice_at="/notice/read",
    sign_in="log_in.html",
    notice="notice.html",
    is_page=lambda path: not path.endswith((".css", ".json", ".ico", ".png", ".jpg")),
    page=lambda request, template, **shown: ForumVisit(request).page(template, **shown),
)
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
        crowd: Rows = vary("forum/crowd", read_crowd())
        _insert(db, crowd)
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
        _insert(db, story_rows.rows)
        db.execute(
            "INSERT OR IGNORE INTO moderator (forum, user, created) SELECT name, ?, created FROM forum", (MODERATOR,)
        )
        db.execute("COMMIT")


def read_crowd() -> Rows:
    """The rows that `workshop/crowds/forum.py` has written. Raises DataError."""
    try:
        held = json.loads(CROWD.read_text(encoding="utf-8"))
        crowd: Rows = {table: entries for table, entries in held.items() if table != "canary"}
    except (OSError, ValueError) as error:
        raise DataError(CROWD, "", f"is not the forum's crowd: {error}") from error
    return crowd


def _insert(db: sqlite3.Connection, rows: Rows) -> None:
    """Write rows into the tables of `schema.sql`, in the order given."""
    for table, entries in rows.items():
        for columns, alike in groupby(entries, key=tuple):
            names, marks = ", ".join(columns), ", ".join(f":{column}" for column in columns)
            db.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", alike)  # noqa: S608 (constant names)


def make(tasks: Iterable[Task] | None = None, vary: SourceTransform = as_shipped) -> ForumSite:
    """The forum with the stories of these tasks, or of all shipped ones."""
    return ForumSite(tasks, vary=vary)


Handler = Callable[[ForumVisit], Awaitable[Response]]


def _choice(*words: str) -> Convertor[str]:
    """Patterns of a part of a path with fixed values."""
    made: Convertor[str] = type("Choice", (StringConvertor,), {"regex": "|".join(words)})()
    return made


class _Number(IntegerConvertor):
    regex = "[0-9]{1,15}"


register_url_convertor("forum_sort", _choice(*feeds.SORTS))
register_url_convertor("forum_scope", _choice(*reading.SCOPES))
register_url_convertor("forum_number", _Number())
register_url_convertor("forum_view", _choice("nested", "linear"))
register_url_convertor("forum_order", _choice(*reading.ORDERS))
register_url_convertor("forum_name", _choice(r"\w{3,25}", r"!deleted\d+"))
register_url_convertor("forum_forums", _choice(r"\w{3,25}(?:\+\w{3,25})*"))

PAGE = "/{page:forum_number}"
USER = "/user/{user:forum_name}"
ONE = "/f/{forum}/{id:forum_number}/{slug}"
VOTE = tuple(f"/{kind}/{{id:forum_number}}.{form}" for kind in ("sv", "cv") for form in ("html", "json"))
READ: dict[Handler, tuple[str, ...]] = {
    reading.front: ("/", "/{sort:forum_sort}", "/{scope:forum_scope}", "/{scope:forum_scope}/{sort:forum_sort}"),
    reading.style: ("/forum.css",),
    reading.search: ("/search",),
    reading.forum_list: (
        "/forums",
        f"/forums{PAGE}",
        "/forums/{order:forum_order}",
        f"/forums/{{order:forum_order}}{PAGE}",
    ),
    reading.picture_page: ("/submission_images/{stem:forum_name}",),
    reading.picture: ("/submission_images/{file}",),
    reading.overview: (USER,),
    reading.forum: ("/f/{forum:forum_forums}", "/f/{forum:forum_forums}/{sort:forum_sort}"),
    reading.submission_json: ("/f/{forum}/{id:forum_number}.json",),
    reading.short: (
        *("/{id:forum_number}", "/u/{user:forum_name}", "/w/{path:path}"),
        "/f/{forum}/{id:forum_number}/comment/{cid:forum_number}",
    ),
    reading.submission: (
        "/f/{forum}/{id:forum_number}",
        ONE,
        f"{ONE}/{{view:forum_view}}",
        f"{ONE}/comment/{{cid:forum_number}}",
    ),
    reading.article: ("/wiki", "/wiki/{path:path}"),
}
"""Pages that are no forms and not declared in `pages.yaml`."""


def _at(path: str, handler: Handler, *methods: str) -> Route:
    async def endpoint(request: Request) -> Response:
        return await handler(ForumVisit(request))

    return Route(path, endpoint, methods=list(methods))


def _routes() -> list[Route]:
    routes = [_at(each, page.handle, "GET") for path, page in PAGES.items() for each in (path, *page.also)]
    routes += [_at(path + PAGE, page.handle, "GET") for path, page in PAGES.items() if page.list]
    for path, form in FORMS.items():
        methods = ("GET", "POST") if form.template else ("POST",)
        routes += [_at(each, form.handle, *methods) for each in (path, *form.also)]
    routes += [_at(path, handler, "GET") for handler, paths in READ.items() for path in paths]
    return [*routes, *(_at(path, reading.vote, "POST") for path in VOTE)]


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = {404: "Page not found", 403: "Access denied", 405: "Not allowed"}.get(error.status_code, "Error")
    text = {404: "There is nothing at this address."}.get(error.status_code, error.detail)
    return ForumVisit(request).page("error.html", error.status_code, title=title, text=text)


def app(pictures: Path) -> Starlette:
    """The forum as an ASGI app; the world is in every request's scope, pictures are in this folder."""
    made = Starlette(routes=_routes(), exception_handlers={HTTPException: _refused})
    made.state.images = pictures
    return made
