"""Gallery: every drawing by its name, the name of its file, and the file itself."""

import hashlib
import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from workshop.pictures import charts, maps, papers, streets, things

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST = 115_000
"""Maximum size of a file in bytes."""
QUALITIES = (86, 80, 74, 68, 62)
"""JPEG qualities; the first whose file is small enough is used."""
Drawing = Callable[[], "Image"]
DRAWN: tuple[Drawing, ...] = (
    streets.tower_fire,
    streets.flood_inn,
    streets.flood_wharf,
    streets.finish_clock,
    papers.money_screen,
    papers.money_table,
    papers.goat_screen,
    papers.goat_table,
    papers.poster,
    maps.flood_map_old,
    maps.flood_map_new,
    maps.winter_map,
    maps.pets_map,
    things.tablet_box,
    things.lozenge_box,
    things.drain_bottle,
    things.rim_pressure,
    things.rim_weight,
    things.lawn_pair,
    things.comet_sky,
)
PLOTTED: tuple[Drawing, ...] = (
    charts.battery_bars,
    charts.parcel_bars,
    charts.lead_lines,
    charts.savings_axes,
    charts.visitor_axes,
    charts.gap_years,
)
"""Whether it is a chart: flat colours and thin lines are stored as PNG, other drawings as JPEG."""


def stem(drawing: Drawing) -> str:
    """The file's name without its ending: 16 hex digits that say nothing."""
    return hashlib.sha256(f"forum picture {drawing.__name__}".encode()).hexdigest()[:16]


def files() -> dict[str, Drawing]:
    """Every file's name, and the function that draws it."""
    drawn = {f"{stem(drawing)}.jpg": drawing for drawing in DRAWN}
    return drawn | {f"{stem(drawing)}.png": drawing for drawing in PLOTTED}


def encoded(image: "Image", ending: str) -> bytes:
    """The file's bytes, without any metadata."""
    if ending == "png":
        return _bytes(image, "PNG", optimize=True)
    tried = (_bytes(image, "JPEG", quality=quality, optimize=True) for quality in QUALITIES)
    return next(data for data in tried if len(data) <= LARGEST)


def _bytes(image: "Image", kind: str, **options: int) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()
