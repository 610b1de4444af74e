"""Members' text becomes HTML with links, and HTML in it stays text."""

import pytest

from longtrail.web.sites.forum.markdown import html
from tests.tables import tables_of
from tests.web.sites.forum.member import Member

TABLES = tables_of(__file__)


@pytest.mark.parametrize(("text", "expected"), TABLES["marked_up_text"])
def test_marked_up_text(text: str, expected: str) -> None:
    assert html(text) == f"<p>{expected}</p>\n"


def test_blocks() -> None:
    text = "# Head\n\none\ntwo\n\n- a\n- b\n\n3. c\n\n> quoted\n> more\n\n```\n<b>\n```\n---"
    assert html(text).replace("\n", " ") == (
        '<h2>Head</h2> <p>one two</p> <ul> <li>a</li> <li>b</li> </ul> <ol start="3"> <li>c</li> </ol> '
        "<blockquote> <p>quoted more</p> </blockquote> <pre><code>&lt;b&gt; </code></pre> <hr> "
    )


def test_markup_in_a_text_stays_text(member: Member) -> None:
    evil = '<script>alert(1)</script> <img src=x onerror=alert(1)> [a](https://x.example/"onclick="y)'
    where = member.send("/submit/space", "", title="<i>t</i>", body=evil, forum="space").headers["location"]
    html = member.get(where).text
    assert "<script" not in html
    assert "<img" not in html
    assert 'onclick="' not in html
    assert "&lt;i&gt;t&lt;/i&gt;" in html
