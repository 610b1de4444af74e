"""Streets: outdoor scenes with lettering in them."""

import itertools
from typing import TYPE_CHECKING

from workshop.pictures.sheet import Canvas

if TYPE_CHECKING:
    from PIL.Image import Image


def tower_fire(neon: str = "HITACHI") -> "Image":
    """A fire at night beside a lattice tower that carries a company's name in neon."""
    s = Canvas("#14131a", seed=8)
    s.fade((0, 0, 1200, 560), "#0b1026", "#3a2233")
    for _ in range(60):
        x, y = s.draw.uniform(0, 1200), s.draw.uniform(0, 300)
        s.ellipse((x, y, x + 1.6, y + 1.6), "#aab4d0")
    s.glow((40, 250, 560, 620), "#ff7a1a", 190, 70)
    _tower(s, 800, 60, 560, neon)
    for x, y, r in ((250, 250, 120), (330, 170, 110), (430, 110, 120), (200, 150, 90), (520, 60, 110), (300, 60, 100)):
        s.glow((x - r, y - r * 0.7, x + r, y + r * 0.7), "#2a2a30", 215, 26)
    _blocks(s, (0, 1200), 420, 560, "#12131c", "#ffd27a", 0.35)
    for x, high, wide in ((180, 190, 60), (240, 250, 76), (310, 210, 64), (370, 150, 50)):
        for colour, share in (("#d83a0c", 1.0), ("#ff8a1a", 0.72), ("#ffd84a", 0.42)):
            h, w = high * share, wide * share
            s.shape(
                [
                    (x - w, 470),
                    (x - w * 0.5, 470 - h * 0.55),
                    (x - w * 0.2, 470 - h * 0.42),
                    (x, 470 - h),
                    (x + w * 0.35, 470 - h * 0.5),
                    (x + w * 0.6, 470 - h * 0.62),
                    (x + w, 470),
                ],
                colour,
            )
    s.soften((60, 190, 480, 490), 4)
    s.glow((120, 330, 440, 520), "#ffb45a", 120, 30)
    _row(s, 455, 600)
    s.fade((0, 590, 1200, 720), "#1b1a22", "#0b0b10")
    s.glow((60, 590, 520, 720), "#c8550f", 90, 40)
    for x in range(60, 1200, 190):
        s.box((x, 648, x + 96, 655), "#4b4a52")
    for x in (90, 150, 205, 420, 468, 640, 690, 980, 1040, 1075):
        _person(s, x, 640 + s.draw.uniform(-8, 12), "#050507", 0.9 + s.draw.random() * 0.25)
    s.grain(5)
    return s.done()


def _tower(s: Canvas, x: float, top: float, foot: float, name: str) -> None:
    """Four legs, lattice, two decks, a mast; the name runs down the front."""
    steel = "#c9b894"
    levels = [(foot, 150.0), (430, 84.0), (300, 52.0), (190, 38.0), (120, 30.0)]
    for (y0, w0), (y1, w1) in itertools.pairwise(levels):
        for side in (-1, 1):
            s.line([(x + side * w0, y0), (x + side * w1, y1)], steel, 6)
        steps = 3
        for k in range(steps):
            a, b = k / steps, (k + 1) / steps
            wa, wb = w0 + (w1 - w0) * a, w0 + (w1 - w0) * b
            ya, yb = y0 + (y1 - y0) * a, y0 + (y1 - y0) * b
            s.line([(x - wa, ya), (x + wb, yb)], steel, 2)
            s.line([(x + wa, ya), (x - wb, yb)], steel, 2)
            s.line([(x - wb, yb), (x + wb, yb)], steel, 2.5)
    s.box((x - 62, 418, x + 62, 440), "#8f7f5f", "#e8d8ac", 1.5)
    s.box((x - 44, 104, x + 44, 124), "#8f7f5f", "#e8d8ac", 1.5)
    s.shape([(x - 34, 104), (x + 34, 104), (x + 20, 80), (x - 20, 80)], "#a89468")
    s.line([(x, 80), (x, top - 40)], steel, 5)
    s.box((x - 17, 136, x + 17, 408), "#141a2c", "#7e8aa8", 1.5)
    for k, letter in enumerate(name):
        s.glow((x - 15, 142 + k * 37, x + 15, 174 + k * 37), "#ff5a5a", 110, 8)
        s.text((x, 158 + k * 37), letter, 25, "#ffe9e6", "bold", "mm")


