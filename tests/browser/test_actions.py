"""What actions do to pages, and what agents are told when an action fails."""

import re
from collections.abc import Callable

import pytest

from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.checks.webcanvas import element_path
from longtrail.records.action import Back, Click, Fill, Goto, Scroll, Select
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click, number_of

Open = Callable[..., Session]


def test_click_a_link(open_page: Open, site: OddSite) -> None:
    session = open_page("/page/links")
    outcome = click(session, "Apply for a plot")
    assert outcome.ok
    assert outcome.target is not None
    assert (outcome.target.role, outcome.target.name) == ("link", "Apply for a plot")
    assert outcome.target.url == outcome.url == site.address + "/page/forms"
    assert outcome.navigations == (site.address + "/page/forms",)
    assert session.observe().observation.title == "Apply for a plot"


def test_a_target_tells_where_it_stood(open_page: Open) -> None:
    session = open_page("<main id=a:b class='w/2 c'><p>One</p><p><a class=x href='#y'>Two</a></p></main>")
    target = click(session, "Two").target
    assert target is not None
    assert target.path.endswith("main#a\\:b.w\\/2.c:nth-child(1)>p:nth-child(2)>a.x:nth-child(1)")
    assert target.path.startswith("html>body")
    assert element_path(target.path, "#a\\:b p > a.x")


def test_fill_types_with_real_events(open_page: Open) -> None:
    session = open_page(
        "<input aria-label=Name value=old><p id=o></p><script>const i=document.querySelector('input'),l=[];"
        "for (const e of ['keydown','beforeinput','input','keyup','change','focus']) "
        "i.addEventListener(e, v => { l.push(e + v.isTrusted); o.textContent = l.join(' ') + ' ' + i.value })</script>"
    )
    outcome = session.act(Fill(id=number_of(session, "Name"), text="Ada Bloom"))
    assert (outcome.ok, outcome.value) == (True, "Ada Bloom")
    text = session.observe().text
    for event in ("keydowntrue", "beforeinputtrue", "inputtrue", "keyuptrue", "focustrue"):
        assert event in text
    assert text.rstrip().endswith("Ada Bloom")


def test_fill_replaces_and_empties(open_page: Open) -> None:
    session = open_page("/page/forms")
    session.act(Fill(id=number_of(session, "Anything else"), text="two\nlines"))
    assert 'value="two ⏎ lines"' in session.observe().text
    session.act(Fill(id=number_of(session, "Anything else"), text=""))
    assert '"Anything else" value=""' in session.observe().text


def test_fill_with_enter_submits(open_page: Open, site: OddSite) -> None:
    session = open_page("/page/forms")
    session.act(Fill(id=number_of(session, "Your name"), text="Ada"))
    outcome = session.act(Fill(id=number_of(session, "E-mail"), text="ada@example.org", enter=True))
    assert outcome.navigations == (site.address + "/page/links",)


def test_enter_in_a_text_area_says_that_it_only_begins_a_line(open_page: Open) -> None:
    session = open_page("/page/forms")
    outcome = session.act(Fill(id=number_of(session, "Anything else"), text="Hello", enter=True))
    assert (outcome.ok, outcome.navigations) == (True, ())
    assert outcome.note == "Enter only began a new line; this field is sent by a button"


def test_fill_dates_colours_and_editable_places(open_page: Open) -> None:
    session = open_page("/page/forms")
    wrong = session.act(Fill(id=number_of(session, '"From"'), text="1 May"))
    assert wrong.error.endswith("takes YYYY-MM-DD, not '1 May'")
    assert session.act(Fill(id=number_of(session, '"From"'), text="2026-05-01")).ok
    assert session.act(Fill(id=number_of(session, "Remarks"), text="All fine")).ok
    text = session.observe().text
    assert 'value="2026-05-01"' in text
    assert '"Remarks" value="All fine"' in text


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("Locked", "or it is read-only: click it, if it opens a choice, or choose another element"),
        ("newsletter", "is no field for text: use click"),
        ("Plot size", "is no field for text: use select"),
        ("Save a draft", "is disabled now; first do what enables it"),
    ],
)
def test_fill_says_what_would_work(open_page: Open, words: str, error: str) -> None:
    session = open_page("/page/forms")
    outcome = session.act(Fill(id=number_of(session, words), text="x"))
    assert not outcome.ok
    assert outcome.error.endswith(error)


