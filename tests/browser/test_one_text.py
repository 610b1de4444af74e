"""A page always gives the same text, however often it is opened and however busy the machine is. For 200 loads of each
kind of page, and of all sites: `python -m benchmarks.repeated_looks`."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil
import pytest

from benchmarks.busy_machine import busy
from benchmarks.repeated_looks import ADDRESSES, DRAWING_ADDRESS, Looker, looker

LOADS = 4
SOME = [url for url in ADDRESSES if url.startswith((DRAWING_ADDRESS[:21], "https://www.google.com/", "https://duck"))]


@pytest.fixture(scope="module")
def looks() -> Iterator[Looker]:
    with looker() as looks:
        yield looks


@pytest.mark.sampled(8)
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


def drawing_processes() -> Iterator[psutil.Process]:
    for each in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--type=gpu-process" in " ".join(each.cmdline()):
                yield each


@contextmanager
def drawing_late(seconds: float = 0.2) -> Iterator[None]:
    """The browsers' drawing processes stand still at first, as on a busy machine."""
    drawing = list(drawing_processes())
    assert drawing
    for each in drawing:
        each.send_signal(signal.SIGSTOP)
    on = threading.Timer(seconds, lambda: [each.send_signal(signal.SIGCONT) for each in drawing])
    on.start()
    try:
        yield
    finally:
        on.join()


@pytest.mark.skipif(sys.platform == "win32", reason="processes can't be stopped")
def test_a_late_frame_is_waited_for_with_what_it_brings(looks: Looker) -> None:
    looks.texts(DRAWING_ADDRESS % "focus", 1)
    for _ in range(4):
        with drawing_late():
            (text,) = looks.texts(DRAWING_ADDRESS % "fetched-when-seen", 1)
        assert "fetched words" in text
