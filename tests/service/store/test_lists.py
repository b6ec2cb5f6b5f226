"""Lists of matches: that they say what the matches say, whatever becomes of these."""

from __future__ import annotations

from tests.service.house import House, each, play_out
from tests.service.stored import out_of_step

SEATS = """
SELECT seats.status, matches.status FROM seats
JOIN matches ON matches.partition = seats.partition AND matches.id = seats.match WHERE seats.partition = :partition
"""

STATUSES = ("open", "playing", "finished", "aborted")


def test_seats_and_lists_know_how_far_their_matches_are(house: House) -> None:
    ann, bob = house.player("Ann"), house.player("Bob")
    for status in STATUSES:
        match = ann.open(seats=[None, {"player": bob.id}])
        if status == "open":
            continue
        for player in (ann, bob):
            player.sit(match)
        if status == "finished":
            play_out(match, [ann, bob])
        if status == "aborted":
            each((ann, bob), match, "abort")
    assert {*house.service.recorder.find_everywhere(SEATS)} == {(status, status) for status in STATUSES}
    assert out_of_step(house.service) == set()
