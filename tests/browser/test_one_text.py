"""A page always gives the same text, however often it is opened and however busy the machine is. For 200 loads of each
kind of page, and of all sites: `python -m benchmarks.repeated_looks`."""

from collections.abc import Iterator

import pytest

from benchmarks.busy_machine import busy
from benchmarks.repeated_looks import ADDRESSES, DRAWING_ADDRESS, Looker, looker

LOADS = 4
SOME = [url for url in ADDRESSES if url.startswith((DRAWING_ADDRESS[:21], "https://www.google.com/", "https://duck"))]


@pytest.fixture(scope="module")
def looks() -> Iterator[Looker]:
    with looker() as looks:
        yield looks


@pytest.mark.sampled(8, ci=4)
@pytest.mark.parametrize("url", SOME)
def test_a_page_is_one_text(looks: Looker, url: str) -> None:
    with busy(2):
        assert len(looks.texts(url, LOADS)) == 1


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("focus-on-a-long-page", "focused"),
        ("frame", "drawn"),
        ("seen", "seen"),
        ("fetched-when-seen", "fetched words"),
    ],
)
def test_what_the_first_frame_brings_is_seen(looks: Looker, page: str, words: str) -> None:
    (text,) = looks.texts(DRAWING_ADDRESS % page, 2)
    assert words in text
