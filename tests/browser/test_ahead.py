"""Looks that are taken while a page comes to rest: they hold, or are taken again; nobody can tell which."""

import asyncio
import io
from collections.abc import Callable

import pytest
from PIL import Image

from longtrail.browser.session import Session
from longtrail.browser.speculative_snapshot import TRIES
from longtrail.browser.tab import Tab
from longtrail.browser.view import View
from longtrail.records.action import Click
from tests.browser.hands import click, number_of

Open = Callable[..., Session]

FIELDS = (
    "<input id=field aria-label=Name><input id=box type=checkbox aria-label=Box>"
    "<select id=list aria-label=List><option>one<option>two</select>"
)
PAGE = f"""<button onclick="o.textContent = 'pressed'">Go</button><p id=o>before</p><p id=t class=x>quiet</p>{FIELDS}
<div id=host></div><div id=inner style="height:60px;overflow:auto"><p>first<p>second<p>third<p>fourth<p>fifth</div>
<p style="margin-top:2000px">far below</p>
<script>host.attachShadow({{mode: 'open'}}).innerHTML = '<p>in the shadow</p><input aria-label=Deep>'</script>"""

CHANGES = {
    "text": "t.textContent = 'changed'",
    "element": "t.after(document.createElement('hr'), 'changed')",
    "attribute": "field.setAttribute('aria-label', 'changed')",
    "style": "t.style.display = 'none'",
    "class": "t.className = 'y'",
    "value": "field.value = 'changed'",
    "checkbox": "box.checked = true",
    "option": "list.selectedIndex = 1",
    "focus": "field.focus()",
    "scroll": "scrollTo(0, 300)",
    "address": "history.replaceState({}, '', '#changed')",
    "shadow text": "host.shadowRoot.querySelector('p').textContent = 'changed'",
    "shadow value": "host.shadowRoot.querySelector('input').value = 'changed'",
    "transition": "t.style.transition = 'opacity 9s'; t.offsetWidth; t.style.opacity = 0.5",
    "picture": "t.innerHTML = '<canvas width=200 height=50>'",
}


def tab_of(session: Session) -> Tab:
    return session._seat._tabs.active


def run(session: Session, script: str) -> None:
    """In the page's own world, as a timer of its own would."""
    session._engine.call(tab_of(session).page.evaluate(f"() => {{ {script} }}"), 5)


def again(session: Session) -> View:
    """The same look, with none ahead."""
    assert session._seat._ahead is None
    return session.observe()


def wait_for_it(session: Session) -> None:
    ahead = session._seat._ahead
    assert ahead is not None

    async def there() -> None:
        await asyncio.wait([ahead._work])

    session._engine.call(there(), 5)


def changed_since(open_page: Open, script: str, page: str = PAGE) -> Session:
    """A page where something was done and looked at ahead, and which changed after that look."""
    session = open_page(page, screenshot=True)
    click(session, "Go")
    wait_for_it(session)
    run(session, script)
    return session


def test_a_page_at_rest_is_looked_at_once(open_page: Open) -> None:
    session = open_page(PAGE, screenshot=True)
    click(session, "Go")
    wait_for_it(session)
    view = session.observe()
    assert "pressed" in view.text
    assert tab_of(session).in_vain == {}
    assert view.image is not None
    afterwards = again(session)
    assert view.observation == afterwards.observation


@pytest.mark.parametrize("change", CHANGES)
def test_what_changed_since_is_looked_at_again(open_page: Open, change: str) -> None:
    session = changed_since(open_page, CHANGES[change])
    view = session.observe()
    assert list(tab_of(session).in_vain.values()) == [1]
    assert view.observation == again(session).observation


def test_the_picture_is_of_the_same_moment(open_page: Open) -> None:
    image = changed_since(open_page, "document.body.style.background = '#ff0000'").observe().image
    assert image is not None
    red, green, _ = Image.open(io.BytesIO(image)).getpixel((1200, 700))  # type: ignore[misc]
    assert (red > 240, green < 20) == (True, True)


def test_ids_do_not_depend_on_it(open_page: Open) -> None:
    """A button that was there for a moment only, and was shown to nobody, takes no number."""
    now = "t.innerHTML = '<button>Now</button>'"
    first = changed_since(open_page, now).observe().text
    other = open_page(PAGE, screenshot=True)
    click(other, "Go")
    run(other, now)
    other._seat._ahead = None
    assert first == other.observe().text

    pressing = "t.innerHTML = '<button>Passing</button>'"
    after = changed_since(open_page, now, PAGE.replace("o.textContent = 'pressed'", pressing)).observe().text
    assert "Passing" not in after
    assert after.replace("before", "pressed") == first


def test_ids_do_not_depend_on_looks_that_nobody_asked_for(open_page: Open) -> None:
    """Two actions in one go: the look behind the first one is thrown away, with the ids that it gave."""
    page = "<script>let n = 0</script>" + PAGE.replace(
        "o.textContent = 'pressed'", "t.innerHTML = '<button>Pass ' + ++n + '</button>'"
    )
    plain, session = open_page(page), open_page(page, screenshot=True)
    for each in (plain, session):
        go = Click(id=number_of(each, "Go"))
        for _ in range(2):
            each.act(go)
            if each is session:
                wait_for_it(each)
        run(each, "t.innerHTML = '<button>Late</button>'")
    assert session.observe().text == plain.observe().text


@pytest.mark.parametrize(
    "body",
    [
        "<canvas></canvas>",
        "<iframe srcdoc=x></iframe>",
        "<not-defined></not-defined>",
        "<style>@keyframes a{to{opacity:.5}} i{animation:a 1s infinite}</style><i>turns</i>",
    ],
    ids=["canvas", "frame", "element to come", "animation"],
)
def test_pages_that_move_by_themselves_are_not(open_page: Open, body: str) -> None:
    session = open_page(PAGE + body, screenshot=True)
    click(session, "Go")
    wait_for_it(session)
    assert session._seat._ahead is not None
    assert session._engine.call(session._seat._ahead.taken(tab_of(session)), 5) is None
    assert "pressed" in session.observe().text


def test_a_restless_document_is_left_in_peace(open_page: Open) -> None:
    session = open_page(PAGE, screenshot=True)
    for _ in range(TRIES):
        click(session, "Go")
        wait_for_it(session)
        run(session, "t.textContent += '.'")
        session.observe()
    click(session, "Go")
    assert session._seat._ahead is None


def test_links_are_followed_without(open_page: Open) -> None:
    session = open_page("<a href=/page/links>Go</a>", screenshot=True)
    click(session, "Go")
    assert session._seat._ahead is None
    assert "Notices" in session.observe().text


def test_without_pictures_there_are_none(open_page: Open) -> None:
    session = open_page(PAGE)
    click(session, "Go")
    assert session._seat._ahead is None


BUSY = (
    "<script>addEventListener('submit', () => { const end = performance.now() + %d; while (performance.now() < end); })"
)


@pytest.mark.parametrize("shots", [False, True])
@pytest.mark.parametrize("busy", [0, 60])
def test_a_form_on_its_way_is_waited_for(open_page: Open, shots: bool, busy: int) -> None:
    """Also where the page is too busy to send it at once, and where it is long."""
    rows = "<p>row <a href=#x>link</a>" * 1500
    form = "<form method=post action=/page/links><button>Go</button></form>"
    session = open_page(form + rows + BUSY % busy + "</script>", screenshot=shots)
    outcome = click(session, "Go")
    assert outcome.navigations
    assert "Notices" in session.observe().text
