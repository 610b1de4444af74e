"""Which lines an observation holds."""

import pytest

from longtrail.browser.observation import tagged
from longtrail.browser.observation_budget import LONGEST, PageLine, ScrollState, left_out, lines_of, quarter, window


def column(number: int, word: str = "line", height: int = 20, first: int = 0) -> list[PageLine]:
    return [PageLine(first + n * height, first + (n + 1) * height, f"{word} {n:03d}") for n in range(number)]


def test_all_where_it_fits() -> None:
    seen = window(column(5), 720, 100, quarter)
    assert seen.text.splitlines() == [f"line {n:03d}" for n in range(5)]
    assert not seen.truncated


def test_on_screen_first_then_below() -> None:
    lines = column(40, "left") + column(100, "right", first=-200)
    seen = window(lines, 720, 257, quarter)
    shown = seen.text.splitlines()
    assert [line for line in shown if line.startswith("left")] == [f"left {n:03d}" for n in range(36)]
    assert "right 009" not in shown
    assert "right 010" in shown
    assert "... 14 lines left out here; scroll" in shown
    assert shown[-1].startswith("... truncated, ")
    assert quarter(seen.text) <= 257


def test_what_is_above_is_counted() -> None:
    seen = window(column(100, first=-500), 720, 150, quarter)
    assert sum(map(left_out, seen.text.split("\n"))) == 100 - seen.shown
    assert seen.text.splitlines()[0] == "... 25 lines above; scroll up"
    assert seen.truncated


def test_long_lines_are_cut() -> None:
    lines = lines_of([[0, 20, "word " * 1000]])
    assert all(len(line.text) <= LONGEST for line in lines)
    assert " ".join(line.text for line in lines).split() == ["word"] * 1000


def test_one_line_is_always_given() -> None:
    seen = window([PageLine(0, 9, "x" * 2000), PageLine(9, 18, "y")], 720, 60, quarter)
    assert seen.text.startswith("x")
    assert seen.unseen == 1


def test_reading_turns_over_where_scrolling_cannot_help() -> None:
    reading, lines = ScrollState(), [PageLine(0, 10, f"dense {n:03d} " + "x" * 40) for n in range(60)]
    seen: list[str] = []
    for _ in range(60):
        text = reading.look(lines, 720, 200, quarter, True).text
        seen += [word for word in text.split() if word.isdigit() and len(word) == 3]
        assert reading.distance("down") == 0
        if not reading.turn("down"):
            break
    assert seen == [f"{n:03d}" for n in range(60)]
    assert reading.turn("up")


@pytest.mark.parametrize(
    ("top", "text", "told"),
    [
        (10, ' [1] link "Offers"', ' [1] link "Offers" (clickable, visible)'),
        (900, ' [1] link "Offers"', ' [1] link "Offers" (clickable)'),
        (-60, '[2] textbox "Name": "x" (focused)', '[2] textbox "Name": "x" (focused)'),
        (700, '[2] textbox "Name"', '[2] textbox "Name" (visible)'),
        (10, ' heading "Offers" level=1', ' heading "Offers" level=1'),
        (10, ' See [3] link "here".', ' See [3] link "here".'),
    ],
)
def test_tags(top: int, text: str, told: str) -> None:
    assert [line.text for line in tagged([PageLine(top, top + 20, text)], 720)] == [told]
