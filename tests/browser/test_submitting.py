"""After a form is sent, the new page is waited for, however busy the old one is."""

from collections.abc import Callable

import pytest

from longtrail.browser.session import Session
from tests.browser.hands import click

Open = Callable[..., Session]

BUSY = (
    "<script>addEventListener('submit', () => { const end = performance.now() + %d; while (performance.now() < end); })"
)


@pytest.mark.sampled(3, ci=1)
@pytest.mark.parametrize("shots", [False, True])
@pytest.mark.parametrize("busy", [0, 60])
def test_a_form_on_its_way_is_waited_for(open_page: Open, shots: bool, busy: int) -> None:
    """Also if the page is long, or too busy to send the form at once."""
    rows = "<p>row <a href=#x>link</a>" * 1500
    form = "<form method=post action=/page/links><button>Go</button></form>"
    session = open_page(form + rows + BUSY % busy + "</script>", screenshot=shots)
    outcome = click(session, "Go")
    assert outcome.navigations
    assert "Notices" in session.observe().text
