"""The registry: no two sites may claim the same name or host."""

import re

import pytest

from longtrail.errors import DataError
from longtrail.web.registry import SITE_MODULES, all_sites, by_host
from tests.web.probe import Probe
from tests.web.tiny.tiny_site import make as tiny


class Claim(Probe):
    """A site that claims this name and these hosts."""

    def __init__(self, name: str, *hosts: str) -> None:
        self.name, self.hosts = name, hosts


def test_hosts_lead_to_their_sites() -> None:
    probe, library = Probe(), tiny()
    found = by_host([probe, library])
    assert found["imdb.com"] is probe
    assert found["tiny.test"] is library
    assert set(found) == {*probe.hosts, *library.hosts}


@pytest.mark.parametrize(
    ("name", "hosts", "complaint"),
    [
        ("probe", ["a.test"], "used by another site"),
        ("second", ["imdb.com"], "imdb.com is served by probe already"),
        ("second", ["a.test", "a.test"], "a.test is served by second already"),
        ("second", ["A.test"], "lower case"),
        ("second", ["a.test."], "lower case"),
        ("second", ["a.test:443"], "without port"),
    ],
)
def test_a_claim_that_can_t_stand_is_an_error(name: str, hosts: list[str], complaint: str) -> None:
    with pytest.raises(DataError, match=re.escape(complaint)):
        by_host([Probe(), Claim(name, *hosts)])


def test_all_sites_stand_together() -> None:
    sites = all_sites()
    assert [site.name for site in sites] == [*SITE_MODULES]
    assert {"www.google.com", "duckduckgo.com"} <= set(by_host((*sites, tiny())))
