"""A webhook is sent to addresses that everybody can reach, and to nobody else's, however they are written."""

from __future__ import annotations

import random
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

import pytest

from service.webhooks.sending import AddressRefused, Destination, Sender, check, is_public, resolve
from tests.service.webhooks.post import HERE
from tests.service.webhooks.receivers import Running

PRIVATE = (
    *("127.0.0.1", "10.1.2.3", "169.254.169.254", "168.63.129.16", "::", "::1", "fe80::1", "::127.0.0.1"),
    *("::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
)
"""Of each kind one, by name; the networks below are looked at whole."""

REGISTRIES = (
    *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
    *("192.0.0.0/29", "192.0.0.8/32", "192.0.0.9/32", "192.0.0.10/32", "192.0.0.170/32", "192.0.0.171/32"),
    *("192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.88.99.2/32", "192.168.0.0/16"),
    *("192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "255.255.255.255/32"),
    *("::1/128", "::/128", "64:ff9b:1::/48", "100::/64", "100:0:0:1::/64", "2001::/23", "2001::/32", "2001:1::1/128"),
    *("2001:1::2/128", "2001:1::3/128", "2001:2::/48", "2001:3::/32", "2001:4:112::/48", "2001:10::/28"),
    *("2001:20::/28", "2001:30::/28", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20", "5f00::/16", "fc00::/7"),
    *("fe80::/10", "fec0::/10", "ff00::/8", "224.0.0.0/4"),
)
"""IANA's special-purpose registries of both families, but for the three whose addresses stand for an IPv4 address
(::ffff:0:0/96, 64:ff9b::/96 and 2002::/16); and multicast."""

HOLDING = ("::ffff:{}", "64:ff9b::{}", "2002:{}::1")
"""How an IPv6 address holds one of IPv4."""


@pytest.mark.parametrize("said", REGISTRIES)
def test_no_address_of_the_special_purpose_registries_is_everybodys(said: str) -> None:
    network = ip_network(said)
    for address in (network[0], network[-1], network[network.num_addresses // 2]):
        assert not is_public(address)
        if isinstance(address, IPv4Address):
            held = f"{int(address) >> 16:x}:{int(address) & 0xFFFF:x}"
            assert not any(is_public(ip_address(form.format(held))) for form in HOLDING), address


def test_what_python_knows_to_be_nobodys_is_nobodys_here() -> None:
    draw = random.Random(22)
    drawn: list[IPv4Address | IPv6Address] = [IPv4Address(draw.getrandbits(32)) for _ in range(20_000)]
    drawn += [IPv6Address(draw.getrandbits(128)) for _ in range(5_000)]
    drawn += [IPv6Address((0x2001 << 112) | draw.getrandbits(112)) for _ in range(5_000)]
    assert not [one for one in drawn if is_public(one) and not one.is_global]


PUBLIC = ["8.8.8.8", "93.184.216.34", "172.32.0.1", "192.0.1.1", "2002:808:808::1", "2606:4700::1111"]
PUBLIC += ["::ffff:8.8.8.8", "64:ff9b::808:808"]


@pytest.mark.parametrize("said", PRIVATE)
def test_nobody_is_sent_to_who_is_not_everybodys(said: str) -> None:
    assert not is_public(ip_address(said))
    host = f"[{said}]" if ":" in said else said
    with pytest.raises(ValueError, match="not one that everybody"):
        check(f"https://{host}/", ())
    with pytest.raises(AddressRefused, match="no-address"):
        resolve(Destination(f"https://{host}/"), (), 5.0)


@pytest.mark.parametrize("said", PUBLIC)
def test_everybodys_address_is_sent_to(said: str) -> None:
    assert is_public(ip_address(said))
    assert check(f"https://{f'[{said}]' if ':' in said else said}/x", ()).target == "/x"


FORMS = ("localhost", "127.1", "2130706433", "017700000001", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.0.0.1.")


@pytest.mark.parametrize("host", FORMS)
def test_an_address_in_disguise_is_refused_once_it_is_resolved(host: str, receiving: Running) -> None:
    """As it is written it is a name like any other."""
    outcome = Sender((), 2.0).send(f"http://{host}:{receiving.port}/disguised", {}, b"{}")
    assert (outcome.answer, outcome.problem) == (None, "no-address")
    assert receiving.heard("/disguised") == []


def meaning(monkeypatch: pytest.MonkeyPatch, *hosts: str) -> None:
    """Let every name mean these."""
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 443)) for host in hosts]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)


def test_a_name_that_means_a_private_address_too_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    meaning(monkeypatch, "93.184.216.34", "10.0.0.1")
    with pytest.raises(AddressRefused, match="no-address"):
        resolve(Destination("https://both.example/"), (), 5.0)


def test_what_was_judged_is_what_is_connected_to(monkeypatch: pytest.MonkeyPatch, receiving: Running) -> None:
    """A name that means something else when it is asked for again is not asked again."""
    asked: list[Any] = []
    system = socket.getaddrinfo

    def rebinding(host: str, *more: Any, **said: Any) -> Any:
        asked.append(host)
        return system("127.0.0.1" if len(asked) == 1 else "127.0.0.2", *more, **said)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    outcome = Sender((ip_network("127.0.0.1/32"),), 20.0).send(
        f"http://rebinding.example:{receiving.port}/rebound", {}, b"{}"
    )
    assert outcome.problem == "no-http"
    assert asked == ["rebinding.example"]
    (heard,) = receiving.heard("/rebound")
    assert heard["headers"]["host"] == f"rebinding.example:{receiving.port}"


def test_a_name_that_nobody_has_is_told_as_one_that_may_not_be(receiving: Running) -> None:
    outcome = Sender(HERE, 2.0).send("https://no-such-name.invalid/", {}, b"{}")
    assert outcome.problem == "no-address"


def test_without_tls_only_the_operators_networks_are_sent_to(monkeypatch: pytest.MonkeyPatch) -> None:
    meaning(monkeypatch, "93.184.216.34")
    assert resolve(Destination("https://a.example/"), HERE, 5.0)
    with pytest.raises(AddressRefused, match="no-tls"):
        resolve(Destination("http://a.example/"), HERE, 5.0)


@pytest.mark.parametrize(
    "url",
    [
        *("", "x", "ftp://a.example/", "https://", "https:///x", "http://a.example/", "https://u:p@a.example/"),
        *("https://a.example:0/", "https://a.example:70000/", "https://a.example/\r\nX: y", "https://a.example/ x"),
        *("https://例え.jp/", "https://[fe80::1%25eth0]/", "https://a.example\\@b.example/", "https://[::1", "//a.b/"),
        "https://a.example/" + "x" * 2048,
    ],
)
def test_what_can_be_no_webhook_is_said_before_anything_is_sent(url: str) -> None:
    with pytest.raises(ValueError):
        check(url, ())


def test_the_operator_may_open_networks() -> None:
    allowed = (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    for url in ("http://10.1.2.3:8080/", "https://10.1.2.3/", "http://[fd00::1]/", "http://inside.example/"):
        check(url, allowed)
    for url in ("http://127.0.0.1/", "https://192.168.0.1/", "http://8.8.8.8/", "https://[::1]/"):
        with pytest.raises(ValueError):
            check(url, allowed)
    assert check("http://[::ffff:10.1.2.3]/", allowed).name == "[::ffff:10.1.2.3]"
