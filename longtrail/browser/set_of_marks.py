"""Set of marks: the set-of-marks screenshot. Every interactive element gets a frame and its id. They are drawn outside
of the page, so nothing in the page changes or can detect it.
"""

import io
from collections.abc import Sequence
from functools import cache

from PIL import Image, ImageDraw, ImageFont

from longtrail.records.observation import Box

QUALITY = 60
COLOURS = ("#b3261e", "#0b57d0", "#146c2e", "#8430ce", "#9a4600", "#00639b", "#a8006c", "#4d5b00")
"""Dark enough for white digits on them; neighbours differ."""
HEIGHT = 15
DIGIT = 7
BAND = 32
"""Height of a band in pixels."""
LABEL = 100_000
"""The cost of covering a pixel of another label, relative to one of another frame."""


class SetOfMarks:
    """Frames and labels, placed before the picture is taken."""

    def __init__(self, marks: Sequence[Sequence[int]], size: tuple[int, int]) -> None:
        """`marks`: id, left, top, right, bottom of each; `size` of the picture in pixels."""
        frames = [(number, _clamp((left, top, right, bottom), size)) for number, left, top, right, bottom in marks]
        places = LabelPlacement([frame for _, frame in frames], size)
        self._all = [(number, frame, places.take(frame, _width(number))) for number, frame in frames]

    def draw(self, jpeg: bytes) -> bytes:
        """The screenshot with all frames and labels, as JPEG."""
        picture = Image.open(io.BytesIO(jpeg))
        picture.load()  # no copy: fresh memory costs as much as reading the picture
        pen = ImageDraw.Draw(picture)
        for number, frame, _ in self._all:
            pen.rectangle(frame, outline=_colour(number), width=1)
        for number, _, box in self._all:
            picture.paste(_label(number), box)
        out = io.BytesIO()
        picture.save(out, "JPEG", quality=QUALITY)
        return out.getvalue()


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


@cache
def _font() -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(13)


def _width(number: int) -> int:
    return len(str(number)) * DIGIT + 5


@cache
def _label(number: int) -> Image.Image:
    label = Image.new("RGB", (_width(number), HEIGHT), _colour(number))
    ImageDraw.Draw(label).text((label.width / 2, HEIGHT / 2), str(number), fill="white", font=_font(), anchor="mm")
    return label


def _clamp(frame: Box, size: tuple[int, int]) -> Box:
    width, height = size
    left, top = min(max(frame[0], 0), width - 2), min(max(frame[1], 0), height - 2)
    return left, top, max(min(frame[2], width - 1), left + 1), max(min(frame[3], height - 1), top + 1)


class LabelPlacement:
    """Positions of labels: at their element, not on another label if there is room, and covering as little else as
    possible.

    (Without numpy, which nothing else in a worker needs and which takes 16 MB.)
    """

    def __init__(self, frames: Sequence[Box], size: tuple[int, int]) -> None:
        self._width, self._height = size
        self._frames, self._labels = BoxBands(size[1]), BoxBands(size[1])
        for frame in frames:
            self._frames.add(frame)

    def take(self, frame: Box, width: int) -> tuple[int, int]:
        """Place the label of this frame; returns its upper left corner."""
        near = [(x, y, x + width, y + HEIGHT) for x, y in _corners(frame, width)]
        best, cost = self._best(near)
        if cost >= LABEL:  # no room: a little further away
            best, _ = self._best([(x, y + dy, r, b + dy) for dy in (0, -HEIGHT, HEIGHT) for x, y, r, b in near])
        self._labels.add(best)
        return best[:2]

    def _best(self, boxes: Sequence[Box]) -> tuple[Box, int]:
        """The first candidate with the lowest cost: pixels of frames cost least, labels much more, the picture's edge
        most."""
        inside = [box for box in boxes if min(box) >= 0 and box[2] <= self._width and box[3] <= self._height]
        frames = sorted((self._frames.covered(box), number) for number, box in enumerate(inside))
        best, least = boxes[0], LABEL * LABEL
        for cost, number in frames:
            cost += LABEL * self._labels.covered(inside[number])
            if cost < least:
                best, least = inside[number], cost
            if least < LABEL:
                break  # the others cover more frames
        return best, least


class BoxBands:
    """Boxes in horizontal bands: a label is compared only with boxes of its band."""

    def __init__(self, height: int) -> None:
        self._bands: list[list[Box]] = [[] for _ in range(-(-height // BAND))]

    def add(self, box: Box) -> None:
        """Add a box to every band in which a label that touches it can begin."""
        for band in range(max((box[1] - HEIGHT) // BAND, 0), min(box[3] // BAND, len(self._bands) - 1) + 1):
            self._bands[band].append(box)

    def covered(self, label: Box) -> int:
        """Number of pixels of all boxes that a label covers."""
        x, y, right, bottom = label
        total = 0
        for left, top, end, low in self._bands[y // BAND]:
            if left < right and end > x and top < bottom and low > y:
                total += (min(right, end) - max(x, left)) * (min(bottom, low) - max(y, top))
        return total


def _corners(frame: Box, width: int) -> list[tuple[int, int]]:
    """Candidate positions: outside at the corners, at the sides, then inside."""
    left, top, right, bottom = frame
    return [
        (left, top - HEIGHT),
        (right - width, top - HEIGHT),
        (left - width, top),
        (right, top),
        (left, bottom),
        (right - width, bottom),
        (left, top),
        (right - width, top),
    ]
