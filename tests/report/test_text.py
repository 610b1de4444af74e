"""Text: invisible characters become visible, no control codes reach a terminal, only safe addresses become links."""

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from longtrail.report.text import clip, page_link, plain, visible, web_link
from tests.report.payloads import PAYLOADS


def test_control_and_bidirectional_characters_become_marks_and_letters_stay() -> None:
    assert visible("a\x1b[31m\u202eb\x00") == "a␛[31m⟨U+202E⟩b␀"
    text = "one\n\ttwo  naïve 東京 👩\u200d💻 می\u200cخواهم"
    assert visible(text) == text
    assert visible("a\r\nb") == "a\nb"


@given(st.text())
def test_nothing_dangerous_is_left_for_a_page(text: str) -> None:
    shown = visible(text)
    assert not {c for c in shown if unicodedata.category(c) in ("Cc", "Cs") and c not in "\n\t"}
    assert not {c for c in shown if unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI")}


@given(st.text())
def test_a_terminal_gets_one_line_without_codes(text: str) -> None:
    assert not {c for c in plain(text) if unicodedata.category(c) in ("Cc", "Cs")}


def test_terminal_sequences_go_with_what_they_carry_and_clip_keeps_to_its_limit() -> None:
    assert plain("\x1b[31mred\x1b[0m \x1b]8;;https://evil.test\x07link\x1b]8;;\x07\nnext \x9b2Jx") == "red link next x"
    assert clip("abcdef", 6) == "abcdef"
    assert clip("abc defgh", 5) == "abc…"
    assert len(clip("A" * 10_000, 80)) == 80


HONEST = ("https://www.ikea.com/us/en/", "http://shopadmin.test/admin/?a=1&b=%20#top", "https://x.test:8443/a(b),c")
STRANGE = (
    "https://", "https:///path", "https://x.test:99999999/", "https://x.test:port/", "https://[::1]/",
    "https://аpple.com/", "https://x.test/\u202e", "https://x.test\\@evil.test/", "ftp://x.test/", "about:blank",
    " https://x.test/", "https://x.test/" + "a" * 4_000,
)  # fmt: skip


def test_only_honest_addresses_are_links() -> None:
    assert [web_link(url) for url in HONEST] == [*HONEST]
    assert [url for url in (*PAYLOADS, *STRANGE) if web_link(url) is not None] == []


def test_only_pages_below_are_linked() -> None:
    assert page_link("traces/steam_dota_dlc-150k-r0.html") == "traces/steam_dota_dlc-150k-r0.html"
    outside = (
        "",
        "/etc/x.html",
        "../x.html",
        "a/../../x.html",
        "javascript:x.html",
        "//evil/x.html",
        "x.exe",
        "a?b.html",
    )
    assert [href for href in [*outside, "a?b.html"] if page_link(href) is not None] == []