def _blocks(s: Canvas, span: tuple[int, int], top: float, foot: float, wall: str, light: str, lit: float) -> None:
    """Houses of several heights with windows, some of them lit."""
    x: float = span[0]
    while x < span[1]:
        wide = s.draw.randint(70, 130)
        high = top + s.draw.uniform(-50, 60)
        s.box((x, high, x + wide - 3, foot), wall)
        for wx in range(int(x) + 10, int(x) + wide - 18, 20):
            for wy in range(int(high) + 12, int(foot) - 14, 24):
                s.box((wx, wy, wx + 9, wy + 12), light if s.draw.random() < lit else "#1d2030")
        x += wide


def _row(s: Canvas, top: float, foot: float) -> None:
    """Shop fronts along the street, awnings and lanterns without words."""
    for k, (x, wide) in enumerate(((0, 210), (215, 180), (400, 240), (645, 200), (850, 160), (1015, 185))):
        s.box((x, top + 40, x + wide, foot), "#1f1c26")
        s.box((x + 8, top + 62, x + wide - 8, foot - 6), ("#6b4a22", "#2c4a52", "#5a2f2f")[k % 3])
        s.shape(
            [(x, top + 40), (x + wide, top + 40), (x + wide + 8, top + 66), (x - 8, top + 66)],
            ("#8c2f2a", "#2d5c49", "#394a7a")[k % 3],
        )
        for lx in range(int(x) + 24, int(x + wide) - 16, 52):
            s.glow((lx - 8, top + 70, lx + 20, top + 98), "#ff9a4a", 130, 8)
            s.ellipse((lx, top + 74, lx + 13, top + 92), "#ffcf8a")


def _person(s: Canvas, x: float, foot: float, fill: str, size: float = 1.0) -> None:
    s.ellipse((x - 6 * size, foot - 62 * size, x + 6 * size, foot - 49 * size), fill)
    s.shape(
        [
            (x - 10 * size, foot - 47 * size),
            (x + 10 * size, foot - 47 * size),
            (x + 8 * size, foot - 20 * size),
            (x - 8 * size, foot - 20 * size),
        ],
        fill,
    )
    s.line([(x - 4 * size, foot - 22 * size), (x - 6 * size, foot)], fill, 5 * size)
    s.line([(x + 4 * size, foot - 22 * size), (x + 6 * size, foot)], fill, 5 * size)


def flood_inn(inn: str = "GASTHOF ZUM ANKER", street: str = "Uferstraße") -> "Image":
    """A flooded street of old houses; an inn, and a street plate on the corner."""
    s = Canvas(seed=21)
    x: float
    y: float
    s.fade((0, 0, 1200, 420), "#9aa7b2", "#d4d9da")
    walls = (
        ("#d8c49a", 0, 230, 90),
        ("#b9c6b2", 230, 440, 130),
        ("#dcaf98", 440, 700, 70),
        ("#e6dcc2", 700, 900, 120),
        ("#a9b7c4", 900, 1200, 84),
    )
    for wall, left, right, top in walls:
        s.box((left, top + 60, right, 480), wall)
        s.shape([(left - 6, top + 62), ((left + right) / 2, top - 30), (right + 6, top + 62)], "#7a4636")
        s.line([(left, top + 60), (left, 480)], "#6c675c", 2)
        for x in range(left + 26, right - 40, 62):
            for y in range(top + 92, 420, 84):
                s.box((x, y, x + 30, y + 46), "#3f4d58", "#f1ece0", 3)
                s.line([(x + 15, y), (x + 15, y + 46)], "#f1ece0", 2)
                s.line([(x, y + 20), (x + 30, y + 20)], "#f1ece0", 2)
    s.box((452, 318, 690, 358), "#2f3d2c", "#c9a94f", 2)
    s.text((571, 338), inn, 17, "#f0dfa0", "serifbold", "mm")
    s.line([(704, 268), (760, 268)], "#222222", 4)
    s.ellipse((736, 272, 784, 320), "#2b4d7e", "#c9a94f", 2)
    s.line([(760, 280), (760, 311)], "#f0dfa0", 4)
    s.arc((745, 286, 775, 314), 10, 170, "#f0dfa0", 4)
    s.box((908, 330, 1034, 358), "#1d4b93", "#ffffff", 2, 3)
    s.text((971, 344), street, 18, "#ffffff", "bold", "mm")
    s.mirror((0, 240, 1200, 480), 476, 0.58, "#7b6a4c")
    s.fade((0, 716, 1200, 720), "#6d5d42", "#6d5d42")
    for _ in range(130):
        x, y = s.draw.uniform(0, 1200), s.draw.uniform(486, 716)
        s.line([(x, y), (x + s.draw.uniform(20, 90), y)], s.draw.choice(("#9b8b6c", "#5d4f37", "#ab9c7e")), 1.6)
    s.box((236, 420, 250, 560), "#6b6b6b")
    s.box((214, 398, 274, 428), "#e9c62a", "#333333", 2, 4)
    s.ellipse((232, 401, 256, 425), "#2f7a3c")
    _boat(s, 380, 560)
    s.shape([(820, 520), (852, 494), (930, 494), (968, 520), (976, 544), (812, 544)], "#3b4a66")
    s.shape([(858, 499), (924, 499), (948, 518), (842, 518)], "#9fb0bd")
    s.grain(5)
    return s.done()


