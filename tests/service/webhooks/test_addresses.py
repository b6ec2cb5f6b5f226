"""A webhook is sent to addresses that everybody can reach, and to nobody else's, however they are written."""

from __future__ import annotations

import socket
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from service.webhooks.addresses import Place, Refused, check, is_public, resolve
from service.webhooks.sending import Sender
from tests.service.webhooks.post import HERE
from tests.service.webhooks.receivers import Running

PRIVATE = (
    *("127.0.0.1", "127.8.9.10", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("169.254.169.254", "169.254.170.2", "100.64.0.1", "100.100.100.200", "168.63.129.16", "192.0.0.192"),
    *("198.18.0.1", "203.0.113.9", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255", "192.88.99.1"),
    *("::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "fec0::1", "ff02::1", "2001:db8::1", "::127.0.0.1"),
    *("::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"),
    *("2002:7f00:1::", "2002:a00:1::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "64:ff9b:1::1", "100::1"),
)
PUBLIC = ("8.8.8.8", "93.184.216.34", "172.32.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808")


@pytest.mark.parametrize("said", PRIVATE)
def test_nobody_is_sent_to_who_is_not_everybodys(said: str) -> None:
    assert not is_public(ip_address(said))
    host = f"[{said}]" if ":" in said else said
    with pytest.raises(ValueError, match="not one that everybody"):
        check(f"https://{host}/", ())
    with pytest.raises(Refused, match="no-address"):
        resolve(Place(f"https://{host}/"), (), 5.0)


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


def test_a_name_that_means_a_private_address_too_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 443)) for host in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: said)
    with pytest.raises(Refused, match="no-address"):
        resolve(Place("https://both.example/"), (), 5.0)


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
    monkeypatch.undo()
    (heard,) = receiving.heard("/rebound")
    assert heard["headers"]["host"] == f"rebinding.example:{receiving.port}"


def test_a_name_that_nobody_has_is_told_as_one_that_may_not_be(receiving: Running) -> None:
    outcome = Sender(HERE, 2.0).send("https://no-such-name.invalid/", {}, b"{}")
    assert outcome.problem == "no-address"


def test_without_tls_only_the_operators_networks_are_sent_to(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: said)
    assert resolve(Place("https://a.example/"), HERE, 5.0)
    with pytest.raises(Refused, match="no-tls"):
        resolve(Place("http://a.example/"), HERE, 5.0)


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