def test_select(open_page: Open) -> None:
    session = open_page("/page/forms")
    outcome = session.act(Select(id=number_of(session, "Plot size"), option="  LARGE "))
    assert (outcome.ok, outcome.value) == (True, "Large")
    assert "Size Large" in session.observe().text
    unknown = session.act(Select(id=number_of(session, "Plot size"), option="Huge"))
    assert 'it offers "Any", "Small (under 80 m²)", "Large"' in unknown.error
    taken = session.act(Select(id=number_of(session, "Plot size"), option="Double"))
    assert taken.error.startswith('option "Double" is disabled; it offers "Any"')
    assert "no drop-down list" in session.act(Select(id=number_of(session, "Your name"), option="Ada")).error
    assert "use select" in click(session, "Plot size").error


def test_click_scrolls_to_the_element(open_page: Open) -> None:
    session = open_page("/page/sticky")
    assert click(session, "At the end").ok
    assert session.observe().observation.title == "pressed"


def test_click_in_frames_shadows_and_inner_lists(open_page: Open) -> None:
    for name, words in (
        ("frames", "Refresh"),
        ("frames", "Nested link"),
        ("shadow", "Add to crate"),
        ("offscreen", "Inner link"),
    ):
        assert click(open_page(f"/page/{name}"), words).ok


def test_covered_elements_are_not_clicked(open_page: Open) -> None:
    session = open_page("/page/covered")
    outcome = click(session, "Order")
    assert not outcome.ok
    assert 'is covered by dialog "We use cookies. Accept"' in outcome.error
    assert click(session, "Accept").ok
    assert click(session, "Order").ok


def test_drawn_boxes_and_image_maps(open_page: Open) -> None:
    session = open_page("/page/custom_checkbox")
    for words in ("Fresh water", "Tug to the left"):
        assert click(session, words).ok
    assert "unchecked" not in session.observe().text.replace('"Tug to the right" unchecked', "")
    maps = open_page("/page/links_odd")
    assert click(maps, "North basin").url.endswith("#area")


def test_unknown_and_stale_ids(open_page: Open) -> None:
    session = open_page("<button onclick=this.remove()>Once</button>")
    session.observe()
    assert session.act(Click(id="1")).ok
    assert session.act(Click(id="1")).error == "element 1 is no longer on the page; look again"
    assert session.act(Click(id="77")).error == "there is no element 77 on this page; look again"


def test_ids_are_stable_and_invisible(open_page: Open, chrome: Browser) -> None:
    session = open_page(
        "<button onclick=\"document.body.prepend(document.createElement('hr'))\">A</button><button>B</button>"
    )
    before = session.observe().text
    click(session, "A")
    assert session.observe().text == before + " focused" if before.endswith("A") else True
    assert number_of(session, "B") == "2"
    page = session._async_session._tabs.active.page
    seen = chrome.engine.call(page.evaluate("document.documentElement.outerHTML + Object.keys(window).join()"), 5)
    assert "longtrail" not in seen.lower()


def test_popup_becomes_active_and_back_leaves_it(open_page: Open, site: OddSite) -> None:
    session = open_page("<a href=/page/forms target=_blank>New tab</a>")
    outcome = click(session, "New tab")
    assert outcome.navigations == (site.address + "/page/forms",)
    assert outcome.note == "a new tab was opened and is now the active one"
    assert session.act(Back()).url.startswith(site.address + "/made/")


def test_windows_that_nobody_asked_for_are_blocked(open_page: Open) -> None:
    session = open_page("<script>document.title = open('/page/links') ? 'opened' : 'blocked'</script><p>Text")
    assert session.observe().observation.title == "blocked"
    greedy = open_page("<button onclick=\"for(let i=0;i<9;i++)window.open('/page/links?'+i)\">Go</button>")
    assert click(greedy, "Go").navigations
    assert len(greedy._async_session._tabs.tabs) == 2  # a click may open one window


@pytest.mark.thorough
def test_dozens_of_tabs_and_no_tab(open_page: Open) -> None:
    link = "Object.assign(document.createElement('a'), {href: '/page/links', target: '_blank'}).click()"
    session = open_page(f'<button onclick="for (let i = 0; i < 40; i++) {link}">Flood</button>')
    outcome = click(session, "Flood")
    assert "too many tabs" in outcome.note
    assert len(session._async_session._tabs.tabs) <= 3
    alone = open_page(f"<a href={made_page('<button onclick=window.close()>Leave</button>')} target=_blank>Open</a>")
    click(alone, "Open")
    assert click(alone, "Leave").note == "the tab was closed"
    assert "Open" in alone.observe().text


