"""Boxes that scroll by themselves within a page."""

import re
from collections.abc import Callable

import pytest

from longtrail.browser.session import Session
from longtrail.records.action import Scroll
from tests.browser.hands import number_of

Open = Callable[..., Session]


VIRTUAL = """<h1>People</h1>
<div id=v style="height:300px;overflow:auto"><div id=s style="position:relative"></div></div>
<div style="height:420px">below</div><script>const most = 500, high = 30; s.style.height = most * high + "px";
function draw() { const first = Math.floor(v.scrollTop / high); s.innerHTML = "";
  for (let i = first; i < Math.min(most, first + 11); i++) { const b = document.createElement("button");
    b.textContent = "Row " + i; b.style.cssText = "position:absolute;top:" + i * high + "px"; s.append(b) } }
v.onscroll = draw; draw()</script>"""
DIALOG = """<div style="height:3000px">Page</div><div role=dialog aria-label=Names id=v
style="position:fixed;inset:100px;overflow:auto;background:#fff"><div id=l></div></div><script>let n = 0;
function more() { for (let i = 0; i < 20; i++) { const b = document.createElement("button");
  b.style.display = "block"; b.textContent = "Row " + n++; l.append(b) } }
more(); v.onscroll = () => { if (v.scrollTop + v.clientHeight > v.scrollHeight - 30 && n < 100) more() }</script>"""


@pytest.mark.parametrize("page", [VIRTUAL, DIALOG], ids=["virtual list", "list in a dialog"])
@pytest.mark.parametrize("by_id", [True, False])
def test_boxes_are_scrolled(open_page: Open, page: str, by_id: bool) -> None:
    session = open_page(page)
    last = 0
    while last <= 40:
        rows = re.findall(r"\[(\d+)\] button \"Row (\d+)\"", session.observe().text)
        last = max(int(row) for _, row in rows)
        assert session.act(Scroll(id=rows[-1][0] if by_id else "")).note == ""


def test_a_box_says_its_end(open_page: Open) -> None:
    session = open_page(
        "<div style='height:90px;overflow:auto'><button>A</button><p style='height:200px'></div><button>B"
    )
    box, outside = number_of(session, '"A"'), number_of(session, '"B"')
    assert session.act(Scroll(id=box, direction="up")).note == "the box is at its beginning"
    assert session.act(Scroll(id=outside)).error.endswith(
        "is in no box that scrolls; scroll without an id scrolls the page"
    )
    assert session.act(Scroll(id="99")).error == "there is no element 99 on this page; look again"
