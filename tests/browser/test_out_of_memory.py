"""A page that uses up its memory costs its own episode, and no other one."""

import pytest

from longtrail.browser.launcher import Launch
from longtrail.browser.session import Browser, Session
from longtrail.browser.url_policy import UrlPolicy
from longtrail.browser.view import ViewSettings
from longtrail.errors import HarnessTrouble
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click

HUNGRY = (
    "<button onclick='for (const kept = []; ; ) kept.push(new Array(100_000).fill({}).map(() => ({})))'>Eat</button>"
)
SMALL = Launch(proxied=False, args=("--js-flags=--max-old-space-size=64",))


def eat(session: Session) -> None:
    """The crash comes with the click, or with the next observation."""
    click(session, "Eat")
    session.observe()


def test_one_tab_out_of_memory(site: OddSite) -> None:
    url_policy = UrlPolicy([site.authority])
    with Browser(ViewSettings(deadline=30), launch=SMALL) as browser, browser.session(url_policy=url_policy) as other:
        other.goto(f"{site.address}/page/forms")
        with browser.session(url_policy=url_policy) as hungry:
            hungry.goto(site.address + made_page(HUNGRY))
            with pytest.raises(HarnessTrouble, match="browser_crash"):
                eat(hungry)
        assert "Apply for a plot" in other.observe().text
