"""From where a request comes is what its peer is, or what a proxy says that an operator trusts."""

from __future__ import annotations

import pytest

from service.limits.limits import Addresses, Caller, parse
from service.limits.settings import HERE, parse_networks

PROXIES = parse_networks("10.0.0.0/8, fd00::1, 192.0.2.9")
STRANGER, OTHER = "203.0.113.5", "198.51.100.7"


@pytest.fixture
def addresses() -> Addresses:
    return Addresses(PROXIES, HERE)


@pytest.mark.parametrize("peer", [STRANGER, "fd00::2", "11.0.0.1"])
def test_who_is_no_trusted_proxy_is_not_believed(addresses: Addresses, peer: str) -> None:
    assert addresses.caller(peer, OTHER, is_passed_on=True) == addresses.caller(peer)


@pytest.mark.parametrize(
    ("forwarded", "address"),
    [
        (STRANGER, STRANGER),
        # whatever is further left was said by whoever asks
        (f"{OTHER}, {STRANGER}", STRANGER),
        (f"127.0.0.1,{STRANGER}", STRANGER),
        (f"{OTHER}, {STRANGER}, 10.1.1.1, fd00::1", STRANGER),
        (f"nonsense, {STRANGER}", STRANGER),
        (f"{STRANGER}:4711", STRANGER),
        (f"{OTHER},[2001:db8::1]:4711 ", "2001:db8::1"),
        (f"{OTHER},::ffff:{STRANGER}", STRANGER),
        # nobody but proxies: the one that asked first
        ("10.0.0.7, 10.0.0.8", "10.0.0.7"),
        # what can't be read ends what is believed
        (f"{OTHER}, unknown", "10.0.0.1"),
        (f"{OTHER}, unknown, 10.0.0.8", "10.0.0.8"),
        (f"{OTHER}, {'1' * 5000}", "10.0.0.1"),
        (f"{OTHER},", "10.0.0.1"),
        ("", "10.0.0.1"),
        (None, "10.0.0.1"),
    ],
)
def test_proxies_are_believed_as_far_as_trusted(addresses: Addresses, forwarded: str | None, address: str) -> None:
    assert addresses.caller("10.0.0.1", forwarded, is_passed_on=True).address == address


def test_ipv6_is_counted_by_its_site_and_ipv4_in_its_form_as_ipv4(addresses: Addresses) -> None:
    one, two, three = (addresses.caller(peer) for peer in ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"))
    assert one.site == two.site == "2001:db8::/64"
    assert three.site != one.site
    assert one.address != two.address
    assert addresses.caller(f"::ffff:{STRANGER}") == addresses.caller(STRANGER) == Caller(STRANGER, STRANGER)
    assert str(parse("fe80::1%eth0")) == "fe80::1"


def test_this_machine_is_exempt_unless_somebody_asks_through_it_or_it_is_a_proxy(addresses: Addresses) -> None:
    for peer in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"):
        assert addresses.caller(peer).is_exempt
        assert not addresses.caller(peer, is_passed_on=True).is_exempt
    assert not addresses.caller(STRANGER).is_exempt
    behind = Addresses(HERE, HERE)
    assert not behind.caller("127.0.0.1").is_exempt
    assert not behind.caller("127.0.0.1", "127.0.0.1", is_passed_on=True).is_exempt
    assert behind.caller("127.0.0.1", STRANGER, is_passed_on=True) == Caller(STRANGER, STRANGER)


@pytest.mark.parametrize("peer", [None, "unix:", "1.2.3", "fe80::1::2"])
def test_all_whose_address_is_unknown_are_counted_as_one(addresses: Addresses, peer: str | None) -> None:
    assert addresses.caller(peer, STRANGER, is_passed_on=True) == Caller("", "unknown")


@pytest.mark.parametrize(
    ("peer", "forwarded", "holder"),
    [
        (STRANGER, None, STRANGER),
        (STRANGER, OTHER, STRANGER),
        ("2001:db8:0:1::1", None, "2001:db8:0:1::/64"),
        ("2001:db8:0:1:ffff::2", None, "2001:db8:0:1::/64"),
        ("127.0.0.1", None, "127.0.0.1"),
        ("10.0.0.1", OTHER, OTHER),
        ("10.0.0.1", "2001:db8::1", "2001:db8::/64"),
        # a proxy is not one client
        ("10.0.0.1", None, ""),
        ("10.0.0.1", "nonsense", ""),
    ],
)
def test_no_connection_is_held_by_a_proxy(addresses: Addresses, peer: str, forwarded: str | None, holder: str) -> None:
    assert addresses.holder(peer, forwarded) == holder
