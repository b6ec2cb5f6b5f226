"""What is counted of finished matches: by game and number of seats, and by who played.

Rows lie in the partition of the matches that they count; whoever asks adds the partitions up.
"""

from __future__ import annotations

import msgspec

from events.store import Reader, Row, Statement


class Played(msgspec.Struct, frozen=True):
    """Finished matches of a game with so many seats, and how many moves they took."""

    seats: int
    matches: int
    moves: int
    """Of all of them together."""
    least: int
    most: int


class Result(msgspec.Struct, frozen=True):
    """What somebody has reached in the finished matches of a game with so many seats."""

    who: str
    """`player:ID`, `bot:NAME`, `seat:NUMBER`."""
    game: str
    seats: int
    matches: int
    won: int
    """As the only first."""
    shared: int
    """As one of several firsts."""
    points: int
    """Of all of them together."""


COUNT = """
INSERT INTO played (partition, game, seats, matches, moves, least, most)
VALUES (:partition, :game, :seats, 1, :moves, :moves, :moves)
ON CONFLICT (partition, game, seats) DO UPDATE SET matches = played.matches + 1,
    moves = played.moves + excluded.moves,
    least = CASE WHEN excluded.least < played.least THEN excluded.least ELSE played.least END,
    most = CASE WHEN excluded.most > played.most THEN excluded.most ELSE played.most END
"""
CREDIT = """
INSERT INTO results (partition, who, game, seats, matches, won, shared, points)
VALUES (:partition, :who, :game, :seats, 1, :won, :shared, :points)
ON CONFLICT (partition, who, game, seats) DO UPDATE SET matches = results.matches + 1,
    won = results.won + excluded.won, shared = results.shared + excluded.shared,
    points = results.points + excluded.points
"""
FIND_PLAYED = "SELECT seats, matches, moves, least, most FROM played WHERE partition = :partition AND game = :game"
RESULTS = "SELECT who, game, seats, matches, won, shared, points FROM results WHERE partition = :partition"
FIND_IN_GAME = f"{RESULTS} AND who >= :first AND who < :end AND game = :game"
FIND_OWN = f"{RESULTS} AND who = :who"


class Statistics:
    """Reads them."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    def played(self, game: str) -> tuple[Played, ...]:
        """Of a game, by number of seats."""
        found: dict[int, Played] = {}
        for row in self._store.find_everywhere(FIND_PLAYED, game=game):
            one = Played(*row)
            if (before := found.get(one.seats)) is not None:
                one = Played(
                    seats=one.seats,
                    matches=before.matches + one.matches,
                    moves=before.moves + one.moves,
                    least=min(before.least, one.least),
                    most=max(before.most, one.most),
                )
            found[one.seats] = one
        return tuple(found[seats] for seats in sorted(found))

    def by_kind(self, game: str, kind: str) -> tuple[Result, ...]:
        """Of a game, by who, of the seats (`seat`) or of the bots (`bot`)."""
        # ";" is the character after ":"
        return _sum(self._store.find_everywhere(FIND_IN_GAME, first=f"{kind}:", end=f"{kind};", game=game))

    def of_player(self, player: str) -> tuple[Result, ...]:
        """Of a player, by game and number of seats."""
        return _sum(self._store.find_everywhere(FIND_OWN, who=f"player:{player}"))


def _sum(rows: list[Row]) -> tuple[Result, ...]:
    found: dict[tuple[str, int, str], Result] = {}
    for row in rows:
        one = Result(*row)
        key = (one.game, one.seats, one.who)
        if (before := found.get(key)) is not None:
            one = Result(
                one.who,
                one.game,
                one.seats,
                *(a + b for a, b in zip(msgspec.structs.astuple(before)[3:], row[3:], strict=True)),
            )
        found[key] = one
    return tuple(found[key] for key in sorted(found))


def count(partition: int, game: str, seats: int, moves: int) -> Statement:
    """One more finished match."""
    return Statement(COUNT, {"partition": partition, "game": game, "seats": seats, "moves": moves})


def credit(partition: int, who: str, game: str, seats: int, *, firsts: int, points: int) -> Statement:
    """One more result of somebody who is one of so many firsts; 0: is none of them."""
    row = {"partition": partition, "who": who, "game": game, "seats": seats, "points": points}
    return Statement(CREDIT, {**row, "won": int(firsts == 1), "shared": int(firsts > 1)})
