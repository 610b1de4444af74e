"""Charts: axes that don't start at zero, are reversed, are doubled or leave years out; and some correct ones."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from workshop.pictures.sheet import SIZE

if TYPE_CHECKING:
    from PIL.Image import Image

DOTS = 100
"""Pixels per inch in matplotlib."""


@contextmanager
def _figure(paper: str, **style: Any) -> "Iterator[tuple[Any, Any, Image]]":
    """A figure of the pictures' size, its axes, and the finished picture."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    image = Image.new("RGB", SIZE)
    settings: dict[Any, Any] = {**matplotlib.rcParamsDefault, "backend": "agg", "font.size": 13, **style}
    with matplotlib.rc_context(settings):
        figure = Figure((SIZE[0] / DOTS, SIZE[1] / DOTS), DOTS, facecolor=paper)
        canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0.09, 0.13, 0.82, 0.68), facecolor=paper)
        yield figure, axes, image
        out = io.BytesIO()
        canvas.print_png(out)  # type: ignore[no-untyped-call]
        image.paste(Image.open(out).convert("RGB"))


def _bare(axes: Any, *sides: str) -> None:
    for side in sides or ("top", "right"):
        axes.spines[side].set_visible(False)


def battery_bars(
    hours: Sequence[float] = (9.4, 9.6, 9.9), scale: Sequence[float] = (9.2, 9.4, 9.6, 9.8, 10.0)
) -> "Image":
    """Battery hours of three generations of earbuds; the axis begins at 9."""
    with _figure("#f7f5ef") as (figure, axes, image):
        bars = axes.bar(
            ["Aria One\n2022", "Aria Two\n2024", "Aria Three\n2026"],
            hours,
            color=["#b9c2cc", "#8296ab", "#e0592a"],
            width=0.55,
        )
        axes.set_ylim(scale[0], scale[-1])
        axes.set_yticks(scale)
        axes.tick_params(axis="y", labelsize=12)
        axes.tick_params(axis="x", labelsize=15, length=0)
        axes.set_ylabel("hours", fontsize=12)
        axes.grid(axis="y", color="#ddd8ca", linewidth=1)
        axes.set_axisbelow(True)
        _bare(axes)
        for bar in bars:
            bar.set_edgecolor("white")
        figure.text(0.09, 0.92, "Aria Three. Goes on and on.", fontsize=27, weight="bold", color="#22262b")
        figure.text(0.09, 0.855, "Listening time at half volume, our own laboratory", fontsize=15, color="#6a6f75")
    return image


def parcel_bars(parcels: Sequence[int] = (4120, 6350, 8190), scale: Sequence[int] = range(0, 9001, 1500)) -> "Image":
    """Parcels of a village's post counter in three years, from zero."""
    with _figure("#fffdf8") as (figure, axes, image):
        bars = axes.bar(["2021", "2023", "2025"], parcels, color=["#9fbfb4", "#5f9485", "#1f5f50"], width=0.5)
        axes.set_ylim(scale[0], scale[-1])
        axes.set_yticks(scale)
        axes.tick_params(labelsize=12)
        axes.tick_params(axis="x", labelsize=16, length=0)
        axes.grid(axis="y", color="#e6e1d4", linewidth=1)
        axes.set_axisbelow(True)
        _bare(axes, "top", "right", "left")
        axes.bar_label(bars, fontsize=12, color="#333333", padding=4)
        figure.text(
            0.09, 0.92, "Parcels handed out at Brindle post counter", fontsize=24, weight="bold", color="#1f3a33"
        )
        figure.text(0.09, 0.858, "by year, counted by the scanner", fontsize=15, color="#6a6f75")
    return image


def lead_lines(
    lead: Sequence[float] = (4.1, 4.6, 5.9, 6.4, 8.2, 9.7, 11.6, 13.2), *, zero_on_top: bool = True
) -> "Image":
    """Lead in tap water by year; the scale has zero at the top."""
    lowest, highest = (16, 0) if zero_on_top else (0, 16)
    with _figure("#ffffff") as (figure, axes, image):
        years = range(2018, 2026)
        axes.plot(years, lead, color="#1b6fae", linewidth=4, marker="o", markersize=9)
        axes.fill_between(years, lead, lowest, color="#1b6fae", alpha=0.16)
        axes.set_ylim(lowest, highest)
        axes.set_yticks([0, 4, 8, 12, 16])
        axes.set_ylabel("µg per litre", fontsize=12)
        axes.tick_params(labelsize=12)
        axes.grid(axis="y", color="#e3e8ec", linewidth=1)
        _bare(axes)
        figure.text(0.09, 0.92, "Lead at the tap, Millvale and Etna", fontsize=24, weight="bold", color="#1f2d3a")
        figure.text(0.09, 0.858, "Median of first-draw samples, 2018 to 2025", fontsize=15, color="#6a6f75")
    return image


