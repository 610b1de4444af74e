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


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("127.0.0.1", "loopback address"),
        ("127.8.8.8", "loopback address"),
        ("0.0.0.0", "loopback address"),
        ("::1", "loopback address"),
        ("::", "loopback address"),
        ("::ffff:127.0.0.1", "loopback address"),
        ("64:ff9b::7f00:1", "loopback address"),
        ("10.1.2.3", "private address"),
        ("172.31.255.1", "private address"),
        ("192.168.1.1", "private address"),
        ("100.64.0.1", "private address"),
        ("fd12::1", "private address"),
        ("::ffff:10.0.0.1", "private address"),
        ("2002:c0a8:0101::1", "private address"),
        ("169.254.1.1", "link-local address"),
        ("fe80::1", "link-local address"),
        ("169.254.169.254", "metadata address"),
        ("100.100.100.200", "metadata address"),
        ("168.63.129.16", "metadata address"),
        ("fd00:ec2::254", "metadata address"),
        ("::ffff:169.254.169.254", "metadata address"),
        ("224.0.0.1", "reserved address"),
        ("255.255.255.255", "reserved address"),
        ("ff02::1", "reserved address"),
        ("93.184.215.14", ""),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", ""),
    ],
)
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


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("shop.example.com", "http://10.0.0.5:8000"),
        ("shop.example.com", "http://169.254.169.254/"),
        ("shop.example.com", "http://example.com:80"),
        ("shop.example.com", "ftp://127.0.0.1:21"),
        ("shop.example.com", "127.0.0.1:8000"),
        ("shop.example.com", "http://127.0.0.1:8000/path"),
        ("shop.example.com", "http://me@127.0.0.1:8000"),
        ("shop.example.com", "http://127.0.0.1:notaport"),
        ("shop", "http://127.0.0.1:8000"),
        ("https://shop.example.com", "http://127.0.0.1:8000"),
    ],
)
def test_only_this_machine_can_be_named(name: str, address: str) -> None:
    with pytest.raises(UsageError, match="expected "):
        mapped(name, address)


def test_names_of_this_machine() -> None:
    assert mapped("a.example.com", "http://localhost:80") == ("http", "127.0.0.1", 80)
    assert mapped("a.example.com", "https://127.0.0.1/") == ("https", "127.0.0.1", 443)
