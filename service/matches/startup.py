"""What a start puts right: logs that came into the store meanwhile, and decisions under rules that have changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import msgspec
import structlog

from domain import matches
from domain.catalogue import Catalogue
from domain.matches import Status
from events.codec import UnknownEvent, Unreadable
from events.store import Append, StaleVersion, Store, Write
from replays.files.exports import forked_from
from replays.log import FOREIGN, TRUTH, OtherRules, rules_of
from service.matches.conclusion import note_endings
from service.matches.deadlines import owed
from service.matches.lobby import Lobby
from service.matches.states import States
from service.store import PRIVATE, PUBLIC, Chair, Entry, listing, lobby, logs

logger = structlog.get_logger(__name__)


AT_ONCE = 256
"""The number of matches whose decisions are opened or closed in one commit."""


class _Heading(msgspec.Struct, frozen=True):
    game: str
    seats: Annotated[int, msgspec.Meta(ge=1, le=100)]


Progress = Callable[[], object]
"""Called for each match that was examined."""


def take_stock(
    recorder: Store,
    catalogue: Catalogue,
    found: Lobby,
    states: States,
    progress: Progress = lambda: None,
) -> None:
    """Put everything right. Called once by each process before it serves; other processes may be serving."""
    adopt(recorder, found, progress)
    note_endings(recorder, progress)
    close_decisions(recorder, catalogue, progress)
    open_decisions(recorder, catalogue, found, states, progress)


def adopt(recorder: Store, found: Lobby, progress: Progress = lambda: None) -> None:
    """Enter the matches that were imported or forked by commands: everybody may see them and, if open, join them.

    A fork of a private match is for those who may see that one, and its seats are reserved for those who sat there.
    """
    entries: dict[str, Entry] = {}
    for match_id, kind, at, public in logs.strangers(recorder):
        progress()
        try:
            opening = msgspec.json.decode(public, type=_Heading)
        except msgspec.DecodeError:
            opening = None
        if opening is None or kind != matches.OPENED:
            logger.warning("a log can't be read", match=match_id)
            continue
        entries[match_id] = Entry(
            id=match_id,
            game=opening.game,
            status=_status(recorder, match_id),
            visibility=PUBLIC,
            creator=None,
            created=at,
            chairs=tuple(Chair(seat) for seat in range(opening.seats)),
        )
    if entries:
        hide(entries, recorder, found)
        statements = [
            statement
            for entry in entries.values()
            for statement in listing.keep(entry.id, lobby.adopt(entry), is_new=True)
        ]
        recorder.write(statements)
        logger.info("adopted", matches=len(entries))


def hide(entries: dict[str, Entry], recorder: Store, found: Lobby) -> None:
    """Make those matches private that continue a private one, also through others of the new matches."""
    parents = {match_id: _parent(recorder, match_id) for match_id in entries}
    for match_id in tuple(entries):
        line, origin = [match_id], parents[match_id]
        while origin in entries and origin not in line:
            line.append(origin)
            origin = parents[origin]
        above = found.find(origin) if origin is not None else None
        if above is None or above.visibility == PUBLIC:
            continue
        for fork in reversed(line):
            entries[fork] = above = _kept_as(entries[fork], above)


def _parent(recorder: Store, match_id: str) -> str | None:
    try:
        forked = forked_from(recorder.read(match_id, 1, 1))
    except msgspec.DecodeError:
        return None  # the error is shown to whoever looks at the match
    return None if forked is None else forked.parent


def _kept_as(entry: Entry, parent: Entry) -> Entry:
    """Return the fork of a private match with its seats reserved for the players of the parent's."""
    whose = {chair.seat: chair.player or chair.reserved for chair in parent.chairs}
    return msgspec.structs.replace(
        entry,
        visibility=PRIVATE,
        creator=parent.creator,
        chairs=tuple(msgspec.structs.replace(chair, reserved=whose.get(chair.seat)) for chair in entry.chairs),
    )


def _status(recorder: Store, match_id: str) -> Status:
    last = logs.last_type(recorder, match_id)
    if last in matches.LAST:
        return Status.FINISHED if last == matches.FINISHED else Status.ABORTED
    return Status.PLAYING if logs.has_event(recorder, match_id, matches.STARTED) else Status.OPEN


def close_decisions(recorder: Store, catalogue: Catalogue, progress: Progress = lambda: None) -> None:
    """Ask nobody in matches whose rules are not available: no answer could be judged, and bots would try for ever."""
    lost: list[Append] = []
    for match_id, public in logs.asked(recorder):
        progress()
        # a match that can't be read is left as it is; the error is shown to whoever looks at it
        if _is_playable(match_id, public, catalogue) is False:
            lost.append(Append(match_id, (), decisions=()))
            logger.warning("a match can't be played on by the rules at hand", match=match_id)
    _append_all(recorder, lost, progress)


def open_decisions(
    recorder: Store,
    catalogue: Catalogue,
    found: Lobby,
    states: States,
    progress: Progress = lambda: None,
) -> None:
    """Ask again in matches whose rules are available again. No other match is folded."""
    asked: list[Append] = []
    for match_id, public in logs.idle(recorder):
        progress()
        try:
            entry = found.find(match_id) if _is_playable(match_id, public, catalogue) else None
            if entry is None:
                continue
            log = states.log(match_id)
            truth = states.folded(log, TRUTH)
            decisions = owed(log.game, log.on_top(truth, TRUTH), entry)
        except (Unreadable, UnknownEvent, *FOREIGN) as error:
            logger.warning("a match can't be played on", match=match_id, error=str(error))
            continue
        asked.append(Append(match_id, (Write(match_id, truth.version),), decisions=decisions))
    _append_all(recorder, asked, progress)


def _append_all(recorder: Store, appends: list[Append], progress: Progress) -> None:
    """Append them, many in a commit."""
    for start in range(0, len(appends), AT_ONCE):
        for result in recorder.append_all(appends[start : start + AT_ONCE]):
            progress()
            # another process may be serving and have changed the match
            if isinstance(result, BaseException) and not isinstance(result, StaleVersion):
                raise result


def _is_playable(match_id: str, public: bytes, catalogue: Catalogue) -> bool | None:
    """Return whether the match's version of the rules is available; None if its opening event can't be read."""
    try:
        opening, game, _ = rules_of(match_id, public, catalogue)
    except OtherRules:
        return False
    except Unreadable:
        return None
    return opening.version == game.version
