"""Pages: those of the forum that only show records, its forms and its buttons, as `pages.yaml` declares them."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from longtrail.records.record import Record
from longtrail.web.queried_page import MissingRow, PageFile, Queries
from longtrail.web.sites.forum import feeds
from longtrail.web.sites.forum.visit import MODERATOR, ForumVisit, submission_url

_FILE = PageFile(Path(__file__).with_name("pages.yaml"))


def find(visit: ForumVisit, subject: str) -> dict[str, Any]:
    """What the address names (`forum`, `submission`, `comment`, `user`, `article`), with all that pages about it show.
    Raises MissingRow."""
    return _FILE.subjects[subject].find(visit.db, visit.values)


_NAME_PREFIX = re.compile(r"^/?[uf]/")


def _start(text: str) -> int:
    """Raises ValueError, OverflowError."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())


def _end(text: str) -> int:
    """The end of the day or minute that is named. Raises ValueError, OverflowError."""
    day = timedelta(days=1) if len(text) == 10 else timedelta(minutes=1)
    return int((datetime.fromisoformat(text).replace(tzinfo=UTC) + day).timestamp())


FILTER_VALUES: Mapping[str, Callable[[str], object]] = {
    "text": str,
    "name": lambda text: _NAME_PREFIX.sub("", text),
    "part": feeds.containing,
    "start": _start,
    "end": _end,
}


class FilterField(Record):
    """A field that narrows a page's list."""

    kind: Literal["text", "name", "part", "start", "end"] = "text"
    """What SQL gets: the text; a name without `/u/`, `/f/`; a pattern for LIKE; seconds."""
    label: str = ""
    """Of a moment."""


class ListFilter:
    """The fields of a list's filter as sent, what is wrong with them, and their values in SQL: `:kept_NAME`, NULL if
    the field is empty or wrong."""

    def __init__(self, visit: ForumVisit, fields: Mapping[str, FilterField]) -> None:
        self.given = {name: visit.query(name).strip() for name in fields}
        self.errors: list[str] = []
        self.values: dict[str, object] = {}
        for name, field in fields.items():
            try:
                value = FILTER_VALUES[field.kind](self.given[name]) if self.given[name] else None
            except (ValueError, OverflowError):
                value = None
                self.errors.append(f"{field.label}: write a date as 2026-03-01, or a moment as 2026-03-01 18:30.")
            self.values[f"kept_{name}"] = value

    @property
    def asked(self) -> bool:
        """Whether any field was filled in."""
        return any(self.given.values())

    @property
    def query(self) -> str:
        """The filter as the end of an address; empty if nothing is filtered."""
        params = {name: value for name, value in self.given.items() if value}
        return f"?{urlencode(params)}" if params else ""


class ForumPage(Queries):
    """A page that shows records."""

    template: str
    also: tuple[str, ...] = ()
    """Further addresses."""
    texts: dict[str, str] = {}
    """Names of the template, and of SQL, with fixed values."""
    list: dict[str, str] = {}
    """Name -> SQL of a list that is divided into numbered pages."""
    size: int = feeds.PER_PAGE
    """Rows on such a page."""
    filter: dict[str, FilterField] = {}
    """Fields that narrow the lists."""
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
        kept = ListFilter(visit, self.filter)
        visit.values |= kept.values
        try:
            found = self.find(visit.db, visit.values)
        except MissingRow:
            if not self.missing:
                raise
            return visit.page("error.html", 404, title="Page not found", text=self.missing)
        if self.opened:
            visit.run(self.opened)
        return self.show(visit, {"kept": kept, **found})

    def show(self, visit: ForumVisit, found: dict[str, Any]) -> Response:
        """The page with its lists and these rows."""
        for name, sql in self.list.items():
            found |= feeds.paged(visit, name, sql, self.size)
        if self.submissions:
            found["feed"] = feeds.submissions(visit, self.submissions, self.sort)
            found["flairs"] = feeds.flairs(visit, found["feed"].rows)
        if self.comments:
            found["feed"] = feeds.comments(visit, self.comments)
        if self.flaired:
            found["submissions"] = visit.all(self.flaired)
            found["flairs"] = feeds.flairs(visit, found["submissions"])
        return visit.page(self.template, **{**self.texts, **found})


