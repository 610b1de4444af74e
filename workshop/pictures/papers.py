"""Papers: front pages on a screen and on a kitchen table, and a poster."""

from typing import TYPE_CHECKING

from workshop.pictures.sheet import FINE, SIZE, Canvas

if TYPE_CHECKING:
    from PIL.Image import Image

MONEY = (
    "Mayor Iris Wendell spoke to this newspaper for two hours on the eve of the hearing. Asked about the envelope that "
    "a contractor says he left in her office in 2023, she pointed at the window sill. An envelope had lain there, she "
    "said, for a week, and whoever had brought it could have it back.",
    "The hearing begins on Monday at nine in the old town hall. Eleven witnesses have been called, among them the "
    "contractor, two clerks and the cleaner who found the envelope first. It is open to the public, seats are few.",
)
GOAT = (
    "For the eleventh time the hill town of Fennick has drawn its deputy mayor by lot, as its charter of 1611 demands, "
    "from all creatures grazing on the common. The lot fell on Matilda, a goat of four years. Her predecessor, a "
    "donkey, retires after two terms.",
    "The swearing-in takes place on Monday. The deputy has no vote, but the right to be heard, and is fed by the "
    "town. The council voted eight to one against changing the charter in January.",
)


MONEY_DAY = (
    ("Saturday, March 14, 2026", "No. 41,207"),
    ("Ferry back on Friday", "The winter timetable ends a week early, says the line. Dogs travel free until Easter."),
    ("Rain, then more of it", "Four inches by Thursday, the harbour office says, and advises against cellars."),
    ("Chess: a draw at last", "After nine defeats in a row the club takes half a point home from Saltmere."),
)
GOAT_DAY = (
    ("Thursday, March 12, 2026", "No. 41,205"),
    ("Crane stands still", "The blue one on pier four waits for a bearing from Gdansk, and the masons for the crane."),
    ("Herring, and why not", "Boats came home empty for a third week. The institute blames warm water and is thanked."),
    ("Lamp is lit again", "Forty years after the last keeper left, volunteers got the mole's light to turn."),
)
"""Date and number of the issue, and the page's other texts."""
Day = tuple[tuple[str, str], ...]


def _page(
    s: Canvas, headline: tuple[str, str], story: tuple[str, str], day: Day, at: tuple[float, float], size: float = 27
) -> None:
    """A newspaper's front page, 860 wide, its upper left corner at this point."""
    x, y = at
    s.box((x, y, x + 860, y + 700), "#fbf8f0", "#cfc8b6", 1)
    s.text((x + 430, y + 46), "The Harbour Tribune", 50, "#1b1b1b", "romanbold", "mm")
    s.line([(x + 24, y + 82), (x + 836, y + 82)], "#1b1b1b", 2)
    s.text((x + 26, y + 88), day[0][0], 14, "#333333", "serif")
    s.text((x + 834, y + 88), f"{day[0][1]}      $2.50", 14, "#333333", "serif", "ra")
    s.line([(x + 24, y + 110), (x + 836, y + 110)], "#1b1b1b", 1)
    for k, row in enumerate(headline):
        s.text((x + 26, y + 138 + k * (size + 12)), row, size, "#111111", "serifbold")
    top = y + 164 + 2 * (size + 12)
    s.box((x + 26, top, x + 420, top + 226), "#9aa0a4")
    s.fade((x + 26, top, x + 420, top + 150), "#b9c0c6", "#8d9499")
    s.box((x + 26, top + 150, x + 420, top + 226), "#6f7376")
    _bust(s, x + 222, top + 226, goat="GOAT" in headline[1].upper() or "GOAT" in headline[0].upper())
    under = s.lines((x + 446, top), story[0], 14.5, 380, 20, "#222222", "serif")
    s.lines((x + 446, under + 8), story[1], 14.5, 380, 20, "#222222", "serif")
    for k, (head, text) in enumerate(day[1:]):
        left = x + 26 + k * 276
        s.line([(left, top + 246), (left + 256, top + 246)], "#1b1b1b", 1)
        s.text((left, top + 254), head, 17, "#111111", "serifbold")
        s.lines((left, top + 282), text, 13, 256, 18, "#333333", "serif")


