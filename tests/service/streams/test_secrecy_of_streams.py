"""Two logs that differ only in what a reader may not know make the same streams, byte by byte and moment by moment."""

from __future__ import annotations

import random
from pathlib import Path
from time import monotonic

import pytest
from flask import Flask

from service.config import Config
from service.web import create_app, waiting
from tests.service.house import House, Visitor, build, step
from tests.service.matches.test_receipts import sealing
from tests.service.matches.test_secrecy import strip, told_in
from tests.service.streams.reading import NDJSON, SSE, Reading, reading, stop

pytestmark = pytest.mark.sqlite


def whole(house: House, visitor: Visitor, path: str, form: str, **query: object) -> tuple[list[tuple[str, str]], bytes]:
    """All that a stream tells up to now, as it was written, with its headers."""
    house.service.bells.close()
    headers = {"Accept": form, **house.again(visitor).headers}
    answer = house.again(visitor).client.get(f"/api{path}", query_string=query, headers=headers)
    told = answer.data
    house.service.bells.is_closed = False
    return told_in(answer.headers), told


@pytest.mark.parametrize(
    ("game", "pack", "seats", "moves"), [("high-card", "flat", 2, 6), ("three-magic", "house", 3, 40)]
)
def test_streams_come_from_what_was_told(
    house: House, tmp_path: Path, app: Flask, game: str, pack: str, seats: int, moves: int
) -> None:
    match, players = house.table(game, seats, pack=pack)
    draw, elsewhere, path = random.Random(3), create_app(None), f"/matches/{match}/events"
    sealed = 0
    for number in range(moves):
        is_sealed = house.stranger.look(match)["sealed"]
        sealed += is_sealed
        if number % 10 == 0 or is_sealed:
            for seat, asker in (*enumerate(players), (None, house.stranger)):
                data = tmp_path / f"{number}-{seat}"
                strip(house.service.config.data, data, seat)
                told = House(build(Config(data=data)), elsewhere)
                for form in (NDJSON, SSE):
                    here, there = (whole(one, asker, path, form, scenes="true") for one in (house, told))
                    assert here == there
                    if seat is not None:
                        private = (whole(one, asker, path, form, private="true") for one in (house, told))
                        assert next(private) == next(private)
                told.service.close()
        if not step(match, draw.sample(players, seats), draw):
            break
    assert sealed


def arrivals(stream: Reading, begun: float, seconds: float) -> list[tuple[float, bytes]]:
    """What is written until so long after it was begun, and how long after."""
    found = []
    while (left := begun + seconds - monotonic()) > 0:
        raw = len(stream.raw)
        stream.is_silent(left)
        if stream.raw[raw:]:
            found.append((monotonic() - begun, stream.raw[raw:]))
    return found


@pytest.mark.faults
def test_answers_under_seal_are_written_to_no_other_stream_and_move_no_sign_of_life(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "EVERY", 1.5)
    match, (ann, bob) = sealing(house)
    known = len(bob.events(match))
    path = f"/matches/{match}/events"
    heard = []
    for is_answered in (False, True):
        with (
            reading(house.again(bob), path, SSE, after=known) as his,
            reading(house.again(house.stranger), path, NDJSON, after=known) as theirs,
        ):
            his.piece(), theirs.piece()
            begun = monotonic()
            # in the middle between two signs: one that began anew here would come so much later
            assert arrivals(his, begun, 0.75) == []
            if is_answered:
                assert ann.move(match, "raise").status_code == 200
                # as if it had woken all the same
                house.service.bells.ring([match])
            heard.append((arrivals(his, begun, 3.75), [piece for _, piece in arrivals(theirs, begun, 4.2)]))
            stop(house, his, theirs)
    (quiet, quiet_theirs), (sealed, sealed_theirs) = heard
    assert [piece for _, piece in quiet] == [piece for _, piece in sealed] == [b":\n\n"] * 2
    assert quiet_theirs == sealed_theirs
    for (one, _), (other, _) in zip(quiet, sealed, strict=True):
        assert abs(one - other) < 0.7, "at the same moments"
