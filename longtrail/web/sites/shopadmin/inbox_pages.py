"""Inbox pages: the messages of a shift: those that are open, the archive, and one message."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.web.shift_inbox import open_message
from longtrail.web.sites.shopadmin.visit import AdminVisit, render


def inbox(visit: AdminVisit) -> Response:
    """Open tickets and new mails, in the order in which they came in."""
    rows = visit.rows("SELECT * FROM inbox_message WHERE status = 'open' ORDER BY id")
    return render(
        visit, "inbox.html", heading="Inbox", rows=rows, other="Archive", other_address="/admin/inbox/archive/"
    )


def archive(visit: AdminVisit) -> Response:
    """Decided tickets and old mails, the newest first."""
    rows = visit.rows("SELECT * FROM inbox_message WHERE status IN ('closed', 'archived') ORDER BY id DESC")
    return render(visit, "inbox.html", heading="Archive", rows=rows, other="Inbox", other_address="/admin/inbox/")


def message(visit: AdminVisit) -> Response:
    """One message that has come in."""
    row = visit.row("SELECT * FROM inbox_message WHERE id = ? AND status != 'waiting'", visit.id("id"))
    if row is None:
        raise HTTPException(404)
    open_message(visit.db, row["id"])
    return render(visit, "inbox_message.html", row=row)