def _boat(s: Canvas, x: float, y: float) -> None:
    """Two people in a rowing boat."""
    s.shape([(x, y), (x + 210, y), (x + 184, y + 36), (x + 24, y + 36)], "#8a5a2b", "#5a3a1a", 2)
    for px, coat in ((x + 66, "#c8372d"), (x + 142, "#2d6ac8")):
        s.ellipse((px - 11, y - 58, px + 11, y - 36), "#e3b48d")
        s.shape([(px - 18, y - 36), (px + 18, y - 36), (px + 22, y + 2), (px - 22, y + 2)], coat)
    s.line([(x + 150, y - 20), (x + 262, y + 44)], "#d9b98a", 5)


def flood_wharf() -> "Image":
    """A flooded parking lot under a yellow bridge; the lot's sign, and a gauge in the water."""
    s = Canvas(seed=22)
    x: float
    y: float
    s.fade((0, 0, 1200, 440), "#8b98a6", "#c9ced0")
    _blocks(s, (40, 1180), 230, 420, "#5d6873", "#93a0a8", 0.5)
    s.soften((0, 120, 1200, 430), 1.5)
    s.box((0, 396, 1200, 430), "#6f6c62")
    s.fade((0, 430, 1200, 474), "#7d796d", "#5e5a50")
    for x in range(-40, 1260, 58):
        s.line([(x, 200), (x + 29, 262), (x + 58, 200)], "#d9a514", 6)
    s.box((0, 190, 1200, 206), "#e0ad1c")
    s.box((0, 258, 1200, 278), "#e0ad1c")
    for x in (130, 700):
        s.box((x, 278, x + 54, 500), "#8d8a80")
        s.box((x - 12, 278, x + 66, 298), "#9c998e")
    s.box((340, 330, 346, 520), "#555555")
    s.box((600, 330, 606, 520), "#555555")
    s.box((318, 322, 628, 404), "#1f5d38", "#ffffff", 3, 6)
    s.text((473, 352), "MON WHARF PARKING", 23, "#ffffff", "bold", "mm")
    s.text((473, 386), "CLEARANCE 7'-2\"   ENTER AT WOOD ST", 14, "#ffffff", "sans", "mm")
    s.fade((0, 470, 1200, 720), "#8a7a5c", "#5a4d36")
    s.mirror((0, 300, 1200, 470), 470, 0.66, "#7b6c50")
    for _ in range(150):
        x, y = s.draw.uniform(0, 1200), s.draw.uniform(480, 716)
        s.line([(x, y), (x + s.draw.uniform(20, 100), y)], s.draw.choice(("#a3957a", "#5b4f3a", "#8a7c60")), 1.7)
    for x, y in ((860, 508), (1010, 530)):
        s.shape(
            [(x, y), (x + 30, y - 26), (x + 100, y - 26), (x + 132, y), (x + 140, y + 16), (x - 6, y + 16)], "#4a4f58"
        )
        s.shape([(x + 36, y - 21), (x + 95, y - 21), (x + 116, y - 2), (x + 20, y - 2)], "#a9b6c0")
    s.box((200, 440, 228, 640), "#f4f2ea", "#333333", 2)
    for k, mark in enumerate(("27", "26", "25", "24", "23")):
        s.line([(200, 458 + k * 38), (214, 458 + k * 38)], "#333333", 2)
        s.text((221, 458 + k * 38), mark, 11, "#b0201c", "bold", "mm")
    s.fade((186, 590, 244, 650), "#7f7054", "#76684d")
    for x in (1000, 1034, 1090):
        _person(s, x, 420, "#2c3138", 0.55)
    s.grain(5)
    return s.done()


