"""The command `list`: the matches of a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import click
import msgspec

from domain import matches
from domain.catalogue import Catalogue
from domain.matches import LAST, Status
from events.chain import Stored
from events.store import Reader, StoreError
from replays.commands import reading
from replays.commands.place import Place, at_place
from replays.commands.reading import Wrong
from replays.printing import say, say_json

FEW = 20
"""How many matches are listed by default."""

MANY = 10**9
"""The most that can be asked for, which is more than any store holds."""


class Entry(msgspec.Struct, frozen=True):
    """What is known of a match without its rules."""

    match: str
    game: str
    status: Status
    rules: int
    """The version of the game's rules."""
    pack: str
    seats: int
    version: int
    """The version of its last event."""
    opened: str
    last: str
    """`opened` and `last`: when it was opened, and when its last event was stored: UTC, RFC 3339."""


class Listing(msgspec.Struct, frozen=True):
    """What is printed as JSON."""

    matches: tuple[Entry, ...]
    more: bool
    """Whether there are further matches."""


class _Opened(msgspec.Struct, frozen=True):
    game: str
    version: int
    pack: str
    seats: int


_opened = msgspec.json.Decoder(_Opened)


@click.command("list")
@at_place
@click.option("--game", default=None, help="Only matches of this game, e.g. three-magic.")
@click.option(
    "--status", type=click.Choice([one.value for one in Status]), default=None, help="Only matches with this status."
)
@click.option("--limit", type=click.IntRange(1, MANY), default=FEW, show_default=True, help="The most matches to list.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def list_(place: Place, game: str | None, status: str | None, limit: int, as_json: bool) -> None:
    """List the matches of the store, one on each line, newest first."""
    with reading.reading(place.name), reading.store(place) as (store, catalogue):
        if game is not None:
            check_game(store, catalogue, game)
        entries = tuple(islice(_fitting(store, game, status), limit + 1))
    listing = Listing(entries[:limit], more=len(entries) > limit)
    if as_json:
        say_json(listing)
    else:
        say(_words(listing))


def check_game(store: Reader, catalogue: Catalogue, game: str) -> None:
    """Check that the game exists, or that the store has a match of it. Raises Wrong, StoreError."""
    if game not in catalogue.rooms and game not in {opening.game for _, opening in _openings(store)}:
        raise Wrong(f"There is no game {game!r}; there is {', '.join(catalogue.rooms)}.")


def game_of(store: Reader, match_id: str) -> str:
    """Return the game of a match, without needing its rules. Raises StoreError for a damaged match."""
    return _opening(store.read(match_id, 0, 1)[0]).game


def status_of(store: Reader, match_id: str) -> Status:
    """Return the status of a match, without needing its rules."""
    last = store.read(match_id, store.head(match_id).version - 1)[0]
    # the whole log is needed only for a match that is not over
    return matches.status_of([last.type] if last.type in LAST else [kind for kind, *_ in store.facts(match_id)])


def _openings(store: Reader) -> Iterator[tuple[Stored, _Opened]]:
    """Yield the first event of every match, as it is stored and decoded. Raises StoreError for a damaged one."""
    for match_id in store.matches():
        for first in store.read(match_id, 0, 1):
            yield first, _opening(first)


def _opening(first: Stored) -> _Opened:
    try:
        return _opened.decode(first.public)
    except msgspec.DecodeError as error:
        raise StoreError(f"The opening event of {first.stream}: {error}") from error


def _fitting(store: Reader, game: str | None, status: str | None) -> Iterator[Entry]:
    """Yield the matches of that game and status, newest first."""
    opened = [(first, opening) for first, opening in _openings(store) if game is None or opening.game == game]
    for first, opening in sorted(opened, key=lambda pair: (pair[0].at, pair[0].stream), reverse=True):
        now = status_of(store, first.stream)
        if status is None or now == status:
            head = store.head(first.stream)
            yield Entry(
                match=first.stream,
                game=opening.game,
                status=now,
                rules=opening.version,
                pack=opening.pack,
                seats=opening.seats,
                version=head.version,
                opened=first.at,
                last=head.at,
            )


def _words(listing: Listing) -> Iterable[str]:
    if not listing.matches:
        yield "no matches"
    wide = max((len(entry.match) for entry in listing.matches), default=0)
    game = max((len(entry.game) for entry in listing.matches), default=0)
    for entry in listing.matches:
        opened = entry.opened[:16].replace("T", " ")
        yield (
            f"{entry.match:{wide}}  {entry.game:{game}}  {entry.status:8}  {entry.seats} seats"
            f"  version {entry.version:<5}"
            f"  opened {opened}, pack {entry.pack}"
        )
    if listing.more:
        yield f"and more: --limit {2 * len(listing.matches)} lists more of them"
