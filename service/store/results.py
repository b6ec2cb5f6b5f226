"""How matches ended, the finished matches of players, and the statistics of them.

How a match ended is written with the event that ends it, or read from its log later. A player's past and the statistics
count public matches that were opened here and played to their end, no forks. A row of the statistics lies in the
partition of the matches that it counts; reading adds the partitions up.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from events.store import Reader, Row, Statement
from service.store import lobby, people
from service.store.statements import Queries, insert, read_sql, reading, statement

SQL = read_sql("results", is_move=lobby.SQL["is_move"])


class Conduct(msgspec.Struct, frozen=True):
    """What happened to a seat during the match, for fair ratings."""

    resigned: bool
    by_clock: int
    """The number of open moves that the clock made for it; answers under seal are not counted."""
    handed_over: tuple[str, ...]
    """The reasons for which somebody else came to play for it, in order."""


def conducts(
    seats: int, resigned: Collection[int], by_clock: Mapping[int, int], handed: Sequence[tuple[int, str]]
) -> tuple[Conduct, ...]:
    """Return what happened to each seat. `handed`: the seats that were handed over, and why, in that order."""
    return tuple(
        Conduct(seat in resigned, by_clock.get(seat, 0), tuple(why for whose, why in handed if whose == seat))
        for seat in range(seats)
    )


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


_end = statement("match at how moves moved", SQL["end"])
_score = statement("match seat points place has_quit by_clock handed", SQL["score"])


def end(match_id: str, ended: Ended) -> list[Statement]:
    """Return the statements that note how the match ended."""
    points, ranking = (values or (None,) * len(ended.conducts) for values in (ended.points, ended.ranking))
    return [
        _end(match_id, ended),
        *(
            _score(match_id, seat, *of_seat, conduct.resigned, conduct.by_clock, " ".join(conduct.handed_over))
            for seat, (conduct, *of_seat) in enumerate(zip(ended.conducts, points, ranking, strict=True))
        ),
    ]


def untold(store: Reader) -> tuple[str, ...]:
    """Return the matches that are over but whose end the lobby does not know."""
    return tuple([id for (id,) in store.find_everywhere(SQL["untold"])])


enter_past = insert("history", "partition match player created seat", "ON CONFLICT DO NOTHING")
"""Enters a finished match of the player."""


class Past(msgspec.Struct, frozen=True):
    """A finished match of a player."""

    match: str
    created: str
    seat: int
    """The player's."""


class Rival(msgspec.Struct, frozen=True):
    """An opponent of a player: another player, or a bot of the service."""

    player: people.Who | None
    bot: str | None
    matches: int
    """The number of matches against them, among the newest 200."""


class History(Queries):
    """Reads these tables."""

    def page(self, player: str, limit: int, after: tuple[str, str]) -> tuple[Past, ...]:
        """Return the player's matches, newest first."""
        named = {"player": player, "moment": after[0], "after": after[1]}
        return self._first(limit, reading(Past), "created match", SQL["page"], named, is_last=True)

    def rivals(self, player: str, most: int, lately: int) -> tuple[Rival, ...]:
        """Return at most `most` rivals of the player's `lately` newest matches, those met most often first."""
        rows = self._store.find_everywhere(SQL["against"], player=player, limit=lately)
        newest = set(sorted({row[:2] for row in rows}, reverse=True)[:lately])
        met: dict[Row, int] = {}
        for row in rows:
            if row[:2] in newest:
                met[row[2:]] = met.get(row[2:], 0) + 1
        often = sorted(met.items(), key=lambda entry: (-entry[1], entry[0][0] or "", entry[0][1] or ""))
        return tuple(Rival(people.who(player, *named), bot, times) for (player, bot, *named), times in often[:most])

    def beside(self, player: str, most: int) -> tuple[people.Who, ...]:
        """Return the other players of the player's running matches, of each partition in its `most` newest."""
        rows = self._store.find_everywhere(SQL["beside"], player=player, limit=most)
        return tuple(people.somebody(*row) for row in rows)


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
    """The matches in which it shared the first place, also as all do where nobody wins."""
    points: int
    """The sum over all of them."""


class Statistics(Queries):
    """Reads these tables."""

    def played(self, game: str) -> tuple[Played, ...]:
        """Return the counts of a game, ordered by number of seats."""
        by_seats: dict[int, list[Row]] = {}
        for seats, *counts in self._store.find_everywhere(SQL["played"], game=game):
            by_seats.setdefault(seats, []).append(tuple(counts))
        columns = {seats: tuple(zip(*rows, strict=True)) for seats, rows in sorted(by_seats.items())}
        return tuple(
            Played(seats, sum(matches), sum(moves), min(least), max(most))
            for seats, (matches, moves, least, most) in columns.items()
        )

    def by_kind(self, game: str, kind: str) -> tuple[Result, ...]:
        """Return the results of a game's seats (`seat`) or bots (`bot`), ordered by who."""
        # ";" is the character after ":"
        return _sum(self._store.find_everywhere(SQL["results_in_game"], first=f"{kind}:", end=f"{kind};", game=game))

    def of_player(self, player: str) -> tuple[Result, ...]:
        """Return the results of a player, ordered by game and number of seats."""
        return _sum(self._store.find_everywhere(SQL["own_results"], who=f"player:{player}"))


def _sum(rows: list[Row]) -> tuple[Result, ...]:
    sums: dict[tuple[str, int, str], tuple[int, ...]] = {}
    for who, game, seats, *counts in rows:
        before = sums.get((game, seats, who), (0,) * len(counts))
        sums[game, seats, who] = tuple(a + b for a, b in zip(before, counts, strict=True))
    return tuple(Result(who, game, seats, *counts) for (game, seats, who), counts in sorted(sums.items()))


def credit(match: str, who: str, game: str, seats: int, *, firsts: int, points: int) -> Statement:
    """Return the statement that counts one more result of somebody who is one of `firsts` firsts, or (0) not first."""
    return _credit(match, who, game, seats, firsts == 1, firsts > 1, points)


_credit = statement("match who game seats won shared points", SQL["credit"])
count = statement("match game seats moves", SQL["count"])
"""Counts one more finished match."""
