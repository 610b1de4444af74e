"""Maps: the legend explains colours and lines, the imprint tells the year."""

import math
from typing import TYPE_CHECKING

from workshop.pictures.sheet import Canvas, Point

if TYPE_CHECKING:
    from PIL.Image import Image


def _river(y: float, wave: float, wide: float) -> tuple[list[Point], list[Point]]:
    """The two banks of a river that crosses the map."""
    xs = range(0, 901, 20)
    middle = [(float(x), y + wave * math.sin(x / 140) + x * 0.09) for x in xs]
    return [(x, v - wide) for x, v in middle], [(x, v + wide) for x, v in middle]


def _band(s: Canvas, y: float, wave: float, wide: float, fill: str) -> None:
    upper, lower = _river(y, wave, wide)
    s.shape([*upper, *reversed(lower)], fill)


Place = tuple[str, float, float]


def _flood(
    title: str, imprint: tuple[str, str], river: str, lie: tuple[float, float, float, float], places: tuple[Place, ...]
) -> "Image":
    """A town by a river. `lie`: height and bend of the river, half the width of the rare and of the frequent flood."""
    y0, wave, rare, often = lie
    s = Canvas("#f3efe2", seed=int(y0))
    x: float
    y: float
    s.box((0, 0, 900, 720), "#eef0dc")
    for fill, half in (("#f6d9a8", rare), ("#e99a86", often), ("#7fb2d9", 22.0)):
        _band(s, y0, wave, half, fill)
    for x in range(30, 900, 74):
        s.line([(x, 0), (x + 40, 720)], "#ffffff", 4)
    for y in range(40, 720, 68):
        s.line([(0, y), (900, y + 26)], "#ffffff", 4)
    for _ in range(240):
        x, y = s.draw.uniform(10, 880), s.draw.uniform(10, 700)
        s.box((x, y, x + s.draw.uniform(8, 20), y + s.draw.uniform(8, 16)), "#b9b3a2")
    _band(s, y0, wave, 20, "#7fb2d9")
    s.line([(340, 0), (372, 720)], "#c9a24a", 9)
    for name, x, y in places:
        s.text((x, y), name, 19, "#3a3a34", "serifslant", "mm")
    s.text((700, _river(y0, wave, 0)[0][35][1]), river, 18, "#1f4f78", "serifslant", "mm")
    s.box((900, 0, 1200, 720), "#fdfbf3", "#b9b09a", 2)
    s.lines((922, 24), title, 26, 262, 32, "#26302c", "serifbold")
    s.text((922, 136), "Legend", 18, "#26302c", "bold")
    for k, (fill, says) in enumerate(
        (
            ("#e99a86", "flooded once in 20 years"),
            ("#f6d9a8", "flooded once in 100 years"),
            ("#7fb2d9", "river"),
            ("#c9a24a", "main road"),
        )
    ):
        s.box((922, 164 + k * 38, 956, 186 + k * 38), fill, "#777777", 1)
        s.text((968, 166 + k * 38), says, 16, "#333333")
    s.line([(922, 350), (1062, 350)], "#333333", 3)
    s.text((922, 358), "0", 13)
    s.text((1062, 358), "500 m", 13, anchor="ma")
    s.shape([(1130, 420), (1148, 480), (1130, 466), (1112, 480)], "#333333")
    s.text((1130, 402), "N", 19, "#333333", "bold", "mm")
    s.line([(922, 610), (1178, 610)], "#b9b09a", 1)
    s.text((922, 620), "County Survey Office", 14.5, "#444444")
    s.text((922, 644), imprint[0], 14.5, "#444444", "bold")
    s.text((922, 668), imprint[1], 14.5, "#444444")
    return s.done()


def flood_map_old() -> "Image":
    places = (
        ("Orrin Bridge", 430, 292),
        ("Tanner's Row", 120, 400),
        ("St. Bride", 640, 190),
        ("Lower Orrin", 560, 490),
        ("Mill Quarter", 150, 200),
    )
    imprint = ("Edition of June 1998", "Sheet 7 of 12")
    return _flood("Flood hazard, Lower Orrin valley", imprint, "Orrin", (300, 60, 150, 92), places)


def flood_map_new() -> "Image":
    places = (
        ("Rope Quay", 150, 470),
        ("Saltmere", 560, 330),
        ("Gasworks", 300, 250),
        ("Eel Island", 640, 560),
        ("St. Anne", 760, 250),
    )
    imprint = ("Edition of February 2026", "Sheet 4 of 12")
    return _flood("Flood hazard, Tove at Saltmere", imprint, "Tove", (390, -46, 118, 52), places)


