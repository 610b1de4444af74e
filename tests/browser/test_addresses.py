"""What counts as opening an address, and how the browser goes back. Which ones may be opened:
`tests/exploits/test_addresses.py`."""

from collections.abc import Callable

from longtrail.browser.session import Session
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
    search = session.act(Search(query="tide tables"))
    assert search.error == "not opened: no site answers at www.google.com; go on with other addresses"
    assert search.violations
    assert session.url == site.address + "/page/links"


def test_a_page_that_ends_where_none_may_be(open_page: Open, site: OddSite) -> None:
    script = "const away = () => window.open(URL.createObjectURL(new Blob(['hi'], {type: 'text/html'})))"
    session = open_page(f"<script>{script}</script><button onclick=away()>Away</button>")
    outcome = click(session, "Away")
    assert outcome.violations
    assert outcome.violations[0].startswith("the browser ended at blob:")
    assert session.url.startswith(site.address + "/made/")
