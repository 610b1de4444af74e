"""Inbox: the messages of a shift: those that are open, the archive, and one message. Other worlds have none."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.shift_inbox import open_message
from longtrail.web.sites.forum.visit import ForumVisit


async def inbox(visit: ForumVisit) -> Response:
    """Open reports and new mails, in the order in which they came in."""
    rows = visit.all("SELECT * FROM inbox_message WHERE status = 'open' ORDER BY id")
    return visit.page("inbox.html", heading="Inbox", rows=rows, other="Archive", other_address="/inbox/archive")


async def archive(visit: ForumVisit) -> Response:
    """Decided reports and old mails, the newest first."""
    rows = visit.all("SELECT * FROM inbox_message WHERE status IN ('closed', 'archived') ORDER BY id DESC")
    return visit.page("inbox.html", heading="Archive", rows=rows, other="Inbox", other_address="/inbox")


async def message(visit: ForumVisit) -> Response:
    """One message that has come in."""
    rows = visit.all("SELECT * FROM inbox_message WHERE id = ? AND status != 'waiting'", visit.number("id"))
    if not rows:
        raise HTTPException(404)
    open_message(visit.db, rows[0]["id"])
    return visit.page("inbox_message.html", row=rows[0])
