"""Hosts: what belongs together and what only looks like it."""

import pytest

from longtrail.checks.hosts import host_of, registrable_domain, same_site


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.ikea.com", "ikea.com"),
        ("IKEA.com.", "ikea.com"),
        ("store.steampowered.com", "steampowered.com"),
        ("www.foo.co.uk", "foo.co.uk"),
        ("co.uk", "co.uk"),
        ("one.github.io", "one.github.io"),
        ("forum.test", "forum.test"),
        ("www.forum.test", "forum.test"),
        ("127.0.0.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("www.ikea.com.evil.test", "evil.test"),
    ],
)
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
