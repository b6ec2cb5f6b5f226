"""What many streams are told alike is made and packed once, and what is unpacked is what was to be told."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterable
from functools import partial

import pytest

from service.streams.match import LARGEST, PAGES, ROOM
from service.web.waiting import Packing, pack
from tests.service.house import House, play_out, step
from tests.service.streams.reading import NDJSON, SSE, reading, stop


def test_parts_in_any_order_unpack_to_what_was_told_each_as_soon_as_it_is_there() -> None:
    luck = random.Random(1)
    for _ in range(20):
        told = [luck.randbytes(luck.choice([0, 1, 5, 70_000])) * luck.choice([1, 3]) for _ in range(12)]
        packing, reader = Packing(), zlib.decompressobj()
        assert reader.decompress(packing.begin(told[0])) == told[0]
        for one in told[1:]:
            assert reader.decompress(packing.tell(one)) == one
        assert reader.decompress(packing.end()) == b""
        assert reader.eof, "and the sum at the end was right"
        assert not reader.unused_data


def test_what_many_are_told_is_packed_once() -> None:
    told = b"a page that is told to many" * 100
    assert pack(told) is pack(told)
    assert Packing().begin(told) == Packing().begin(told)


@pytest.mark.parametrize("form", [NDJSON, SSE])
def test_a_packed_stream_of_scenes_tells_what_the_unpacked_one_does(house: House, form: str) -> None:
    match, players = house.table("three-magic", 3)
    path = f"/matches/{match}/events"
    packed = reading(house.stranger, path, form, packed="gzip, deflate", scenes="true")
    plain = reading(house.stranger, path, form, scenes="true")
    assert packed.answer.headers["Content-Encoding"] == "deflate"
    assert "Content-Encoding" not in plain.answer.headers
    for stream in (packed, plain):
        assert "Accept-Encoding" in stream.answer.headers["Vary"]
    begun = len(house.stranger.events(match))
    assert packed.told(begun) == plain.told(begun)
    for _ in range(6):
        before = len(house.stranger.events(match))
        assert step(match, players, random.Random(2))
        grown = len(house.stranger.events(match)) - before
        told = packed.told(grown)
        assert told == plain.told(grown)
        assert all("scene" in one for one in told)
    rest, plain_rest = stop(house, packed, plain)
    assert rest == plain_rest != []
    assert packed.raw == plain.raw
    assert packed.packing is not None
    assert packed.packing.eof
    assert 5 * packed.packed < len(packed.raw)


@pytest.mark.parametrize("accepted", ["gzip", "br;q=1, deflate;q=0", "identity"])
def test_who_cannot_unpack_it_is_told_it_as_it_is(house: House, accepted: str) -> None:
    match, _ = house.played()
    stream = reading(house.stranger, f"/matches/{match}/events", packed=accepted, scenes="true")
    assert "Content-Encoding" not in stream.answer.headers
    assert stream.rest()[:-1] == house.stranger.get(f"/matches/{match}/events", scenes="true").json["events"]


def test_a_stream_without_scenes_is_not_packed(house: House) -> None:
    match, _ = house.table()
    stream = reading(house.stranger, f"/matches/{match}/events", packed="deflate")
    assert "Content-Encoding" not in stream.answer.headers
    assert "Accept-Encoding" not in stream.answer.headers["Vary"]
    assert stream.told(len(house.stranger.events(match)))


@pytest.mark.sqlite
def test_pages_are_made_once_for_all_and_forgotten_before_they_take_too_much_room(house: House) -> None:
    def made(size: int, numbers: Iterable[int]) -> list[int]:
        """Which of the pages of that size were not kept."""
        anew: list[int] = []

        def make(number: int) -> tuple[bytes, int, bool]:
            anew.append(number)
            return b"x" * size, 1, False

        for number in numbers:
            house.service.streams.page("m1", (size, number), partial(make, number), lambda: True)
        return anew

    assert made(LARGEST + 1, [1, 1]) == [1, 1], "an enormous one is not kept"
    for size, fit in ((LARGEST, ROOM // LARGEST), (1, PAGES)):
        assert made(size, range(3 * fit)) == [*range(3 * fit)]
        assert made(size, range(2 * fit, 3 * fit)) == [], "so many are kept"
        assert made(size, [2 * fit - 1]) == [2 * fit - 1], "and not one more"


@pytest.mark.sqlite
@pytest.mark.parametrize("game", ["high-card", "three-magic"])
def test_scenes_are_the_same_read_on_step_by_step_at_once_or_again_from_before(house: House, game: str) -> None:
    match, players = house.table(game, 2 if game == "high-card" else 3)
    play_out(match, players, most=20)
    for who in (players[0], house.stranger):
        whole = who.get(f"/matches/{match}/events", scenes="true", limit=1000).json["events"]
        for size in (1, 7):
            found, after = [], 0
            while page := who.get(f"/matches/{match}/events", scenes="true", after=after, limit=size).json["events"]:
                found += page
                after = page[-1]["version"]
                before = who.get(f"/matches/{match}/events", scenes="true", after=max(0, after - 3), limit=2).json
                assert before["events"] == whole[max(0, after - 3) : max(0, after - 3) + 2]
            assert found == whole