def test_dialogs_are_answered_and_told(open_page: Open) -> None:
    session = open_page(
        "<button onclick=\"alert('Mind the step'); o.textContent = confirm('Sure?') + ' ' + prompt('Name?')\">"
        "Ask</button>"
        "<p id=o>"
    )
    outcome = click(session, "Ask")
    assert 'dialog (alert): "Mind the step"; answered with OK' in outcome.note
    assert 'dialog (prompt): "Name?"; answered with Cancel' in outcome.note
    view = session.observe()
    assert "true null" in view.text
    assert "Mind the step" in view.observation.note


def test_downloads_choosers_print_and_logins(open_page: Open, site: OddSite) -> None:
    session = open_page(
        "<a href=/file>Get</a><label>Pick<input type=file></label><button onclick=print()>Print</button>"
        "<a href=/login>Staff</a>"
    )
    assert click(session, "Get").note == 'the download of "orders.csv" was blocked'
    assert click(session, "Pick").error.endswith("asks for a file: the task has no files to upload")
    assert click(session, "Print").ok
    assert "is a file to download" in session.act(Goto(url="/file")).error
    click(session, "Staff")  # the password prompt is cancelled; browsers differ in what they show then
    assert re.search("who are you|could not be opened", session.observe().text)
    assert "gave no page" in session.act(Goto(url="/nothing")).error
    pdf = session.act(Goto(url="/pdf"))
    assert "download" in pdf.error + pdf.note
    assert "ERR_TOO_MANY_REDIRECTS; check the address" in session.act(Goto(url="/again")).error
    assert "could not be opened" in session.observe().text
    assert session.act(Back()).ok


def test_scroll_reads_all_of_a_long_page(open_page: Open) -> None:
    rows = "".join(f"<p>Sentence number {n} of the long notice</p>" for n in range(400))
    session = open_page(rows, tokens=300)
    seen, note = set(), ""
    first = session.observe()
    assert first.observation.truncated
    assert re.search(r"\.\.\. truncated, \d+ more lines; scroll$", first.text)
    while "end of the page" not in note:
        view = session.observe()
        assert view.observation.tokens <= 300
        seen |= {int(n) for n in re.findall(r"number (\d+) of", view.text)}
        note = session.act(Scroll()).note
    assert seen == set(range(400))
    assert session.act(Scroll(direction="up")).ok


def test_scroll_reads_dense_pages_and_columns(open_page: Open) -> None:
    left = "".join(f"<p style=margin:0>Left {n} words</p>" for n in range(150))
    right = "".join(f"<span>Right {n} words</span><br>" for n in range(150))
    body = (
        "<style>p,span{font-size:5px;line-height:5px}</style><div style=display:flex>"
        f"<div>{left}</div><div style=height:90px;overflow:auto>{right}</div></div>"
    )
    session = open_page(body, tokens=200)
    seen: set[str] = set()
    for _ in range(80):
        seen |= set(re.findall(r"(?:Left|Right) \d+", session.observe().text))
        if "end of the page" in session.act(Scroll()).note:
            break
    assert seen == {f"{side} {n}" for side in ("Left", "Right") for n in range(150)}


def test_short_pages_are_whole(open_page: Open) -> None:
    session = open_page("/page/sticky")
    assert "At the end" in session.observe().text
    session.act(Scroll())
    assert not session.observe().observation.truncated


def test_equal_pages_have_equal_hashes(open_page: Open) -> None:
    first = open_page("/page/links").observe().observation
    second = open_page("/page/links").observe().observation
    assert first.text == second.text
    assert first.text_hash == second.text_hash
    assert open_page("/page/forms").observe().observation.text_hash != first.text_hash


def test_storage_moves_on_and_nothing_else(chrome: Browser, open_page: Open, site: OddSite) -> None:
    session = open_page("/cookie")
    state = session.storage_state()
    assert "seen before: no" in open_page("/cookie").observe().text
    with chrome.session(storage=state, url_policy=UrlPolicy([site.authority])) as later:
        later.goto(site.address + "/cookie")
        assert "seen before: yes" in later.observe().text
