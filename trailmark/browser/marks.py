"""Marks: the set-of-marks screenshot. Every element that can be acted on gets a frame and its id, drawn in.

Drawn outside of the page: nothing in the page changes, and nothing there can tell that it was looked at.
"""

import io
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels."""
Boxes = NDArray[Any]

QUALITY = 60
COLOURS = ("#b3261e", "#0b57d0", "#146c2e", "#8430ce", "#9a4600", "#00639b", "#a8006c", "#4d5b00")
"""Dark enough for white digits on them; neighbours differ."""
HEIGHT = 15
DIGIT = 7
LABEL = 100_000
"""How much worse it is to cover a pixel of another label than one of another frame."""


class Marks:
    """Frames and labels, placed before the picture is there."""

    def __init__(self, marks: Sequence[Sequence[int]], size: tuple[int, int]) -> None:
        """`marks`: id, left, top, right, bottom of each; `size` of the picture in pixels."""
        frames = [(number, _clamp((left, top, right, bottom), size)) for number, left, top, right, bottom in marks]
        places = Places([frame for _, frame in frames], size)
        self._all = [(number, frame, places.take(frame, _width(number))) for number, frame in frames]

    def draw(self, jpeg: bytes) -> bytes:
        """The screenshot with all of them drawn in, as JPEG."""
        picture = Image.open(io.BytesIO(jpeg)).convert("RGB")
        pen = ImageDraw.Draw(picture)
        for number, frame, _ in self._all:
            pen.rectangle(frame, outline=_colour(number), width=1)
        for number, _, place in self._all:
            picture.paste(_label(number), place)
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


class Places:
    """Where labels go: at their element, never on another label if there is room, and on as little else as can be."""

    def __init__(self, frames: Sequence[Box], size: tuple[int, int]) -> None:
        self._room = np.array([size[0], size[1], size[0], size[1]])
        self._frames = np.array(frames).reshape(-1, 4)
        self._labels = np.empty((0, 4), dtype=int)

    def take(self, frame: Box, width: int) -> tuple[int, int]:
        """The upper left corner of this frame's label; its place is taken from then on."""
        near = _corners(frame, width)
        boxes = np.array([(x, y, x + width, y + HEIGHT) for x, y in near])
        cost = self._cost(boxes)
        if cost.min() >= LABEL:  # full: a little further off
            boxes = np.concatenate([np.add(boxes, (0, dy, 0, dy)) for dy in (0, -HEIGHT, HEIGHT)])
            cost = self._cost(boxes)
        best = boxes[int(cost.argmin())]
        self._labels = np.vstack([self._labels, best])
        return int(best[0]), int(best[1])

    def _cost(self, boxes: Boxes) -> Boxes:
        """For each place what it would cover: pixels of frames, much more for labels, most for the picture's edge."""
        outside = ((boxes < 0) | (boxes > self._room)).any(axis=1)
        cost: Boxes = _covered(boxes, self._frames) + LABEL * _covered(boxes, self._labels) + LABEL * LABEL * outside
        return cost


def _covered(boxes: Boxes, others: Boxes) -> Boxes:
    """Pixels of the others that lie below each box."""
    left = np.maximum(boxes[:, None, 0], others[None, :, 0])
    top = np.maximum(boxes[:, None, 1], others[None, :, 1])
    right = np.minimum(boxes[:, None, 2], others[None, :, 2])
    bottom = np.minimum(boxes[:, None, 3], others[None, :, 3])
    covered: Boxes = (np.clip(right - left, 0, None) * np.clip(bottom - top, 0, None)).sum(axis=1)
    return covered


def _corners(frame: Box, width: int) -> list[tuple[int, int]]:
    """Outside at the corners, beside, then inside."""
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