class _Scale(NamedTuple):
    """One of a chart's two lines, with its own scale."""

    values: Sequence[float]
    limits: tuple[float, float]
    label: str
    ink: str
    """Colour of the scale's label."""
    line: dict[str, Any]


def _two_scales(axes: Any, years: list[int], grid: str, scales: "tuple[_Scale, _Scale]") -> None:
    """Two lines over the same years; the first one's scale is on the left, the other's on the right."""
    for side, scale in zip((axes, axes.twinx()), scales, strict=True):
        side.plot(years, scale.values, linewidth=4.5, **scale.line)
        side.set_ylim(*scale.limits)
        side.set_ylabel(scale.label, fontsize=12, color=scale.ink)
        side.tick_params(labelsize=12)
        _bare(side, "top")
    axes.grid(axis="y", color=grid, linewidth=1)


def savings_axes(
    note: Sequence[float] = (100, 100.4, 101.1, 101.2, 101.9, 102.6, 103.1),
    limits: tuple[float, float] = (99.5, 103.6),
) -> "Image":
    """A savings note and an index that look alike but have different scales (`limits`: the note's)."""
    index, (low, high) = (100, 109, 133, 128, 149, 168, 184), limits
    dashed = {"color": "#b08a2e", "linestyle": (0, (4, 2))}
    scales = (
        _Scale(note, limits, "SteadyNote, 2019 = 100", "#0b7a75", {"color": "#0b7a75"}),
        _Scale(index, (88, 200), "World share index, 2019 = 100", "#8b6a1b", dashed),
    )
    with _figure("#fbfaf6") as (figure, axes, image):
        _two_scales(axes, list(range(2019, 2026)), "#e8e3d6", scales)
        figure.text(0.09, 0.92, "SteadyNote and the market, side by side", fontsize=24, weight="bold", color="#2a2a26")
        figure.text(0.09, 0.858, "What became of 100, without the nights awake", fontsize=15, color="#6a6f75")
        axes.text(2021.1, low + 0.768 * (high - low), "SteadyNote", color="#0b7a75", fontsize=16, weight="bold")
        axes.text(2023.3, low + 0.451 * (high - low), "index", color="#8b6a1b", fontsize=16, weight="bold")
    return image


def visitor_axes(more: int = 1) -> "Image":
    """Library and cinema visits; the lines cross, the scales differ by ten (`more`: there are so many times more
    visits to libraries)."""
    libraries = [visits * more for visits in (18, 20, 21, 24, 9, 16, 25, 30, 34, 38)]
    cinemas = [460, 452, 440, 430, 120, 190, 300, 296, 290, 284]
    scales = (
        _Scale(libraries, (0, 50 * more), "libraries, thousand visits", "#7b2d5b", {"color": "#7b2d5b"}),
        _Scale(cinemas, (0, 500), "cinemas, thousand visits", "#2f6db3", {"color": "#2f6db3"}),
    )
    with _figure("#ffffff") as (figure, axes, image):
        _two_scales(axes, list(range(2016, 2026)), "#eceff2", scales)
        figure.text(0.09, 0.92, "The year the lines crossed", fontsize=26, weight="bold", color="#22262b")
        figure.text(0.09, 0.858, "Visits in Saltmere, 2016 to 2025", fontsize=15, color="#6a6f75")
        axes.text(2024.0, 40.5 * more, "libraries", color="#7b2d5b", fontsize=16, weight="bold")
        axes.text(2024.0, 23.0 * more, "cinemas", color="#2f6db3", fontsize=16, weight="bold")
    return image


def gap_years(nests: Sequence[int] = (312, 268, 221, 178, 148, 143, 139, 135)) -> "Image":
    """Swifts' nests by year of count: ten years to a step, then one."""
    with _figure("#f4f7f3") as (figure, axes, image):
        labels = ["1985", "1995", "2005", "2015", "2022", "2023", "2024", "2025"]
        axes.plot(range(8), nests, color="#2b3f52", linewidth=4, marker="o", markersize=9)
        axes.set_ylim(0, 340)
        axes.set_xticks(range(8), labels)
        axes.tick_params(labelsize=12)
        axes.grid(axis="y", color="#dde5da", linewidth=1)
        _bare(axes)
        figure.text(0.09, 0.92, "Swifts: the worst is over", fontsize=26, weight="bold", color="#22303a")
        figure.text(
            0.09, 0.858, "Occupied nests in the old town, all counts that were made", fontsize=15, color="#66716a"
        )
    return image
