"""Pages: those of the forum that only show records, and its buttons, as `pages.yaml` declares them."""

from pathlib import Path
from typing import Any, Literal

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.queried_page import MissingRow, PageFile, Queries
from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url

_FILE = PageFile(Path(__file__).with_name("pages.yaml"))


def find(visit: ForumVisit, subject: str) -> dict[str, Any]:
    """What the address names (`forum`, `submission`, `comment`, `user`, `article`), with all that pages about it show.
    Raises MissingRow."""
    return _FILE.subjects[subject].find(visit.db, visit.values)


def log(visit: ForumVisit, action: str, forum: str, user: str, **details: object) -> None:
    """Write a line into the log. Deleting, restoring, locking and banning are logged; flairs and pins are not."""
    visit.insert("log", forum=forum, action=action, moderator=MODERATOR, user=user, created=visit.now, **details)


class ForumPage(Queries):
    """A page that shows records."""

    template: str
    texts: dict[str, str] = {}
    """Names of the template with fixed values."""
    list: dict[str, str] = {}
    """Name -> SQL of a list that is divided into numbered pages."""
    submissions: str = ""
    """Condition of the submissions in the page's feed."""
    sort: str = "new"
    comments: str = ""
    """Condition of the comments in the page's feed."""
    flaired: str = ""
    """SQL of submissions that are shown without a feed."""
    missing: str = ""
    """The message for the address of an unknown record."""
    opened: str = ""
    """SQL that notes that the page was opened."""

    async def handle(self, visit: ForumVisit) -> Response:
        """The page."""
        try:
            found = self.find(visit.db, visit.values)
        except MissingRow:
            if not self.missing:
                raise
            return visit.page("error.html", 404, title="Page not found", text=self.missing)
        if self.opened:
            visit.run(self.opened)
        for name, sql in self.list.items():
            found |= feeds.paged(visit, name, sql)
        if self.submissions:
            found["feed"] = feeds.submissions(visit, self.submissions, self.sort)
            found["flairs"] = feeds.flairs(visit, found["feed"].rows)
        if self.comments:
            found["feed"] = feeds.comments(visit, self.comments)
        if self.flaired:
            found["submissions"] = visit.all(self.flaired)
            found["flairs"] = feeds.flairs(visit, found["submissions"])
        return visit.page(self.template, **self.texts, **found)


class ForumAction(Queries):
    """What a button does."""

    intent: str
    """Of the button's form."""
    own: Literal["", "submission", "comment"] = ""
    """What only its author may do it to."""
    sql: tuple[str, ...]
    log: str = ""
    """The action in the moderation log, if the first statement changes a row."""
    to: str
    """Where it leads, with names of rows found; `{address}` is the submission's."""
    back: bool = False
    """Whether it leads back to the page with the button, if that is known."""
    done: str = ""
    """The message on the next page."""

    async def handle(self, visit: ForumVisit) -> Response:
        """Do it. 403 for what belongs to somebody else."""
        found = self.find(visit.db, visit.values)
        await visit.fields(self.intent)
        if self.own and found[self.own]["user"] != MODERATOR:
            raise HTTPException(403)
        cursors = [visit.run(sql) for sql in self.sql]
        if self.log and cursors[0].rowcount:
            submission, comment = found["submission"], found.get("comment")
            about = {"submission": submission["id"], "comment": comment["id"] if comment else None}
            log(visit, self.log, submission["forum"], (comment or submission)["user"], **about)
        address = submission_url(found["submission"]) if "submission" in found else ""
        to = self.to.format(address=address, **found)
        return visit.redirect(visit.back(to) if self.back else to, self.done)


PAGES = _FILE.section("pages", dict[str, ForumPage])
ACTIONS = _FILE.section("actions", dict[str, ForumAction])
