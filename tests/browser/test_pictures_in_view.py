"""Which pictures a screenshot shows, how large, and which part of each. The picture is 400 x 200 pixels."""

from collections.abc import Callable

import pytest

from longtrail.browser.session import Session
from longtrail.records.observation import ShownPicture

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
