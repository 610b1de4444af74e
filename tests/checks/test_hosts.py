"""Hosts: what belongs together and what only looks like it."""

import pytest

from longtrail.checks.hosts import host_of, registrable_domain, same_site
from tests.tables import tables_of

TABLES = tables_of(__file__)


@pytest.mark.parametrize(("host", "domain"), TABLES["registrable_domains"])
def test_registrable_domains(host: str, domain: str) -> None:
    assert registrable_domain(host) == domain


def test_hosts_of_addresses() -> None:
    assert host_of("https://User:pw@WWW.Ikea.com:443/x") == "www.ikea.com"
    assert host_of("about:blank") == host_of("https://[broken") == ""


def test_same_site() -> None:
    assert same_site("https://m.ikea.com/x", "www.ikea.com")
    assert not same_site("https://ikea.com.evil.test/", "ikea.com")
    assert not same_site("https://10.0.0.1/", "11.0.0.1")
    assert not same_site("about:blank", "")
