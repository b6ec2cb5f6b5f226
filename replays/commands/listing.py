"""The command that says which matches there are: `list`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import click
import msgspec

from domain import matches
from domain.catalogue import Catalogue
from domain.matches import LAST, Status
from events.envelope import Stored
from events.store import Reader, StoreError
from replays.commands import reading
from replays.commands.place import Place, at_place
from replays.commands.reading import Wrong
from replays.printing import say, say_json

FEW = 20
"""Matches that are listed unless more are asked for."""

MANY = 10**9
"""Most that can be asked for: more than any store holds."""


class Entry(msgspec.Struct, frozen=True):
    """What is told of a match without its rules, which need not be at hand."""

    match: str
    game: str
    status: Status
    rules: int
    """The version of the game's rules."""
    pack: str
    seats: int
    version: int
    """Of its last event."""
    opened: str
    last: str
    """When it was opened, and when its last event was told: UTC, RFC 3339."""


class Listing(msgspec.Struct, frozen=True):
    """What is printed as JSON."""

    matches: tuple[Entry, ...]
    more: bool
    """Whether there are others that fit."""


class _Opened(msgspec.Struct, frozen=True):
    game: str
    version: int
    pack: str
    seats: int


_opened = msgspec.json.Decoder(_Opened)


@click.command("list")
@at_place
@click.option("--game", default=None, help="Only matches of this game, e.g. three-magic.")
@click.option("--status", type=click.Choice([one.value for one in Status]), default=None, help="Only such matches.")
@click.option("--limit", type=click.IntRange(1, MANY), default=FEW, show_default=True, help="How many at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(place: Place, game: str | None, status: str | None, limit: int, as_json: bool) -> None:
    """List the matches of the store, a match a line, those that were opened last first."""
    with reading.reading(place.name), reading.store(place) as (store, catalogue):
        if game is not None:
            check_game(store, catalogue, game)
        found = tuple(islice(_fitting(store, game, status), limit + 1))
    listing = Listing(found[:limit], more=len(found) > limit)
    if as_json:
        say_json(listing)
    else:
        say(_words(listing))


def check_game(store: Reader, catalogue: Catalogue, game: str) -> None:
    """Raises Wrong for a game that is not at hand and that no match of the store is of; StoreError."""
    if game not in catalogue.rooms and game not in {one.game for _, one in _openings(store)}:
        raise Wrong(f"There is no game {game!r}; there is {', '.join(catalogue.rooms)}.")


def game_of(store: Reader, match_id: str) -> str:
    """The game of a match, whose rules need not be at hand. Raises StoreError for a damaged one."""
    return _opening(store.read(match_id, 0, 1)[0]).game


def status_of(store: Reader, match_id: str) -> Status:
    """Where a match is in its life; its rules need not be at hand."""
    last = store.read(match_id, store.head(match_id).version - 1)[0]
    # only of one that is not over does the whole log tell
    return matches.status_of([last.type] if last.type in LAST else [kind for kind, *_ in store.facts(match_id)])


def _openings(store: Reader) -> Iterator[tuple[Stored, _Opened]]:
    """The first event of every match, as it is stored and what it says. Raises StoreError for a damaged one."""
    for match_id in store.matches():
        for first in store.read(match_id, 0, 1):
            yield first, _opening(first)


def _opening(first: Stored) -> _Opened:
    try:
        return _opened.decode(first.public)
    except msgspec.DecodeError as error:
        raise StoreError(f"The opening event of {first.stream}: {error}") from error


def _fitting(store: Reader, game: str | None, status: str | None) -> Iterator[Entry]:
    """The matches of that game and status, the last one that was opened first."""
    opened = [(first, said) for first, said in _openings(store) if game is None or said.game == game]
    for first, said in sorted(opened, key=lambda one: (one[0].at, one[0].stream), reverse=True):
        now = status_of(store, first.stream)
        if status is None or now == status:
            head = store.head(first.stream)
            yield Entry(
                match=first.stream,
                game=said.game,
                status=now,
                rules=said.version,
                pack=said.pack,
                seats=said.seats,
                version=head.version,
                opened=first.at,
                last=head.at,
            )


def _words(listing: Listing) -> Iterable[str]:
    if not listing.matches:
        yield "no matches"
    wide = max((len(one.match) for one in listing.matches), default=0)
    game = max((len(one.game) for one in listing.matches), default=0)
    for one in listing.matches:
        opened = one.opened[:16].replace("T", " ")
        yield (
            f"{one.match:{wide}}  {one.game:{game}}  {one.status:8}  {one.seats} seats  version {one.version:<5}"
            f"  opened {opened}, pack {one.pack}"
        )
    if listing.more:
        yield f"and more: --limit {2 * len(listing.matches)} lists more of them"