def finish_clock(time: str = "0:41:07") -> "Image":
    """The finish of a road race: arch, clock, a runner with arms raised."""
    s = Canvas(seed=24)
    s.fade((0, 0, 1200, 400), "#8fc1e8", "#e3eff6")
    for _ in range(46):
        x, y, r = s.draw.uniform(0, 1200), s.draw.uniform(230, 330), s.draw.uniform(30, 70)
        s.ellipse((x - r, y - r, x + r, y + r), s.draw.choice(("#4f7f3f", "#5f9148", "#426e38")))
    s.soften((0, 150, 1200, 420), 3)
    s.fade((0, 380, 1200, 720), "#8b8d90", "#63656a")
    s.shape([(380, 380), (820, 380), (1190, 720), (10, 720)], "#54565b")
    for k in range(5):
        s.shape(
            [(594, 400 + k * 66), (606, 400 + k * 66), (608 + k * 2, 440 + k * 66), (592 - k * 2, 440 + k * 66)],
            "#e8e8e4",
        )
    s.box((236, 120, 282, 640), "#c22f3a")
    s.box((918, 120, 964, 640), "#c22f3a")
    s.box((236, 90, 964, 190), "#c22f3a", "#ffffff", 3, 14)
    s.text((600, 140), "RIVERSIDE 10K", 46, "#ffffff", "bold", "mm")
    s.box((528, 198, 672, 244), "#101010", "#444444", 3, 5)
    s.text((600, 221), time, 28, "#ff5a2a", "monobold", "mm")
    for side in (0, 1):
        for k in range(8):
            x = 150 - k * 30 if side == 0 else 1050 + k * 30
            _person(s, x + s.draw.uniform(-8, 8), 560 + k * 12, s.draw.choice(("#7a3f6a", "#3f5d7a", "#7a6a3f")), 1.7)
    for x0, x1 in ((300, 20), (900, 1180)):
        s.line([(x0, 520), (x1, 660)], "#e9e6de", 8)
    _runner(s, 600, 610)
    s.grain(4)
    return s.done()


def _runner(s: Canvas, x: float, foot: float) -> None:
    skin, shirt = "#c98f66", "#2a8c8c"
    s.box((x - 9, foot - 214, x + 9, foot - 200), skin)
    s.ellipse((x - 24, foot - 262, x + 24, foot - 210), skin)
    s.shape(
        [(x - 26, foot - 240), (x, foot - 276), (x + 28, foot - 240), (x + 20, foot - 254), (x - 18, foot - 254)],
        "#3a2418",
    )
    s.shape([(x - 40, foot - 204), (x + 40, foot - 204), (x + 30, foot - 104), (x - 30, foot - 104)], shirt)
    for side in (-1, 1):
        s.line([(x + side * 38, foot - 196), (x + side * 78, foot - 250), (x + side * 66, foot - 312)], skin, 17)
        s.line([(x + side * 15, foot - 100), (x + side * 30, foot - 46), (x + side * 18, foot + 6)], skin, 20)
    s.box((x - 32, foot - 112, x + 32, foot - 76), "#1c2430")
    s.box((x - 27, foot - 182, x + 27, foot - 136), "#ffffff", "#cccccc", 1)
    s.text((x, foot - 159), "2216", 19, "#202020", "bold", "mm")
