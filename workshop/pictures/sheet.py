"""Sheet: a canvas in the pictures' units (1200 x 720), drawn at twice the size to get smooth edges."""

import itertools
import random
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE = (1200, 720)
"""Width and height of every picture in pixels."""
FINE = 2
"""How many times larger than delivered it is drawn."""
FACES = {
    "sans": "DejaVuSans.ttf",
    "bold": "DejaVuSans-Bold.ttf",
    "slant": "DejaVuSans-Oblique.ttf",
    "mono": "DejaVuSansMono.ttf",
    "monobold": "DejaVuSansMono-Bold.ttf",
    "serif": "DejaVuSerif.ttf",
    "serifbold": "DejaVuSerif-Bold.ttf",
    "serifslant": "DejaVuSerif-Italic.ttf",
    "roman": "STIXGeneral.ttf",
    "romanbold": "STIXGeneralBol.ttf",
    "romanslant": "STIXGeneralItalic.ttf",
}
"""Fonts that matplotlib includes."""
Point = tuple[float, float]
Box = tuple[float, float, float, float]


@lru_cache(maxsize=256)
def font(face: str, size: float) -> Any:
    """A font at this size in the delivered picture."""
    import matplotlib
    from PIL import ImageFont

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return ImageFont.truetype(folder / FACES[face], round(size * FINE), layout_engine=ImageFont.Layout.BASIC)


class Canvas:
    """One picture while it is drawn. All coordinates are those of the delivered picture."""

    def __init__(self, paper: str = "#ffffff", seed: int = 0) -> None:
        from PIL import Image, ImageDraw

        self.image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), paper)
        self._pen = ImageDraw.Draw(self.image)
        self.draw = random.Random(seed)  # noqa: S311 (a seeded drawing, no secret)

    def box(
        self, box: Box, fill: str | None = None, edge: str | None = None, width: float = 1, radius: float = 0
    ) -> None:
        """A rectangle, with round corners where `radius` is given."""
        if radius:
            self._pen.rounded_rectangle(_fine(box), radius * FINE, fill, edge, round(width * FINE))
        else:
            self._pen.rectangle(_fine(box), fill, edge, round(width * FINE))

    def ellipse(self, box: Box, fill: str | None = None, edge: str | None = None, width: float = 1) -> None:
        self._pen.ellipse(_fine(box), fill, edge, round(width * FINE))

    def arc(self, box: Box, start: float, end: float, fill: str, width: float = 1) -> None:
        self._pen.arc(_fine(box), start, end, fill, round(width * FINE))

    def line(self, points: Sequence[Point], fill: str, width: float = 1) -> None:
        self._pen.line([(x * FINE, y * FINE) for x, y in points], fill, round(width * FINE), joint="curve")

    def dashes(self, points: Sequence[Point], fill: str, width: float, dash: float, gap: float) -> None:
        """A polyline through these points."""
        left, on = dash, True
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
            done = 0.0
            while done < length:
                step = min(left, length - done)
                a, b = done / length, (done + step) / length
                if on:
                    piece = [(x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (a, b)]
                    self.line(piece, fill, width)
                done, left = done + step, left - step
                if left <= 1e-6:
                    on = not on
                    left = dash if on else gap

    def shape(
        self, points: Iterable[Point], fill: str | None = None, edge: str | None = None, width: float = 1
    ) -> None:
        """A polygon."""
        self._pen.polygon([(x * FINE, y * FINE) for x, y in points], fill, edge, round(width * FINE))

    def text(
        self,
        at: Point,
        text: str,
        size: float,
        fill: str = "#202020",
        face: str = "sans",
        anchor: str = "la",
        turn: float = 0.0,
    ) -> None:
        """Words. `anchor` as Pillow names it (`mm`: the middle is at this point); `turn`: degrees about that point."""
        where = (at[0] * FINE, at[1] * FINE)
        if not turn:
            self._pen.text(where, text, fill, font(face, size), anchor=anchor)
            return
        from PIL import Image, ImageDraw

        mask = Image.new("L", self.image.size, 0)
        ImageDraw.Draw(mask).text(where, text, 255, font(face, size), anchor=anchor)
        self.image.paste(fill, (0, 0), mask.rotate(turn, Image.Resampling.BICUBIC, center=where))

    def width(self, text: str, size: float, face: str = "sans") -> float:
        """How wide these words are."""
        return float(font(face, size).getlength(text)) / FINE

    def lines(
        self, at: Point, text: str, size: float, wide: float, step: float, fill: str = "#202020", face: str = "sans"
    ) -> float:
        """Draw a paragraph in a column and return where the next one may begin."""
        x, y = at
        row = ""
        for word in [*text.split(), ""]:
            longer = f"{row} {word}".strip()
            if word and self.width(longer, size, face) <= wide:
                row = longer
                continue
            if row:
                self.text((x, y), row, size, fill, face)
                y += step
            row = word
        return y

    def fade(self, box: Box, top: str, bottom: str) -> None:
        """A gradient from top to bottom."""
        from PIL import Image, ImageOps

        left, up, right, down = (round(edge) for edge in _fine(box))
        ramp = ImageOps.colorize(Image.linear_gradient("L"), top, bottom)
        self.image.paste(ramp.resize((right - left, down - up)), (left, up))

    def glow(self, box: Box, fill: str, strength: int = 160, blur: float = 20) -> None:
        """A soft spot of light, smoke or shadow."""
        from PIL import Image, ImageDraw, ImageFilter

        edge = 3 * blur
        left, top = round(box[0] - edge), round(box[1] - edge)
        size = (round(box[2] + edge) - left, round(box[3] + edge) - top)
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).ellipse((edge, edge, size[0] - edge, size[1] - edge), strength)
        mask = mask.filter(ImageFilter.GaussianBlur(blur)).resize((size[0] * FINE, size[1] * FINE))
        self.image.paste(fill, (left * FINE, top * FINE), mask)

    def soften(self, box: Box, blur: float) -> None:
        """Blur a part, as a lens blurs distant things."""
        from PIL import ImageFilter

        corners = tuple(round(edge) for edge in _fine(box))
        part = self.image.crop(corners)  # type: ignore[arg-type]
        self.image.paste(part.filter(ImageFilter.GaussianBlur(blur * FINE)), corners[:2])  # type: ignore[arg-type]

    def mirror(self, box: Box, at: float, strength: float, tint: str) -> None:
        """Mirror the content of `box` at the height `at`, as in water of this tint."""
        from PIL import Image, ImageFilter, ImageOps

        corners = tuple(round(edge) for edge in _fine(box))
        part = ImageOps.flip(self.image.crop(corners)).filter(ImageFilter.GaussianBlur(5 * FINE))  # type: ignore[arg-type]
        water = Image.blend(part, Image.new("RGB", part.size, tint), strength)
        self.image.paste(water, (corners[0], round(at * FINE)))

    def grain(self, strength: int = 6) -> None:
        """A camera's noise, the same each time."""
        from PIL import Image

        small = Image.frombytes("L", (SIZE[0] // 2, SIZE[1] // 2), self.draw.randbytes(SIZE[0] * SIZE[1] // 4))
        noise = small.resize(self.image.size).convert("RGB")
        self.image.paste(Image.blend(self.image, noise, strength / 255))
        from PIL import ImageDraw

        self._pen = ImageDraw.Draw(self.image)

    def done(self) -> "Image":
        """The picture at the delivered size."""
        from PIL import Image

        return self.image.resize(SIZE, Image.Resampling.LANCZOS)


def _fine(box: Box) -> Box:
    left, top, right, bottom = box
    return (left * FINE, top * FINE, right * FINE, bottom * FINE)