def winter_map(
    dashed: str = "Gully path. June to October only. In snow closed: runs through two avalanche tracks.",
    solid: str = "Ridge track. Marked with poles, the way in winter, 40 minutes longer.",
) -> "Image":
    """Two ways to a hut; the legend says which one is for the winter."""
    s = Canvas("#e8eee4", seed=15)
    peaks = ((620.0, 190.0), (240.0, 160.0), (800.0, 560.0))
    for px, py in peaks:
        for k in range(9, 0, -1):
            r = k * 30
            tone = 200 + k * 5
            points = []
            for a in range(0, 360, 8):
                bend = 1 + 0.18 * math.sin(math.radians(a * 3 + px)) + 0.1 * math.cos(math.radians(a * 5 + py))
                points.append(
                    (px + r * bend * math.cos(math.radians(a)), py + r * 0.72 * bend * math.sin(math.radians(a)))
                )
            s.shape(points, f"#{tone - 6:02x}{tone:02x}{tone - 14:02x}", "#b3a184", 1)
    for px, py, name, height in (
        (620, 190, "Kestrel Horn", "2,418"),
        (240, 160, "Old Sow", "2,107"),
        (790, 560, "Tarn Fell", ""),
    ):
        s.shape([(px, py - 11), (px + 9, py + 6), (px - 9, py + 6)], "#333333")
        s.text((px + 14, py - 12), f"{name} {height}".strip(), 16, "#2b2b2b", "slant")
    s.ellipse((380, 420, 500, 486), "#a9cde6", "#5b8fb5", 1.5)
    s.text((440, 452), "Black Tarn", 14, "#2f6287", "slant", "mm")
    blue = [(70, 640), (160, 560), (250, 470), (330, 380), (430, 300), (520, 262), (610, 286), (690, 330)]
    red = [(70, 640), (210, 640), (350, 600), (480, 560), (590, 500), (660, 420), (690, 330)]
    s.dashes([(float(x), float(y)) for x, y in blue], "#1f63c4", 7, 22, 12)
    s.line([(float(x), float(y)) for x, y in red], "#c8322b", 7)
    for x, y, name in ((70, 640, "Car park Ninemile"), (690, 330, "Kestrel Hut")):
        s.box((x - 10, y - 10, x + 10, y + 10), "#222222")
        s.text((x + 18, y + 8), name, 18, "#111111", "bold")
    s.box((900, 0, 1200, 720), "#fdfcf6", "#b9b09a", 2)
    s.text((922, 26), "Ways to", 22, "#26302c", "serifbold")
    s.text((922, 56), "Kestrel Hut", 28, "#26302c", "serifbold")
    s.dashes([(922, 150), (1000, 150)], "#1f63c4", 7, 22, 12)
    s.lines((922, 168), dashed, 16, 262, 22, "#333333")
    s.line([(922, 300), (1000, 300)], "#c8322b", 7)
    s.lines((922, 318), solid, 16, 262, 22, "#333333")
    s.line([(922, 600), (1062, 600)], "#333333", 3)
    s.text((1062, 608), "1 km", 13, anchor="ma")
    s.text((922, 668), "Kestrel Hut, sheet 3", 14, "#555555")
    return s.done()


def pets_map(south: str = "cats", north: str = "dogs") -> "Image":
    """A town's quarters in two colours; the legend says which animal is which."""
    s = Canvas("#f7f6f2", seed=17)
    columns, rows, wide, high = 7, 6, 118.0, 100.0
    corner = {
        (c, r): (50 + c * wide + s.draw.uniform(-26, 26), 66 + r * high + s.draw.uniform(-22, 22))
        for c in range(columns + 1)
        for r in range(rows + 1)
    }
    names = iter(
        (
            "Hythe",
            "Quarry",
            "Bellfield",
            "Northgate",
            "Spinney",
            "Locks",
            "Saddler",
            "Minster",
            "Ropewalk",
            "Fold",
            "Abbot",
            "Carr",
            "Weir",
            "Cornmarket",
            "Friars",
            "Kiln",
            "Dell",
            "Eastway",
            "Tolbar",
            "Larkhill",
            "Bourne",
            "Maltings",
            "Glebe",
            "Staithe",
            "Orchard",
            "Pound",
            "Bank",
            "Southey",
            "Heron",
            "Mead",
            "Causey",
            "Gate",
            "Wick",
            "Holme",
            "Slade",
            "Downs",
            "Brick",
            "Lea",
            "Marl",
            "Beck",
            "Hob",
            "Kell",
        )
    )
    for r in range(rows):
        for c in range(columns):
            if (c, r) in ((0, 0), (6, 0), (0, 5), (6, 5)):
                next(names)
                continue
            ring = [corner[c, r], corner[c + 1, r], corner[c + 1, r + 1], corner[c, r + 1]]
            below = r >= 3
            fill = s.draw.choice(("#e58a3c", "#ea9a54", "#dd7d2c") if below else ("#3f7fb5", "#5490c2", "#3572a6"))
            s.shape(ring, fill, "#ffffff", 3)
            x, y = sum(p[0] for p in ring) / 4, sum(p[1] for p in ring) / 4
            s.text((x, y), next(names), 14, "#ffffff", "bold", "mm")
    s.dashes([corner[c, 3] for c in range(columns + 1)], "#9fd0ea", 13, 400, 1)
    s.text((24, 20), "Whose town is it?", 30, "#22262b", "bold")
    s.box((910, 130, 1180, 400), "#ffffff", "#c9c5ba", 2, 8)
    s.text((930, 150), "Pets registered, 2025", 17, "#22262b", "bold")
    for k, (fill, says) in enumerate(
        (("#e58a3c", f"more {south} than {north}"), ("#3f7fb5", f"more {north} than {south}"), ("#9fd0ea", "river"))
    ):
        s.box((930, 194 + k * 46, 966, 220 + k * 46), fill)
        s.text((980, 197 + k * 46), says, 17, "#333333")
    s.text((930, 362), "38 quarters, town hall register", 13, "#777777", "slant")
    return s.done()
