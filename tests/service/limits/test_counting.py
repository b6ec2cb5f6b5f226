"""What each process counts: what was used comes back evenly, few are under way at once, and it is known for whom."""

from __future__ import annotations

from datetime import timedelta

import pytest
from freezegun.api import FrozenDateTimeFactory

from service.limits import Holders
from service.limits.limits import Addresses, Buckets, Caller, Share, parse
from service.limits.places import Places
from service.limits.settings import ACCOUNT, ADDRESS, HERE, Rate, Room, parse_networks
from tests.service.together import at_once

SIX, TWO = Rate("things", ADDRESS, 6, 60), Rate("things", ACCOUNT, 2, 60)
SLOW = Rate("things", ADDRESS, 1000, 10**9)
"""Nothing of it comes back while a test runs."""


def test_so_many_pass_at_once_and_then_as_many_as_come_back_at_whatever_moment(frozen: FrozenDateTimeFactory) -> None:
    buckets, asked = Buckets(), [(SIX, "a")]
    assert [buckets.take(asked, 1) for _ in range(9)] == [None] * 6 + [(SIX, 10)] * 3, "a refusal is not counted"
    frozen.tick(timedelta(seconds=9))
    assert buckets.take(asked, 1) == (SIX, 1)
    frozen.tick(timedelta(seconds=1))
    assert [buckets.take(asked, 1) for _ in range(2)] == [None, (SIX, 10)]
    frozen.tick(timedelta(hours=1))
    assert [buckets.take(asked, 1) for _ in range(7)] == [None] * 6 + [(SIX, 10)]
    assert buckets.take([(SIX, "b")], 100) is None, "what costs more than all takes all"
    assert buckets.take([(SIX, "b")], 100) == (SIX, 60)
    assert buckets.take([(SIX, "b")], 0.5) == (SIX, 5)


def test_each_is_counted_alone_and_what_one_limit_refuses_counts_in_none(frozen: FrozenDateTimeFactory) -> None:
    buckets, wanted = Buckets(), [(SIX, "a"), (TWO, "p")]
    assert [buckets.take(wanted, 1) for _ in range(4)] == [None, None, (TWO, 30), (TWO, 30)]
    assert (buckets.used(SIX, "a"), buckets.used(SIX, "b")) == (2, 0)


def test_fifty_threads_at_once_get_no_more_than_there_is() -> None:
    buckets = Buckets()

    def ask() -> int:
        return sum(buckets.take([(SLOW, "a")], 1) is None for _ in range(40))

    assert sum(at_once(*[ask] * 50)) == 1000
    assert buckets.used(SLOW, "a") == pytest.approx(1000, abs=0.01)


