"""Things: boxes, bottles, rims, a lawn, a sky. Their labels carry the text that matters."""

import math
from typing import TYPE_CHECKING

from workshop.pictures.sheet import Canvas

if TYPE_CHECKING:
    from PIL.Image import Image


DRAIN = (
    "Pour three spoons into the dry drain, wait, add one cup of cold water. Leave for 30 minutes, "
    "rinse. Contains sodium hydroxide. Causes severe burns."
)
DOSES = (
    ("Age", "at a time", "not before", "in 24 hours"),
    ("12 and over", "1 to 2 tablets", "4 hours", "8 tablets"),
    ("6 to 11", "½ tablet", "6 hours", "2 tablets"),
    ("under 6", "not suitable", "", ""),
)
"""The table on the box of tablets."""


def _wood(s: Canvas, tones: tuple[str, str, str]) -> None:
    for _ in range(70):
        y = s.draw.uniform(0, 720)
        s.line([(0, y), (1200, y + s.draw.uniform(-10, 10))], s.draw.choice(tones), 4)


def tablet_box(strength: int = 500, doses: tuple[tuple[str, ...], ...] = DOSES) -> "Image":
    """The side of a box of tablets with the table of doses."""
    s = Canvas("#c9ced2", seed=12)
    _wood(s, ("#c2c8cc", "#ced3d6", "#c5cacf"))
    s.glow((110, 90, 1110, 690), "#5a6066", 120, 16)
    s.box((120, 70, 1080, 640), "#fbfcfd", "#aeb6bd", 2, 6)
    s.shape([(120, 70), (1080, 70), (1046, 44), (154, 44)], "#e6ebee", "#aeb6bd", 1.5)
    s.box((120, 70, 1080, 190), "#14629a")
    s.shape([(760, 70), (1080, 70), (1080, 190), (820, 190)], "#1d83c4")
    s.text((150, 92), "Paralon", 50, "#ffffff", "bold")
    s.text((152, 154), f"paracetamol {strength} mg", 19, "#dcecf7")
    s.text((1050, 150), "20 tablets", 24, "#ffffff", "bold", "ra")
    s.text((150, 212), "How to take it", 21, "#14324a", "bold")
    for r, row in enumerate(doses):
        y = 252 + r * 52
        s.box((150, y, 1050, y + 52), "#e8f1f7" if r == 0 else "#ffffff" if r % 2 else "#f5f8fa", "#c2ccd4", 1)
        for c, cell in enumerate(row):
            s.text((170 + c * 225, y + 26), cell, 19, "#1d2b36", "bold" if r == 0 else "sans", "lm")
    s.lines(
        (150, 482),
        "Do not give with other medicines that contain paracetamol. Do not exceed the stated dose. Keep out of "
        "the sight and reach of children.",
        16,
        640,
        24,
        "#33414c",
    )
    for k in range(46):
        x = 850 + k * 4.2
        s.line([(x, 500), (x, 580)], "#111111", s.draw.choice((1, 1.6, 2.6)))
    s.text((946, 590), "4 026417 500126", 14, "#111111", "mono", "ma")
    s.grain(3)
    return s.done()


def lozenge_box(driving: str = "") -> "Image":
    """A box of lozenges, back and lid: ingredients, use and storage."""
    s = Canvas("#7b8a6b", seed=26)
    y: float
    _wood(s, ("#768567", "#81906f", "#72805f"))
    s.glow((190, 60, 1030, 700), "#2c3324", 130, 18)
    s.box((200, 50, 1000, 660), "#fffaf0", "#c2b48d", 2, 8)
    s.box((200, 50, 1000, 168), "#2f6b3a", None, 1, 8)
    s.text((230, 70), "Bronchella", 46, "#ffffff", "serifbold")
    s.text((232, 128), "thyme and ivy lozenges, sugar free", 18, "#dcefd8")
    for x, y in ((860, 90), (905, 120), (950, 84)):
        s.ellipse((x, y, x + 34, y + 24), "#9fcf86", "#5f9a4c", 2)
    text = (
        ("In one lozenge", "thyme extract 60 mg, ivy leaf extract 9 mg, isomalt, menthol, colour E 141."),
        ("For", "coughs and hoarseness with a cold, in adults and children from 12."),
        ("Dose", f"one every three hours, let it melt slowly, at most six a day.{driving}"),
        ("Not for", "people who are allergic to ivy. If the cough lasts longer than a week, see a doctor."),
        ("Keep", "dry, below 25 °C, and out of the reach of children."),
    )
    y = 196.0
    for head, body in text:
        s.text((232, y), head, 18, "#2f4a2a", "bold")
        y = s.lines((412, y), body, 18, 560, 27, "#2d2a22") + 16
    s.line([(232, 560), (968, 560)], "#c2b48d", 1.5)
    s.text((232, 580), "24 lozenges", 20, "#2d2a22", "bold")
    s.text((968, 584), "Reg. 6117.00.00   LOT 25K114   EXP 11/2028", 14.5, "#4a463a", "mono", "ra")
    s.grain(3)
    return s.done()


