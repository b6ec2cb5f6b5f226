"""What a start sets right: logs that came into the store meanwhile, and who is asked by rules that have changed."""

from __future__ import annotations

from typing import Annotated

import msgspec
import structlog

from domain import match
from domain.catalogue import Catalogue
from domain.match import Status
from events.batch import PARTITION
from events.codec import UnknownEvent, Unreadable
from events.sqlite import OF_STREAM, SqliteRecorder
from replays.log import FOREIGN, TRUTH, OtherRules, rules_of
from service import register, requests
from service.ledger import owed
from service.register import Chair, Entry, Register
from service.tables import Tables

logger = structlog.get_logger(__name__)

STRANGERS = f"""
SELECT stream, type, at, public FROM events
WHERE partition = {PARTITION} AND version = 1 AND instr(stream, '/') = 0
    AND NOT EXISTS (SELECT 1 FROM matches WHERE matches.id = events.stream)
"""
"""The opening events of matches that the register doesn't know."""

LAST = f"SELECT type FROM events WHERE {OF_STREAM} ORDER BY version DESC LIMIT 1"
STARTED = f"SELECT 1 FROM events WHERE {OF_STREAM} AND type = 'match/Started' LIMIT 1"

ASKED = """
SELECT DISTINCT decisions.match, events.public FROM decisions
JOIN events ON events.partition = decisions.partition AND events.stream = decisions.match AND events.version = 1
"""
"""The opening events of matches in which somebody is asked."""


class _Opening(msgspec.Struct, frozen=True):
    game: str
    seats: Annotated[int, msgspec.Meta(ge=1, le=100)]


def take_stock(recorder: SqliteRecorder, catalogue: Catalogue, found: Register, tables: Tables) -> None:
    """Once, before anything is served."""
    adopt(recorder)
    close_decisions(recorder, catalogue)
    open_decisions(recorder, found, tables)


def adopt(recorder: SqliteRecorder) -> None:
    """Enter the matches that were imported or forked beside the service: everybody may see and, if open, join them."""
    reader = recorder.reader()
    entries = []
    for match_id, kind, at, public in reader.execute(STRANGERS).fetchall():
        try:
            opening = msgspec.json.decode(public, type=_Opening)
        except msgspec.DecodeError:
            opening = None
        if opening is None or kind != match.OPENED:
            logger.warning("a log can't be read", match=match_id)
            continue
        entries.append(
            Entry(
                id=match_id,
                game=opening.game,
                status=_status(recorder, match_id),
                visibility=register.PUBLIC,
                creator=None,
                created=at,
                chairs=tuple(Chair(seat) for seat in range(opening.seats)),
            )
        )
    if entries:
        statements = [statement for entry in entries for statement in register.enter(entry)]
        recorder.write(lambda connection: requests.execute(connection, statements))
        logger.info("adopted", matches=len(entries))


def _status(recorder: SqliteRecorder, match_id: str) -> Status:
    reader = recorder.reader()
    (last,) = reader.execute(LAST, (match_id,)).fetchone()
    if last in match.LAST:
        return Status.FINISHED if last == match.FINISHED else Status.ABORTED
    return Status.PLAYING if reader.execute(STARTED, (match_id,)).fetchone() else Status.OPEN


def close_decisions(recorder: SqliteRecorder, catalogue: Catalogue) -> None:
    """Ask nobody in a match whose rules are not at hand: no answer could be judged, and bots would never be done."""
    for match_id, public in recorder.reader().execute(ASKED).fetchall():
        try:
            opening, game, _ = rules_of(match_id, public, catalogue)
            is_playable = opening.version == game.version
        except OtherRules:
            is_playable = False
        except Unreadable:
            continue  # whoever looks at it is told
        if not is_playable:
            recorder.append(match_id, [], decisions=())
            logger.warning("a match can't be played on by the rules at hand", match=match_id)


def open_decisions(recorder: SqliteRecorder, found: Register, tables: Tables) -> None:
    """Ask again where the rules have come back."""
    for entry in found.idle():
        try:
            log = tables.log(entry.id)
            if not log.has_own_rules:
                continue
            decisions = owed(log.game, tables.known(log, TRUTH), entry)
        except (Unreadable, UnknownEvent, *FOREIGN) as error:
            logger.warning("a match can't be played on", match=entry.id, error=str(error))
            continue
        recorder.append(entry.id, [], decisions=decisions)