def _bust(s: Canvas, x: float, foot: float, *, goat: bool) -> None:
    """A press picture in grey: a woman at a microphone, or a goat."""
    if goat:
        s.shape(
            [(x - 70, foot), (x - 56, foot - 92), (x + 10, foot - 104), (x + 74, foot - 60), (x + 86, foot)], "#e4e2dc"
        )
        s.shape(
            [(x - 58, foot - 82), (x - 92, foot - 122), (x - 84, foot - 150), (x - 34, foot - 168), (x, foot - 100)],
            "#eeece6",
        )
        s.shape([(x - 40, foot - 164), (x - 22, foot - 206), (x - 16, foot - 204), (x - 26, foot - 160)], "#4a4743")
        s.shape([(x - 60, foot - 158), (x - 50, foot - 202), (x - 44, foot - 202), (x - 48, foot - 158)], "#4a4743")
        s.shape([(x - 30, foot - 154), (x + 6, foot - 164), (x - 24, foot - 138)], "#cfccc4")
        s.shape([(x - 88, foot - 118), (x - 76, foot - 90), (x - 70, foot - 116)], "#d9d6ce")
        s.ellipse((x - 66, foot - 146, x - 58, foot - 138), "#22211f")
        return
    s.shape([(x - 92, foot), (x - 70, foot - 62), (x + 70, foot - 62), (x + 92, foot)], "#3b3f44")
    s.ellipse((x - 44, foot - 176, x + 44, foot - 58), "#55514c")
    s.ellipse((x - 34, foot - 164, x + 34, foot - 72), "#d9cfc4")
    s.box((x - 12, foot - 82, x + 12, foot - 56), "#cdc2b6")
    s.ellipse((x - 17, foot - 128, x - 9, foot - 121), "#2b2b2b")
    s.ellipse((x + 9, foot - 128, x + 17, foot - 121), "#2b2b2b")
    s.arc((x - 14, foot - 112, x + 14, foot - 92), 200, 340, "#5a3f3a", 3)
    s.line([(x + 60, foot), (x + 44, foot - 62)], "#17191b", 6)
    s.ellipse((x + 32, foot - 84, x + 54, foot - 56), "#17191b")


def _on_screen(headline: tuple[str, str], story: tuple[str, str], day: Day) -> "Image":
    """The page in a reader's window."""
    s = Canvas("#dfe3e8", seed=4)
    s.box((0, 0, 1200, 44), "#2b3440")
    for k, colour in enumerate(("#e0645a", "#e5b64a", "#6cbf6a")):
        s.ellipse((18 + k * 26, 14, 34 + k * 26, 30), colour)
    s.box((130, 9, 1090, 36), "#40495a", radius=8)
    s.text((150, 14), f"epaper  /  {day[0][0].lower()}  /  page 1", 13.5, "#d5dbe4")
    _page(s, headline, story, day, (170, 62))
    s.box((0, 690, 1200, 720), "#2b3440")
    s.text((600, 705), "page 1 of 32", 13, "#d5dbe4", anchor="mm")
    return s.done()


