"""Images: uploaded pictures as files, and a page for each, on which it can be seen enlarged."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

from longtrail.paths import WORLDS
from longtrail.web.sites.forum.visit import ForumVisit

FOLDER = WORLDS / "forum" / "images"
"""The folder of the shipped pictures: `0f3a…c1.png`, 16 hex digits and the kind."""
REDRAWN = "redrawn"
"""The folder in it with the pictures of counterfactual twins, which have the names of their tasks' pictures."""
STYLE = Path(__file__).parent / "static" / "forum.css"
KINDS = {".jpg": "image/jpeg", ".png": "image/png"}
ZOOMS = (1, 2, 3)


async def picture(visit: ForumVisit) -> Response:
    """The file itself, if a submission shows it."""
    row = visit.one("SELECT * FROM submission WHERE image = ? AND visibility != 'deleted'", visit.at("file"))
    folder: Path = visit.request.app.state.images
    path = folder / (REDRAWN if row["redrawn"] else "") / row["image"]
    if path.suffix not in KINDS or not path.is_file():
        raise HTTPException(404)
    return Response(path.read_bytes(), media_type=KINDS[path.suffix])


async def picture_page(visit: ForumVisit) -> Response:
    """A page with only an image, in its original size or larger (`?zoom=2`)."""
    stem = visit.at("stem")
    names = [stem + kind for kind in KINDS]
    row = visit.one("SELECT * FROM submission WHERE image IN (?, ?) AND visibility != 'deleted'", *names)
    zoom = visit.query("zoom", "1")
    if zoom not in {str(step) for step in ZOOMS}:
        raise HTTPException(404)
    return visit.page("image.html", submission=row, stem=stem, zoom=int(zoom), zooms=ZOOMS)


async def style(_: ForumVisit) -> Response:
    """The style sheet."""
    return Response(STYLE.read_bytes(), media_type="text/css")
