"""Labels of the set-of-marks screenshot."""

import io
import random
from collections.abc import Callable
from itertools import pairwise

from PIL import Image

from longtrail.browser.session import Session
from longtrail.browser.set_of_marks import HEIGHT, LabelPlacement, SetOfMarks


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
