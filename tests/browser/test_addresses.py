"""Which addresses the browser may open, what counts as opening one, and how it goes back."""

from collections.abc import Callable, Iterator

import pytest

from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.records.action import Back, Goto, Search
from tests.browser.conftest import OddSite
from tests.browser.hands import click

Open = Callable[..., Session]


def test_back(open_page: Open, site: OddSite) -> None:
    session = open_page("/page/links")
    assert session.act(Back()).error == "there is no page to go back to; open an address with goto"
    click(session, "Apply for a plot")
    assert session.act(Back()).navigations == (site.address + "/page/links",)


def test_push_state_is_no_navigation(open_page: Open, site: OddSite) -> None:
    session = open_page("<button onclick=\"history.pushState(0,'','/page/forms')\">Pretend</button>")
    outcome = click(session, "Pretend")
    assert outcome.url == site.address + "/page/forms"
    assert outcome.navigations == ()


def test_goto_variants(open_page: Open, site: OddSite) -> None:
    session = open_page("/page/links")
    assert session.act(Goto(url="/page/forms")).url == site.address + "/page/forms"
    assert session.act(Goto(url="/moved")).navigations == (site.address + "/page/links",)
    assert "is no address" in session.act(Goto(url="https://")).error
    elsewhere = session.act(Goto(url="www.example.com/x"))
    assert elsewhere.error == "not opened: no site answers at www.example.com; go on with other addresses"
    assert (
        session.act(Search(query="tide tables")).error
        == "not opened: no site answers at www.google.com; go on with other addresses"
    )
    assert session.url == site.address + "/page/links"


FORBIDDEN = (
    *("file:///etc/hostname", "view-source:http://127.0.0.1/", "DATA:text/html;base64,eA==", "chrome://crash"),
    *("JaVaScRiPt:alert(1)", "about:blank", "blob:http://127.0.0.1/1", "ws://127.0.0.1/", "http://[::1]/"),
    *("http://user:pw@127.0.0.1/", "http://2130706433/", "http:\\\\127.1\\page"),
)
"""One of each kind; `tests/exploits/test_addresses.py` has all spellings."""


@pytest.fixture(scope="module")
def links(chrome: Browser, site: OddSite) -> Iterator[Session]:
    """A page that nobody leaves."""
    with chrome.session(url_policy=UrlPolicy([site.authority])) as session:
        session.goto(site.address + "/page/links")
        yield session


@pytest.mark.parametrize("url", FORBIDDEN)
def test_forbidden_addresses(links: Session, site: OddSite, url: str) -> None:
    outcome = links.act(Goto(url=url))
    assert not outcome.ok
    assert len(outcome.violations) == 1
    assert outcome.navigations == ()
    assert links.url == site.address + "/page/links"


def test_a_page_that_ends_where_none_may_be(open_page: Open, site: OddSite) -> None:
    script = "const away = () => window.open(URL.createObjectURL(new Blob(['hi'], {type: 'text/html'})))"
    session = open_page(f"<script>{script}</script><button onclick=away()>Away</button>")
    outcome = click(session, "Away")
    assert outcome.violations
    assert outcome.violations[0].startswith("the browser ended at blob:")
    assert session.url.startswith(site.address + "/made/")