def drain_bottle(use: str = DRAIN, *, struck: bool = True) -> "Image":
    """The back of a bottle of drain cleaner with four pictograms."""
    s = Canvas("#dfe6e6", seed=14)
    for x in range(0, 1200, 100):
        for y in range(0, 720, 100):
            s.box((x, y, x + 97, y + 97), s.draw.choice(("#e9efef", "#e3eaea", "#eef3f3")))
    s.glow((330, 60, 930, 740), "#7b8a8a", 130, 20)
    s.box((360, -10, 840, 716), "#c8202e", None, 1, 60)
    s.box((396, 40, 804, 690), "#fdfdf8", None, 1, 14)
    s.text((600, 76), "ROHRFREI X", 38, "#c8202e", "bold", "mm")
    s.text((600, 112), "drain cleaner, granules", 17, "#333333", anchor="mm")
    for k in range(4):
        x, y = 420 + (k % 2) * 188, 142 + (k // 2) * 190
        s.box((x, y, x + 172, y + 172), "#ffffff", "#222222", 3, 8)
    _gloves(s, 506, 228)
    _goggles(s, 694, 228)
    _two_bottles(s, 506, 418, struck=struck)
    _child(s, 694, 418)
    s.lines((420, 536), use, 16, 364, 23, "#2b2b2b")
    s.grain(3)
    return s.done()


def _ring(s: Canvas, x: float, y: float, fill: str) -> None:
    s.ellipse((x - 74, y - 74, x + 74, y + 74), fill)


def _gloves(s: Canvas, x: float, y: float) -> None:
    _ring(s, x, y, "#1859a8")
    for side in (-1, 1):
        left = x + side * 28
        s.box((left - 20, y - 4, left + 20, y + 46), "#ffffff", None, 1, 6)
        for f in range(4):
            s.box((left - 20 + f * 10.4, y - 40, left - 12 + f * 10.4, y + 4), "#ffffff", None, 1, 4)


def _goggles(s: Canvas, x: float, y: float) -> None:
    _ring(s, x, y, "#1859a8")
    s.ellipse((x - 44, y - 54, x + 44, y + 58), "#ffffff")
    s.box((x - 50, y - 22, x + 50, y + 12), "#1859a8", "#ffffff", 3, 12)
    s.box((x - 40, y - 16, x - 4, y + 6), "#cfe2f5", None, 1, 7)
    s.box((x + 4, y - 16, x + 40, y + 6), "#cfe2f5", None, 1, 7)


def _two_bottles(s: Canvas, x: float, y: float, *, struck: bool) -> None:
    """Two bottles poured into one bucket, struck out in red, or in white on blue."""
    ink = "#222222" if struck else "#ffffff"
    if not struck:
        _ring(s, x, y, "#1859a8")
    for side in (-1, 1):
        tip = x + side * 10
        s.shape(
            [
                (tip, y - 2),
                (tip + side * 10, y - 16),
                (tip + side * 40, y - 44),
                (tip + side * 52, y - 28),
                (tip + side * 22, y),
            ],
            ink,
        )
    s.shape([(x - 36, y + 12), (x + 36, y + 12), (x + 26, y + 54), (x - 26, y + 54)], ink)
    s.line([(x - 10, y), (x - 8, y + 14)], ink, 3)
    s.line([(x + 10, y), (x + 8, y + 14)], ink, 3)
    if struck:
        s.ellipse((x - 74, y - 74, x + 74, y + 74), None, "#d01c28", 10)
        s.line([(x - 52, y - 52), (x + 52, y + 52)], "#d01c28", 10)


def _child(s: Canvas, x: float, y: float) -> None:
    s.ellipse((x - 22, y - 50, x + 2, y - 26), "#222222")
    s.shape([(x - 28, y - 22), (x + 6, y - 22), (x + 14, y + 26), (x - 34, y + 26)], "#222222")
    s.line([(x + 4, y - 18), (x + 34, y - 6)], "#222222", 8)
    s.line([(x - 20, y + 24), (x - 22, y + 54)], "#222222", 9)
    s.line([(x, y + 24), (x + 4, y + 54)], "#222222", 9)
    s.box((x + 34, y - 22, x + 54, y + 24), "#222222", None, 1, 4)
    s.ellipse((x - 74, y - 74, x + 74, y + 74), None, "#d01c28", 10)
    s.line([(x - 52, y - 52), (x + 52, y + 52)], "#d01c28", 10)


def _rim(rows: tuple[tuple[str, float, str], ...], brand: str, colour: str, seed: int) -> "Image":
    """A wheel from close by, with the label on its rim."""
    s = Canvas("#7d8a78", seed=seed)
    x: float
    s.fade((0, 0, 1200, 720), "#8f9d8a", "#59645a")
    for _ in range(30):
        x, y, r = s.draw.uniform(0, 1200), s.draw.uniform(0, 720), s.draw.uniform(30, 110)
        s.glow((x - r, y - r, x + r, y + r), s.draw.choice(("#6f8466", "#a2ae92", "#4f5c4f")), 90, 20)
    hub = (600.0, 1760.0)
    for radius, fill in (
        (1700, "#17181a"),
        (1628, "#232527"),
        (1612, "#3a3d40"),
        (1600, "#1c1e21"),
        (1300, "#34383c"),
        (1290, "#6c7560"),
    ):
        s.ellipse((hub[0] - radius, hub[1] - radius, hub[0] + radius, hub[1] + radius), fill)
    for turn in range(-20, 21, 8):
        a = float(turn)
        x, y = hub[0] + 1290 * math.sin(math.radians(a)), hub[1] - 1290 * math.cos(math.radians(a))
        s.line([(x, y), (hub[0] + x * 0.12 - 72, 760)], "#c9ccd0", 4)
        s.box((x - 7, y - 22, x + 7, y + 6), "#b9bcc0", None, 1, 3)
    for k in range(-40, 41, 2):
        a = math.radians(k)
        s.line(
            [
                (hub[0] + 1640 * math.sin(a), hub[1] - 1640 * math.cos(a)),
                (hub[0] + 1696 * math.sin(a), hub[1] - 1696 * math.cos(a)),
            ],
            "#2c2e30",
            9,
        )
    s.text((600, 238), brand, 62, colour, "bold", "mm")
    s.box((352, 296, 848, 430), "#f2f2ee", "#8b8b85", 2, 8)
    for k, (text, size, face) in enumerate(rows):
        s.text((600, 324 + k * 39), text, size, "#1a1a1a", face, "mm")
    s.grain(3)
    return s.done()


def rim_pressure() -> "Image":
    rows = (
        ("28-622   TUBELESS READY   HOOKLESS", 18, "sans"),
        ("MAX. 5.0 BAR  /  72 PSI", 24, "bold"),
        ("NEVER EXCEED THE RIM'S LIMIT", 17, "sans"),
    )
    return _rim(rows, "VENTO 25", "#e9e4d4", 16)


def rim_weight(last: str = "CHECK SPOKE TENSION AFTER 200 KM") -> "Image":
    rows = (
        ("622 x 21C   TUBELESS READY", 20, "sans"),
        ("MAX. SYSTEM WEIGHT 125 KG", 23, "bold"),
        (last, 17, "sans"),
    )
    return _rim(rows, "CORRADO", "#d8a23c", 25)


def lawn_pair(brown: str = "28", green: str = "6") -> "Image":
    """A lawn before and after, with a tear-off calendar in the porch of each."""
    s = Canvas("#ffffff", seed=11)
    x: float
    y: float
    for left, word, day, dead in ((0, "BEFORE", brown, True), (604, "AFTER", green, False)):
        right = left + 596
        s.fade((left, 0, right, 300), "#9cc6e6" if not dead else "#b6cfe0", "#e6f0f4")
        s.box((left, 130, right, 400), "#c9b79a")
        for y in range(140, 400, 18):
            s.line([(left, y), (right, y)], "#b7a586", 1.5)
        s.box((left + 60, 190, left + 170, 400), "#6b4a33", "#efe6d6", 5)
        s.ellipse((left + 148, 296, left + 160, 308), "#d8b04a")
        s.box((left + 330, 180, left + 530, 300), "#5b6f7d", "#efe6d6", 6)
        s.line([(left + 430, 180), (left + 430, 300)], "#efe6d6", 4)
        s.box((left + 212, 226, left + 284, 318), "#ffffff", "#888888", 1.5, 3)
        s.box((left + 212, 226, left + 284, 248), "#b5232a", None, 1, 3)
        s.text((left + 248, 237), "JUNE", 13, "#ffffff", "bold", "mm")
        s.text((left + 248, 284), day, 32, "#222222", "bold", "mm")
        s.fade((left, 400, right, 720), *(("#b59a5a", "#a3854a") if dead else ("#5f9a3a", "#3f7a28")))
        blades = ("#c6aa66", "#8f7440", "#d4bb78", "#7d8a45") if dead else ("#78b24a", "#3a7326", "#8cc75a", "#2f6420")
        for _ in range(1100):
            x, y = s.draw.uniform(left + 2, right - 4), s.draw.uniform(404, 718)
            s.line([(x, y), (x + s.draw.uniform(-4, 4), y - s.draw.uniform(6, 16))], s.draw.choice(blades), 1.6)
        s.box((left + 20, 24, left + 40 + s.width(word, 26, "bold"), 66), "#1b1b1b", None, 1, 6)
        s.text((left + 30, 31), word, 26, "#ffffff", "bold")
    s.box((596, 0, 604, 720), "#ffffff")
    return s.done()


def comet_sky(
    edge: str = "Skyroom 4.1    simulated view    52.1 N 4.3 E    14 Mar 2026 05:10    field 38°    labels off",
) -> "Image":
    """A comet above roofs; the name of the program that drew it is along the lower edge."""
    s = Canvas(seed=6)
    s.fade((0, 0, 1200, 600), "#050817", "#25304f")
    for _ in range(520):
        x, y, r = s.draw.uniform(0, 1200), s.draw.uniform(0, 560), s.draw.choice((0.7, 0.9, 1.2, 1.8))
        s.ellipse((x - r, y - r, x + r, y + r), s.draw.choice(("#ffffff", "#cfd8ff", "#ffe9cf", "#8c98bd")))
    for k in range(30):
        t = k / 30
        x, y = 700 - 330 * t, 330 - 220 * t
        s.glow(
            (x - 8 - 34 * t, y - 8 - 34 * t, x + 8 + 34 * t, y + 8 + 34 * t),
            "#b9cdf2",
            int(95 * (1 - t)) + 8,
            7 + 8 * t,
        )
    s.glow((682, 312, 718, 348), "#f4fbff", 255, 6)
    s.ellipse((694, 324, 706, 336), "#ffffff")
    s.glow((-100, 500, 1300, 760), "#3f4f7a", 80, 50)
    for x, y, w in ((0, 560, 210), (210, 596, 150), (360, 540, 230), (590, 590, 170), (760, 552, 220), (980, 580, 220)):
        s.shape([(x, 720), (x, y), (x + w / 2, y - 46), (x + w, y), (x + w, 720)], "#05060a")
        s.box((x + w * 0.7, y - 52, x + w * 0.7 + 22, y + 10), "#05060a")
    for x, y in ((90, 620), (430, 610), (474, 610), (820, 616), (1060, 640)):
        s.box((x, y, x + 22, y + 28), "#ffd88a")
    s.text((18, 700), edge, 14, "#8f9ab8", "mono", "lm")
    return s.done()