def test_who_asked_longest_ago_is_forgotten(frozen: FrozenDateTimeFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.limits.limits.MOST", 3)
    buckets = Buckets()
    for whom in "abcadae":
        buckets.take([(SIX, whom)], 1)
    shares = buckets.shares(10)
    assert {share.whom: share.unsent for share in shares} == {"a": 3, "d": 1, "e": 1}
    assert buckets.used(SIX, "b") == 0
    for whom in "fgh":
        buckets.take([(SIX, whom)], 1)
    buckets.settle([(shares[0], 4.0)])
    buckets.put_back(shares)
    assert {share.whom for share in buckets.shares(10)} == {"f", "g", "h"}, "who was forgotten meanwhile stays so"


def test_what_others_count_is_added_once_and_what_was_not_sent_is_sent_later(frozen: FrozenDateTimeFactory) -> None:
    buckets = Buckets()
    buckets.take([(SIX, "a")], 2)
    (share,) = buckets.shares(10)
    assert share == Share(SIX, "a", 0, 2)
    buckets.take([(SIX, "a")], 1)
    buckets.settle([(share, 4.0)])
    assert buckets.used(SIX, "a") == 5, "two of another process, two told, and one that came meanwhile"
    assert buckets.shares(10) == [Share(SIX, "a", 4, 1)]
    assert buckets.shares(10) == [], "once"
    buckets.take([(SIX, "b")], 6)
    buckets.put_back(buckets.shares(10))
    frozen.tick(timedelta(seconds=40))
    assert buckets.shares(10) == [Share(SIX, "b", 0, 2)], "no more than is left of it"


TWO_PLACES, MANY_PLACES = Room("waits", ADDRESS, 2), Room("waits", ACCOUNT, 160)


def test_a_place_that_is_given_back_is_there_again_and_a_full_room_keeps_all_others() -> None:
    places = Places()
    first, second = (places.take([(TWO_PLACES, "a"), (MANY_PLACES, "p")]) for _ in range(2))
    assert places.take([(MANY_PLACES, "p"), (TWO_PLACES, "a")]) == TWO_PLACES
    assert places.used(MANY_PLACES, "p") == 2
    assert callable(places.take([(TWO_PLACES, "b")]))
    assert callable(first)
    assert callable(second)
    for _ in range(2):
        first()
    assert callable(places.take([(TWO_PLACES, "a")]))
    assert places.take([(TWO_PLACES, "a")]) == TWO_PLACES, "twice is as good as once"
    assert places.used(TWO_PLACES, "a") == 2


def test_processes_tell_each_other_whom_it_matters_until_they_tell_something_else() -> None:
    places = Places()
    places.hear([{"waits-by-address a": 1}, {"waits-by-address a": 1, "waits-by-address b": 1}])
    assert places.take([(TWO_PLACES, "a")]) == TWO_PLACES
    assert callable(places.take([(TWO_PLACES, "b")]))
    assert places.take([(TWO_PLACES, "b")]) == TWO_PLACES
    places.hear([])
    assert callable(places.take([(TWO_PLACES, "a")]))
    for _ in range(9):
        places.take([(MANY_PLACES, "p")])
    assert places.shares() == {"waits-by-address a": 1, "waits-by-address b": 1}
    places.take([(MANY_PLACES, "p")])
    assert places.shares()["waits-by-account p"] == 10


def test_fifty_threads_at_once_get_no_more_places_than_there_are() -> None:
    places = Places()

    def ask() -> int:
        taken = 0
        for number in range(20):
            taken += callable(places.take([(MANY_PLACES, "p"), (MANY_PLACES, f"q{number}")]))
            assert places.used(MANY_PLACES, "p") <= MANY_PLACES.most
        return taken

    assert sum(at_once(*[ask] * 50)) == 160
    assert places.used(MANY_PLACES, "p") == 160


def test_what_is_held_is_counted_until_it_is_let_go() -> None:
    holders: Holders[str] = Holders()
    for holder, thing, size, total in (
        *(("ann", "first", 5, 5), ("bob", "second", 3, 8), ("ann", "first", 7, 10)),
        ("bob", "first", 7, 10),  # it is another's now
    ):
        holders.hold(holder, thing, size)
        assert holders.total == total
    for _ in range(2):
        holders.let_go("first")
        assert holders.total == 3
    holders.hold("bob", "second", 0)
    assert holders.total == 0
    assert holders.relieve(0) == []


@pytest.mark.parametrize(
    ("held", "most", "lost"),
    [
        ({"bob": (1, 1), "ann": (10, 1)}, 8, ["ann 0", "ann 1", "ann 2"]),
        ({"bob": (1, 1), "ann": (10, 1)}, 2, [f"ann {number}" for number in range(9)]),
        ({"bob": (1, 1), "ann": (10, 1)}, 11, []),
        ({"ann": (4, 10), "bob": (4, 10), "cy": (1, 10)}, 50, ["ann 0", "ann 1", "bob 0", "bob 1"]),
        ({"ann": (9, 1), "bob": (1, 10)}, 15, ["bob 0"]),
    ],
)
def test_who_holds_most_loses_the_oldest(held: dict[str, tuple[int, int]], most: int, lost: list[str]) -> None:
    """By holder: how many things it holds, and the size of each."""
    holders: Holders[str] = Holders()
    for name, (count, size) in held.items():
        for number in range(count):
            holders.hold(name, f"{name} {number}", size)
    holders.hold("ann", "ann 3", held["ann"][1])  # again, but it stays as old as it is
    assert holders.relieve(most) == lost
    assert holders.total <= most


PROXIES = parse_networks("10.0.0.0/8, fd00::1, 192.0.2.9")
STRANGER, OTHER = "203.0.113.5", "198.51.100.7"


@pytest.fixture
def addresses() -> Addresses:
    return Addresses(PROXIES, HERE)


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


def test_who_is_no_trusted_proxy_is_not_believed_and_all_whose_address_is_unknown_are_one(addresses: Addresses) -> None:
    for peer in (STRANGER, "fd00::2", "11.0.0.1"):
        assert addresses.caller(peer, OTHER, is_passed_on=True) == addresses.caller(peer)
    for unknown in (None, "unix:", "1.2.3", "fe80::1::2"):
        assert addresses.caller(unknown, STRANGER, is_passed_on=True) == Caller("", "unknown")


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