class FormField(Record):
    """A field of a form."""

    shown: str = ""
    """Name of the value that it shows before anything is sent; empty: none."""
    least: int = 0
    most: int | None = None
    """Fewest and most characters."""
    pattern: str = ""
    """A regular expression that the whole text must match."""
    fault: str = ""
    """What is said of another text."""

    def fits(self, text: str) -> bool:
        """Whether it takes this text."""
        fits = len(text) >= self.least and (self.most is None or len(text) <= self.most)
        return fits and (not self.pattern or re.fullmatch(self.pattern, text) is not None)


class ForumForm(ForumPage):
    """A form, or a button's: it is carried out if nothing is wrong with what was sent, otherwise shown. Without a
    template it stands on other pages."""

    template: str = ""
    intent: str
    """What its token is for."""
    allowed: str = ""
    """SQL condition; where it does not hold, the form belongs to somebody else (403)."""
    locked: dict[str, str] = {}
    """Name of a value -> what is said (403) where it is not 0."""
    fields: dict[str, FormField] = {}
    faults: dict[str, str] = {}
    """What is wrong with what was sent -> SQL that then finds a row."""
    sql: tuple[str, ...]
    made: dict[str, str] = {}
    """Name -> SQL of a row that exists afterwards."""
    log: str = ""
    """The action in the moderation log, if the first statement changes a row. Flairs and pins are not logged."""
    to: str = ""
    """Where it leads, with names of rows and `fields`; `{address}` is the submission's."""
    back: bool = False
    """Whether it leads back to the page with the button, if that is known."""
    done: str = ""
    """The message on the next page."""
    answer: dict[str, bool] = {}
    """What a script gets, instead of being led anywhere."""

    async def handle(self, visit: ForumVisit) -> Response:
        """The form, or what follows once it is carried out."""
        visit.values |= self.texts
        found = self.find(visit.db, visit.values)
        if self.allowed and not visit.one(f"SELECT {self.allowed}")[0]:
            raise HTTPException(403)
        for name, text in self.locked.items():
            if visit.values[name]:
                return visit.page("error.html", 403, title="Locked", text=text)
        shown = {name: visit.at(field.shown) for name, field in self.fields.items()}
        sent = await visit.fields(self.intent.format_map(found), **shown)
        fields = {name: sent[name] for name in self.fields}
        if not visit.posted:
            return self.show(visit, found | {"fields": fields, "errors": []})
        visit.values |= fields
        errors = [field.fault for name, field in self.fields.items() if not field.fits(fields[name])]
        errors += [text for text, sql in self.faults.items() if visit.maybe(sql) and text not in errors]
        if not errors:
            return self._carry_out(visit, found, fields)
        if not self.template:
            return visit.page("error.html", 422, title="This was not posted", text=" ".join(errors))
        return self.show(visit, found | {"fields": fields, "errors": errors})

    def _carry_out(self, visit: ForumVisit, found: dict[str, Any], fields: dict[str, str]) -> Response:
        cursors = [visit.run(sql) for sql in self.sql]
        if self.log and cursors[0].rowcount:
            submission, comment = found["submission"], found.get("comment")
            about = {"submission": submission["id"], "comment": comment["id"] if comment else None}
            about |= {"forum": submission["forum"], "user": (comment or submission)["user"]}
            reason, now = fields.get("reason", ""), visit.now
            visit.insert("log", action=self.log, moderator=MODERATOR, created=now, reason=reason, **about)
        if self.answer:
            return JSONResponse(self.answer)
        found |= {name: visit.one(sql) for name, sql in self.made.items()}
        address = submission_url(found["submission"]) if "submission" in found else ""
        to = self.to.format_map({**found, "address": address, "fields": fields})
        return visit.redirect(visit.back(to) if self.back else to, self.done)


PAGES = _FILE.section("pages", dict[str, ForumPage])
FORMS = _FILE.section("forms", dict[str, ForumForm])
