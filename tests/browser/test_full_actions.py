"""What `--actions full` adds: keys, mouse, tabs, dialogs, files, boxes; and what agents are told when one fails."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from longtrail.browser.session import Session
from longtrail.browser.view import Permissions
from longtrail.records.action import Back, Click, Fill, Finish, Goto, Scroll
from longtrail.records.full_actions import (
    AnswerDialog,
    Clear,
    CloseTab,
    DoubleClick,
    Drag,
    Forward,
    Hover,
    Mouse,
    NewTab,
    Press,
    ReadFile,
    RightClick,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click, number_of

Open = Callable[..., Session]
DIALOGS = Permissions(dialogs_wait=True, lists_tabs=True)
LOG = "<p id=log></p><script>const say = text => log.textContent += ' ' + text</script>"


def test_keys_and_mouse_reach_the_elements(open_page: Open) -> None:
    session = open_page(
        f"{LOG}<div role=slider tabindex=0 aria-label=Stars aria-valuenow=1 onkeydown=\"if (event.key === 'ArrowRight')"
        " this.setAttribute('aria-valuenow', +this.getAttribute('aria-valuenow') + 1); say('stars '"
        " + this.getAttribute('aria-valuenow'))\">x</div><input aria-label=Name value=Ada>"
        "<button ondblclick=\"say('twice')\" oncontextmenu=\"say('menu')\">Row</button>"
    )
    stars, name, row = (number_of(session, words) for words in ("Stars", "Name", "Row"))
    refused = session.act(Fill(id=stars, text="3"))
    assert refused.error.endswith("press ArrowRight or ArrowLeft on it (press, with --actions full)")
    assert [session.act(Press(id=stars, keys="ArrowRight")).ok for _ in range(2)] == [True, True]
    assert session.act(DoubleClick(id=row)).target is not None
    assert session.act(RightClick(id=row)).ok
    assert session.act(Clear(id=name)).ok
    session.act(TypeText(text="Bo"))
    session.act(Press(keys="b"))
    text = session.observe().text
    assert "stars 2 stars 3 twice menu" in text
    assert '"Name" value="Bob"' in text
    wrong = session.act(Press(keys="Arrow Right"))
    assert wrong.error.startswith("'Arrow Right' is no key; keys are called Enter")


def test_hovering_shows_what_is_hidden(open_page: Open) -> None:
    session = open_page(
        "<style>.row b, .menu ul {visibility: hidden} .row:hover b, .menu:hover ul {visibility: visible}</style>"
        "<div class=row>Invoice 12 <b><button onclick=\"this.textContent='Gone'\">Delete</button></b></div>"
        "<div class=menu><a href='#m'>More</a><ul><li><a href='#export'>Export</a></ul></div>"
    )
    assert "Delete" not in session.observe().text
    assert session.act(Hover(text="Invoice 12")).ok
    assert click(session, "Delete").ok
    assert "Gone" in session.observe().text
    assert session.act(Hover(id=number_of(session, "More"))).ok
    assert click(session, "Export").url.endswith("#export")
    assert session.act(Hover(text="Invoice 13")).error.startswith('the page does not show "Invoice 13"')


def test_drag_and_drop(open_page: Open) -> None:
    session = open_page(
        f"{LOG}<a href='#a' draggable=true ondragstart=\"event.dataTransfer.setData('text', 'A')\">Card A</a>"
        "<div style='height:1500px'></div><button ondragover='event.preventDefault()' "
        "ondrop=\"event.preventDefault(); say('dropped ' + event.dataTransfer.getData('text'))\">Done</button>"
    )
    outcome = session.act(Drag(id=number_of(session, "Card A"), onto=number_of(session, "Done")))
    assert outcome.ok
    assert "dropped A" in session.observe().text


def test_positions_for_agents_that_see(open_page: Open) -> None:
    session = open_page(
        f"{LOG}<canvas width=200 height=100 style='position:fixed;left:100px;top:100px' "
        "onmousedown=\"say('down ' + event.offsetX)\" onclick=\"say('click')\" onmouseup=\"say('up')\"></canvas>"
        "<div style='height:3000px'></div><p>The end"
    )
    for gesture in ("click", "move", "down", "up"):
        assert session.act(Mouse(gesture=gesture, x=150, y=120)).ok
    assert "down 50 up click down 50 up click" in session.observe().text
    assert session.act(Mouse(gesture="wheel", x=0, y=500)).ok
    assert "(1280, 10) is outside of the window" in session.act(Mouse(x=1280, y=10)).error


def test_tabs(open_page: Open, site: OddSite) -> None:
    session = open_page("<p>First", DIALOGS)
    assert session.act(NewTab(url=f"{site.address}/page/links")).url.endswith("/page/links")
    assert re.search(r"tabs: 1 http\S+/made/\d+, 2 http\S+/page/links \(active\)", session.observe().observation.note)
    assert session.act(SwitchTab(tab=1)).ok
    assert "First" in session.observe().text
    assert session.act(SwitchTab(tab=7)).error == "there is no tab 7; there are 1, 2"
    session.act(CloseTab())
    assert session.observe().url.endswith("/page/links")
    assert "tabs:" not in session.observe().observation.note
    refused = session.act(NewTab(url="file:///etc/passwd"))
    assert "only http and https" in refused.error
    assert refused.violations


def test_back_and_forward(open_page: Open, site: OddSite) -> None:
    session = open_page("<p>First")
    session.act(Goto(url=f"{site.address}/page/links"))
    session.act(Back())
    assert session.act(Forward()).url.endswith("/page/links")
    assert session.act(Forward()).error.startswith("there is no page to go forward to")
    with pytest.raises(TypeError, match="no action 'finish'"):
        session.act(Finish())  # all others: tests/episode/test_full_references.py


def test_questions_wait_for_their_answer(open_page: Open, site: OddSite) -> None:
    asks = "o.textContent += ' ' + (confirm('Delete it?') ? 'named ' + prompt('Name of the list', 'New') : 'kept')"
    session = open_page(f'<button onclick="{asks}">Go</button><p id=o></p>', DIALOGS)
    opened = click(session, "Go")
    assert opened.ok
    assert opened.target is not None
    assert opened.target.name == "Go"
    note = session.observe().observation.note
    assert note == 'the page showed a dialog (confirm): "Delete it?"; it waits for answer_dialog'
    refused = session.act(Goto(url=site.address))
    assert refused.error.endswith("it waits for answer_dialog: goto is possible after that")
    assert session.act(AnswerDialog()).ok
    assert '(prompt): "Name of the list" (proposed: "New")' in session.observe().observation.note
    assert session.act(AnswerDialog(text="Berries")).value == "Berries"
    assert "named Berries" in session.observe().text
    click(session, "Go")
    session.act(AnswerDialog(accept=False))
    assert session.observe().text.endswith("kept")
    assert "no dialog is open" in session.act(AnswerDialog()).error


def test_questions_at_any_time(open_page: Open, site: OddSite) -> None:
    next_page = site.address + made_page("<p>Second")
    session = open_page("<script>confirm('Cookies?') && document.write('accepted')</script>", DIALOGS)
    assert "Cookies?" in session.observe().observation.note
    session.act(AnswerDialog())
    assert "accepted" in session.observe().text
    session.act(
        Goto(url=site.address + made_page(f"<button onclick=\"confirm('Leave?') && (location = '{next_page}')\">Go"))
    )
    click(session, "Go")
    left = session.act(AnswerDialog())
    assert left.navigations == (next_page,)
    session.act(Goto(url=site.address + made_page("<p>Third<script>setTimeout(() => confirm('Stay?'), 300)</script>")))
    session.act(Wait(seconds=1))
    assert "Stay?" in session.observe().observation.note
    session.rest()
    assert "Third" in session.observe().text


def test_a_dialog_at_the_start_is_told_at_once(open_page: Open) -> None:
    session = open_page("<script>alert('Session expired')</script><h1>Home</h1>")
    assert "Session expired" in session.observe().observation.note


def test_only_offered_files_are_uploaded(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "invoice.txt").write_text("Total 12")
    (tmp_path / "secret.txt").write_text("no")
    read = "this.files[0].text().then(text => say(this.ariaLabel + ' got ' + this.files[0].name + ': ' + text))"
    session = open_page(
        f'{LOG}<label style="cursor:pointer">Invoice '
        f'<input type=file hidden aria-label=Invoice onchange="{read}"></label>'
        f'<input type=file aria-label=Plain onchange="{read}"><button>None</button>',
        Permissions(files={"invoice.txt": tmp_path / "invoice.txt"}),
    )
    assert session.act(Click(id=number_of(session, "Plain"))).error.endswith("asks for a file: use upload")
    for words in ("Plain", "Invoice"):
        assert session.act(Upload(id=number_of(session, words), file="invoice.txt")).ok
        # The page reads the file by itself, which takes its time on a busy machine.
        assert session.act(Wait(text=f"{words} got invoice.txt: Total 12", seconds=30)).ok
    for name in ("secret.txt", "../secret.txt", str(tmp_path / "secret.txt")):
        error = session.act(Upload(id=number_of(session, "Plain"), file=name)).error
        assert error.endswith("; the task's files are invoice.txt")
    assert "did not ask for a file" in session.act(Upload(id=number_of(session, "None"), file="invoice.txt")).error
    assert session.act(ReadFile(file="invoice.txt")).ok
    assert session.observe().text == "Total 12"


def test_downloads_are_saved_and_read(open_page: Open, site: OddSite, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    page = f"<a href={site.address}/file>Get</a><a href=/escape>Bad name</a><a href=/report.pdf>Report</a>"
    session = open_page(page, Permissions(downloads=folder))
    assert click(session, "Get").note == 'the file "orders.csv" was downloaded; read_file shows its text'
    assert session.act(ReadFile(file="orders.csv")).ok
    shown = session.observe().observation
    assert (shown.title, shown.text) == ("orders.csv", "a,b\n1,2")
    assert "every action but scroll shows the page again" in shown.note
    session.act(Scroll())
    assert session.observe().observation.title == "orders.csv"
    again = session.act(Goto(url=f"{site.address}/file"))
    assert again.ok
    assert again.note.endswith('/file gave no page; the file "orders-2.csv" was downloaded; read_file shows its text')
    assert "Get" in session.observe().text
    assert "etc_passwd" in click(session, "Bad name").note
    assert "report.pdf" in click(session, "Report").note
    assert session.act(ReadFile(file="report.pdf")).ok
    assert session.observe().text == "Page 1 of 1\nInvoice 12, paid"
    for name in ("../../etc/passwd", "/etc/passwd", "orders-9.csv"):
        assert session.act(ReadFile(file=name)).error.startswith("there is no file")
    assert {path.parent for path in tmp_path.rglob("*") if path.is_file()} == {folder}


def test_waiting_for_a_text(open_page: Open) -> None:
    comes_late = "setTimeout(() => o.textContent = 'All 12 orders', 1200)"
    session = open_page(f"<p id=o>Loading<script>{comes_late}</script>", settle=0.3)
    assert session.act(Wait(text="all 12 ORDERS")).ok
    assert "All 12 orders" in session.observe().text
    late = session.act(Wait(text="13 orders", seconds=0.3))
    assert late.error == "the page did not show '13 orders' within 0.3 seconds; look at what it shows now"


def test_fields_that_listen_to_keys_get_every_key(open_page: Open) -> None:
    session = open_page(
        "<input aria-label=Amount id=p value=0.00><div id=root><input aria-label=Code id=c></div>"
        "<script>let digits = '';"
        "p.onkeydown = e => { e.preventDefault(); if (/[0-9]/.test(e.key)) digits += e.key; "
        "p.value = (digits / 100).toFixed(2) }; let keys = 0; root.addEventListener('keydown', () => keys++);"
        "c.oninput = () => c.title = keys</script>"
    )
    session.act(Fill(id=number_of(session, "Amount"), text="1234"))
    assert '"Amount" value="12.34"' in session.observe().text
    session.act(Fill(id=number_of(session, "Code"), text="x" * 40))
    session.act(Fill(id=number_of(session, "Code"), text="y" * 2000))
    assert session.act(Fill(id=number_of(session, "Code"), text="abc")).ok
    assert "abc" in session.observe().text


def test_sliders_take_the_values_of_their_steps(open_page: Open) -> None:
    session = open_page(
        f"{LOG}<input type=range aria-label=Size min=0 max=10 step=2 value=4 onchange='say(this.value)'>"
        "<input type=range aria-label=Share min=0 max=1 step=0.25 value=0.5>"
    )
    wrong = session.act(Fill(id=number_of(session, "Size"), text="5"))
    assert wrong.error.endswith("takes a number from 0 to 10 in steps of 2, not '5'")
    assert session.act(Fill(id=number_of(session, "Size"), text="8.0")).value == "8"
    assert session.act(Fill(id=number_of(session, "Share"), text="0.75")).value == "0.75"
    text = session.observe().text
    assert '"Size" value="8"' in text
    assert "5" not in text.splitlines()[0]


def test_routes_within_a_page_are_recorded(open_page: Open) -> None:
    session = open_page(
        "<a href='#/orders/12'>Hash</a><button onclick=\"history.pushState({}, '', '/orders/13')\">History</button>"
    )
    assert [url.rpartition("#")[2] for url in click(session, "Hash").routes] == ["/orders/12"]
    moved = click(session, "History")
    assert moved.navigations == ()
    assert moved.routes[0].endswith("/orders/13")
    assert session.act(Wait(seconds=0)).routes == ()


def test_waiting_goes_on_where_the_page_leads_to_another_one(open_page: Open) -> None:
    path = made_page("<h1>Thank you</h1>")
    session = open_page(f"<meta http-equiv=refresh content='1;url={path}'><p>One moment")
    assert session.act(Wait(text="thank you", seconds=30)).ok
    assert "Thank you" in session.observe().text


def test_lines_of_a_text_do_not_send_it(open_page: Open) -> None:
    """A chat sends with Enter, and Shift+Enter begins a line."""
    sends = "if (event.key === 'Enter' && !event.shiftKey) say('sent')"
    session = open_page(f'{LOG}<textarea aria-label=Message onkeydown="{sends}"></textarea>')
    assert session.act(Fill(id=number_of(session, "Message"), text="one\ntwo")).note == ""
    text = session.observe().text
    assert 'value="one ⏎ two"' in text
    assert "sent" not in text


def test_copying_works_as_in_any_browser(open_page: Open) -> None:
    copy = "navigator.clipboard.writeText('SAVE10').then(() => say('copied'), error => say(error.name))"
    session = open_page(f'{LOG}<button onclick="{copy}">Copy</button>')
    click(session, "Copy")
    assert "copied" in session.observe().text


def test_why_a_page_could_not_be_shown(open_page: Open) -> None:
    session = open_page("<a href=/again>Loop</a> <a href=/zipped>Zip</a>")
    click(session, "Loop")
    assert "could not be opened: ERR_TOO_MANY_REDIRECTS." in session.observe().text
    session.act(Back())
    click(session, "Zip")
    assert session.observe().observation.note == "the page broke off while it loaded (ERR_CONTENT_DECODING_FAILED)"
    session.act(Back())
    assert session.observe().observation.note == ""
