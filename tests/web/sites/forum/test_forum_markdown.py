"""Members' text becomes blocks and spans, and HTML in it stays text."""

import pytest

from longtrail.web.sites.forum.markdown import Block, InlineSpan, blocks, spans
from tests.tables import tables_of
from tests.web.sites.forum.member import Member

TABLES = tables_of(__file__)


@pytest.mark.parametrize(("text", "expected"), TABLES["spans"])
def test_spans(text: str, expected: list[list[str]]) -> None:
    assert [[span.kind, span.text] for span in spans(text)] == expected


def test_links_to_members_and_wiki_pages() -> None:
    assert spans("u/Dr_Health_CT")[0] == InlineSpan("link", "u/Dr_Health_CT", "/user/Dr_Health_CT")
    assert spans("/w/moderation/claims")[0].target == "/wiki/moderation/claims"


def test_blocks() -> None:
    text = "# Head\n\none\ntwo\n\n- a\n- b\n\n3. c\n\n> quoted\n> more\n\n```\n<b>\n```\n---"
    made = blocks(text)
    assert [block.kind for block in made] == ["h", "p", "ul", "ol", "quote", "code", "hr"]
    assert made[1].spans == (InlineSpan("text", "one two"),)
    assert made[3].level == 3
    assert made[4].blocks == (Block("p", spans=(InlineSpan("text", "quoted more"),)),)


def test_a_list_in_a_list_follows_its_item() -> None:
    (made,) = blocks("- a\n  more\n  - b\n\n- c **d**")
    assert [[span.text for span in item] for item in made.items] == [["a more"], ["b"], ["c ", "d"]]


def test_markup_in_a_text_stays_text(member: Member) -> None:
    evil = '<script>alert(1)</script> <img src=x onerror=alert(1)> [a](https://x.example/"onclick="y)'
    where = member.send("/submit/space", "", title="<i>t</i>", body=evil, forum="space").headers["location"]
    html = member.get(where).text
    assert "<script" not in html
    assert "<img" not in html
    assert 'onclick="' not in html
    assert "&lt;i&gt;t&lt;/i&gt;" in html
