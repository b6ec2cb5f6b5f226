"""How matches ended, for the lobby: written with the event that ends a match, or read from its log later."""

from __future__ import annotations

import msgspec

from events.store import Reader, Statement


class Conduct(msgspec.Struct, frozen=True):
    """What happened to a seat during the match, for fair ratings."""

    resigned: bool = False
    by_clock: int = 0
    """The number of moves that the clock made for it."""
    handed: tuple[str, ...] = ()
    """The reasons for which others came to play for it, one for each time."""


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """How a match ended."""

    at: str
    how: str
    """`played`, or why it was broken off."""
    moves: int
    moved: str | None
    """When the last move was made; None to read it from the log."""
    points: tuple[int, ...]
    """Empty without a result, like `ranking`."""
    ranking: tuple[int, ...]
    conducts: tuple[Conduct, ...]


# the event that breaks a match off is no move
END = """
UPDATE matches SET ended = :at, how = :how, moves = :moves, moved = coalesce(:moved, (
    SELECT events.at FROM events WHERE events.partition = :partition AND events.stream = :match
    AND events.type IN ('match/MoveMade', 'match/AnswersClosed') ORDER BY events.version DESC LIMIT 1))
WHERE partition = :partition AND id = :match
"""
SCORE = (
    "UPDATE seats SET points = :points, place = :place, has_quit = :has_quit, by_clock = :by_clock, handed = :handed"
    " WHERE partition = :partition AND match = :match AND seat = :seat"
)
UNTOLD = "SELECT id FROM matches WHERE partition = :partition AND status IN ('finished', 'aborted') AND ended IS NULL"


def end(match_id: str, ended: Ended) -> list[Statement]:
    """Return the statements that note how the match ended."""
    ending = {"at": ended.at, "how": ended.how, "moves": ended.moves, "moved": ended.moved}
    return [Statement(END, {"match": match_id, **ending}, match_id), *_scores(match_id, ended)]


def _scores(match_id: str, ended: Ended) -> list[Statement]:
    return [
        Statement(
            SCORE,
            {
                "match": match_id,
                "seat": seat,
                "points": ended.points[seat] if ended.points else None,
                "place": ended.ranking[seat] if ended.ranking else None,
                "has_quit": int(conduct.resigned),
                "by_clock": conduct.by_clock,
                "handed": " ".join(conduct.handed),
            },
            match_id,
        )
        for seat, conduct in enumerate(ended.conducts)
    ]


def untold(store: Reader) -> tuple[str, ...]:
    """Return the matches that are over but whose end the lobby does not know."""
    return tuple([id for (id,) in store.find_everywhere(UNTOLD)])
