"""Which machines the live web may reach: by address, by name, and by what a name resolves to."""

import asyncio
import ipaddress

import pytest

from longtrail.errors import UsageError
from longtrail.web.live.upstream import (
    CheckedBackend,
    ForbiddenAddress,
    forbidden,
    local_name,
    mapped,
    public_addresses,
)
from tests.tables import tables_of

TABLES = tables_of(__file__)


@pytest.mark.parametrize(("address", "why"), TABLES["addresses"])
def test_addresses(address: str, why: str) -> None:
    assert forbidden(ipaddress.ip_address(address)) == why


LOCAL = """
localhost LOCALHOST. a.localhost printer.local metadata.google.internal router.home.arpa intranet 127.0.0.1 127.1
0x7f.0x1 2130706433 [::1] 8.8.8.8 a..b
"""


@pytest.mark.parametrize("name", [*LOCAL.split(), ""])
def test_names_that_are_not_public(name: str) -> None:
    assert local_name(name)


@pytest.mark.parametrize("name", ["www.ikea.com", "ikea.com.", "shop.staging-shop.com", "xn--bcher-kva.example"])
def test_public_names(name: str) -> None:
    assert not local_name(name)


def test_a_name_is_judged_by_what_it_leads_to() -> None:
    """Every name is resolved, and all of its addresses are checked, before a connection is made."""
    with pytest.raises(ForbiddenAddress, match="loopback address behind a public name"):
        asyncio.run(public_addresses("localhost", 443))
    with pytest.raises(ForbiddenAddress, match="loopback address"):
        asyncio.run(CheckedBackend().connect_tcp("localhost", 443, 1.0))
    with pytest.raises(ForbiddenAddress, match="metadata address"):
        asyncio.run(CheckedBackend().connect_tcp("169.254.169.254", 443, 1.0))
    with pytest.raises(ForbiddenAddress):
        asyncio.run(CheckedBackend().connect_unix_socket("/run/docker.sock"))


@pytest.mark.parametrize(("name", "address"), TABLES["only_this_machine_can_be_named"])
def test_only_this_machine_can_be_named(name: str, address: str) -> None:
    with pytest.raises(UsageError, match="expected "):
        mapped(name, address)


def test_names_of_this_machine() -> None:
    assert mapped("a.example.com", "http://localhost:80") == ("http", "127.0.0.1", 80)
    assert mapped("a.example.com", "https://127.0.0.1/") == ("https", "127.0.0.1", 443)