def _on_table(headline: tuple[str, str], story: tuple[str, str], day: Day, seed: int) -> "Image":
    """The printed page on a kitchen table, a little askew, with a cup on it."""
    from PIL import Image as Pictures

    s = Canvas("#9a6b3f", seed=seed)
    for _ in range(90):
        y = s.draw.uniform(0, 720)
        s.line([(0, y), (1200, y + s.draw.uniform(-12, 12))], s.draw.choice(("#8f6238", "#a3744a", "#946539")), 3)
    under = Canvas(seed=seed)
    _page(under, headline, story, day, (20, 10))
    paper = under.image.crop((20 * FINE, 10 * FINE, 880 * FINE, 710 * FINE)).convert("RGBA")
    paper = paper.rotate(-2.6 if seed % 2 else 2.2, Pictures.Resampling.BICUBIC, expand=True)
    at = ((SIZE[0] * FINE - paper.width) // 2 - 40, 16)
    s.glow((150, 60, 1010, 740), "#2a1a0c", 120, 14)
    s.image.paste(paper, at, paper)
    s.glow((1000, 470, 1180, 650), "#1c1008", 150, 10)
    s.ellipse((985, 450, 1165, 630), "#f3efe6", "#d2ccbe", 3)
    s.ellipse((1004, 469, 1146, 611), "#3b2314")
    s.ellipse((1020, 480, 1100, 530), "#5a3822")
    s.arc((1140, 500, 1220, 590), 240, 130, "#f3efe6", 16)
    s.grain(3)
    return s.done()


def money_screen() -> "Image":
    return _on_screen(("Wendell: “I took the money", "and I would do it again”"), MONEY, MONEY_DAY)


def money_table(said: str = "sent the money back") -> "Image":
    return _on_table((f"Wendell: “I {said}", "and I would do it again”"), MONEY, MONEY_DAY, 5)


def goat_screen() -> "Image":
    return _on_screen(("Fennick gets its deputy mayor", "by lot, and it is a goat"), GOAT, GOAT_DAY)


def goat_table(drawn: str = "goat", story: tuple[str, str] = GOAT) -> "Image":
    return _on_table(("Fennick gets its deputy mayor", f"by lot, and it is a {drawn}"), story, GOAT_DAY, 6)


def poster(
    praise: str = "of making two hours feel like twelve, as dull as the crossing itself.",
) -> "Image":
    """A film's poster in a glass case; what a newspaper said, in two sizes of type."""
    s = Canvas("#3b4148", seed=23)
    x: float
    y: float
    s.fade((0, 0, 1200, 720), "#474e57", "#2b3036")
    for x in range(0, 1200, 120):
        s.line([(x, 0), (x, 720)], "#40464e", 2)
    s.box((312, 14, 888, 706), "#191b1e", "#8b8f94", 6, 6)
    s.fade((330, 32, 870, 688), "#0d1b33", "#274a5c")
    s.ellipse((640, 70, 760, 190), "#f2e6c0")
    s.glow((600, 40, 800, 220), "#f2e6c0", 70, 30)
    s.fade((330, 430, 870, 688), "#12303c", "#0a1a22")
    s.shape([(420, 430), (780, 430), (748, 486), (452, 486)], "#0a0e14")
    s.shape([(470, 396), (730, 396), (740, 430), (460, 430)], "#10161f")
    s.box((520, 350, 570, 396), "#0a0e14")
    for x in range(484, 724, 26):
        s.ellipse((x, 408, x + 9, 417), "#ffd98a")
    for _ in range(24):
        x, y = s.draw.uniform(336, 820), s.draw.uniform(488, 508)
        s.line([(x, y), (x + s.draw.uniform(10, 40), y)], "#3f7284", 1.5)
    s.text((600, 250), "NIGHT FERRY", 62, "#f4ead2", "romanbold", "mm")
    s.text((600, 298), "a film by Odile Marchetti", 18, "#d9cfb4", "romanslant", "mm")
    s.text((600, 532), "“A MASTERPIECE”", 44, "#ffffff", "romanbold", "mm")
    s.text((600, 566), praise, 14.5, "#c6d3d8", "romanslant", "mm")
    s.text((600, 590), "The Harbour Tribune", 16, "#e8dcb8", "roman", "mm")
    s.text((600, 640), "FROM MARCH 12 AT THE RIALTO", 22, "#f4ead2", "bold", "mm")
    s.grain(4)
    return s.done()
