"""The set-of-marks screenshot: its labels, and which part of each picture of 400 x 200 pixels it shows, how large."""

import io
import random
from collections.abc import Callable
from itertools import pairwise

import pytest
from PIL import Image

from longtrail.browser.session import Session
from longtrail.browser.set_of_marks import HEIGHT, LabelPlacement, SetOfMarks
from longtrail.records.observation import ShownPicture


def overlap(one: tuple[int, int, int, int], two: tuple[int, int, int, int]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def test_labels_never_cover_each_other_where_there_is_room() -> None:
    chance = random.Random(7)
    frames = [(x, y, x + chance.randint(14, 60), y + 18) for x in range(5, 1200, 70) for y in range(5, 700, 32)][:250]
    places = LabelPlacement(frames, (1280, 720))
    labels = []
    for number, frame in enumerate(frames, 1):
        width = 7 * len(str(number)) + 5
        x, y = places.take(frame, width)
        label = (x, y, x + width, y + HEIGHT)
        assert 0 <= x <= 1280 - width
        assert 0 <= y <= 720 - HEIGHT
        assert not any(overlap(label, other) for other in labels)
        near = (frame[0] - width - 1, frame[1] - 2 * HEIGHT - 1, frame[2] + width + 1, frame[3] + 2 * HEIGHT + 1)
        assert overlap(label, near)
        labels.append(label)


def test_equal_pictures_have_equal_bytes() -> None:
    out = io.BytesIO()
    Image.new("RGB", (1280, 720), "white").save(out, "JPEG")
    marks = [(3, 10, 10, 90, 40), (4, -5, 700, 50, 800)]
    first, second = (SetOfMarks(marks, (1280, 720)).draw(out.getvalue()) for _ in range(2))
    assert first == second
    assert first != out.getvalue()


def test_screenshot_shows_what_can_be_clicked(open_page: Callable[..., Session]) -> None:
    session = open_page(
        "<button style='position:absolute;left:300px;top:200px;width:90px;height:40px'>Go</button>", screenshot=True
    )
    image = session.observe().image
    assert image is not None
    picture = Image.open(io.BytesIO(image)).convert("L")
    assert picture.size == (1280, 720)
    row = [picture.getpixel((x, 220)) for x in range(280, 410)]
    assert max(abs(int(a) - int(b)) for a, b in pairwise(row) if isinstance(a, int)) > 60  # the frame's edge
    assert picture.getpixel((301, 187)) < 200  # the label above its corner
    assert picture.getpixel((600, 500)) > 250


Open = Callable[..., Session]
PICTURE = "<img src=/picture.png alt='' style='display:block;{style}'>"


def shown(open_page: Open, markup: str) -> tuple[ShownPicture, ...]:
    return open_page(markup, screenshot=True).observe().observation.pictures


@pytest.mark.parametrize(("width", "scale"), [(400, 1.0), (100, 0.25), (800, 2.0)])
def test_the_scale_is_that_of_the_drawing(open_page: Open, width: int, scale: float) -> None:
    (picture,) = shown(open_page, PICTURE.format(style=f"width:{width}px"))
    assert picture.url.endswith("/picture.png")
    assert (picture.scale, picture.left, picture.top, picture.right, picture.bottom) == (scale, 0, 0, 1, 1)


def test_what_is_cut_off_counts_by_its_share(open_page: Open) -> None:
    below = "<body style='margin:0'><div style='height:620px'></div>"
    (picture,) = shown(open_page, below + PICTURE.format(style=""))
    assert (picture.top, picture.bottom) == (0, 0.5)
    held = "<div style='width:100px;height:200px;overflow:hidden'>{}</div>"
    (picture,) = shown(open_page, held.format(PICTURE.format(style="")))
    assert (picture.left, picture.right) == (0, 0.25)


@pytest.mark.parametrize(
    "markup",
    [
        PICTURE.format(style="width:60px"),
        PICTURE.format(style="visibility:hidden"),
        PICTURE.format(style="opacity:0"),
        "<div style='height:2000px'></div>" + PICTURE.format(style=""),
        PICTURE.format(style="") + "<div style='position:fixed;inset:0;background:white'>A curtain</div>",
        "<img src=/nothing alt='' width=400 height=200>",
    ],
    ids=["tiny", "hidden", "transparent", "far below", "behind a curtain", "not there"],
)
def test_what_cannot_be_seen_is_not_shown(open_page: Open, markup: str) -> None:
    assert shown(open_page, markup) == ()


def test_without_a_screenshot_there_are_none(open_page: Open) -> None:
    assert open_page(PICTURE.format(style="")).observe().observation.pictures == ()
