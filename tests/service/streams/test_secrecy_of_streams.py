"""Two logs that differ only in what a reader may not know make the same streams, moment by moment.

That they are the same byte by byte is held by `test_secrecy` and `test_two_logs`.
"""

from __future__ import annotations

from time import monotonic

import pytest

from service.web import waiting
from tests.service.house import House
from tests.service.matches.test_receipts import sealing
from tests.service.streams.reading import NDJSON, SSE, Reading, reading, stop

pytestmark = pytest.mark.sqlite


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
        his = reading(bob, path, SSE, after=known)
        theirs = reading(house.stranger, path, NDJSON, after=known)
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
