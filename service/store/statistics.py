"""Statistics of finished matches: by game and number of seats, and by player or bot.

A row lies in the partition of the matches that it counts; reading adds the partitions up.
"""

from __future__ import annotations

import msgspec

from events.store import Reader, Row, Statement


class Played(msgspec.Struct, frozen=True):
    """Finished matches of a game with that number of seats, and how many moves they took."""

    seats: int
    matches: int
    moves: int
    """The sum over all of them."""
    least: int
    most: int


class Result(msgspec.Struct, frozen=True):
    """The results of a player, a bot or a seat in finished matches of a game with that number of seats."""

    who: str
    """`player:ID`, `bot:NAME`, `seat:NUMBER`."""
    game: str
    seats: int
    matches: int
    won: int
    """The matches that it won alone."""
    shared: int
    """The matches that it won together with others."""
    points: int
    """The sum over all of them."""


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
    """Reads these tables."""

    def __init__(self, store: Reader) -> None:
        self._store = store

    def played(self, game: str) -> tuple[Played, ...]:
        """Return the counts of a game, ordered by number of seats."""
        sums: dict[int, Played] = {}
        for row in self._store.find_everywhere(FIND_PLAYED, game=game):
            row_sum = Played(*row)
            if (before := sums.get(row_sum.seats)) is not None:
                row_sum = Played(
                    seats=row_sum.seats,
                    matches=before.matches + row_sum.matches,
                    moves=before.moves + row_sum.moves,
                    least=min(before.least, row_sum.least),
                    most=max(before.most, row_sum.most),
                )
            sums[row_sum.seats] = row_sum
        return tuple(sums[seats] for seats in sorted(sums))

    def by_kind(self, game: str, kind: str) -> tuple[Result, ...]:
        """Return the results of a game's seats (`seat`) or bots (`bot`), ordered by who."""
        # ";" is the character after ":"
        return _sum(self._store.find_everywhere(FIND_IN_GAME, first=f"{kind}:", end=f"{kind};", game=game))

    def of_player(self, player: str) -> tuple[Result, ...]:
        """Return the results of a player, ordered by game and number of seats."""
        return _sum(self._store.find_everywhere(FIND_OWN, who=f"player:{player}"))


def _sum(rows: list[Row]) -> tuple[Result, ...]:
    sums: dict[tuple[str, int, str], Result] = {}
    for row in rows:
        result = Result(*row)
        key = (result.game, result.seats, result.who)
        if (before := sums.get(key)) is not None:
            result = Result(
                result.who,
                result.game,
                result.seats,
                *(a + b for a, b in zip(msgspec.structs.astuple(before)[3:], row[3:], strict=True)),
            )
        sums[key] = result
    return tuple(sums[key] for key in sorted(sums))


def count(partition: int, game: str, seats: int, moves: int) -> Statement:
    """Return the statement that counts one more finished match."""
    return Statement(COUNT, {"partition": partition, "game": game, "seats": seats, "moves": moves})


def credit(partition: int, who: str, game: str, seats: int, *, firsts: int, points: int) -> Statement:
    """Return the statement that counts one more result of somebody who is one of `firsts` firsts, or (0) not first."""
    row = {"partition": partition, "who": who, "game": game, "seats": seats, "points": points}
    return Statement(CREDIT, {**row, "won": int(firsts == 1), "shared": int(firsts > 1)})
