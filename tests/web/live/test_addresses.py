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
from tests.tables import grouped, tables_of

TABLES = tables_of(__file__)


@pytest.mark.parametrize(("address", "why"), TABLES["addresses"])
def test_addresses(address: str, why: str) -> None:
    assert forbidden(ipaddress.ip_address(address)) == why


@pytest.mark.parametrize(("kind", "name"), grouped(TABLES["names"]))
def test_names_that_are_public_and_those_that_are_not(kind: str, name: str) -> None:
    assert bool(local_name(name)) is (kind == "local")


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
