"""The checks that need the rules: LOG-11 to LOG-15 of docs/log.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from domain import clocks, matches, orders, play, refusals
from domain.catalogue import Catalogue
from domain.game import PackError, Refusal
from domain.happenings import OrderGiven, OrderWithdrawn
from domain.matches import BY_CLOCK, NOT_ASKED, AnswersClosed, Finished, Match, RungSealed
from domain.play import Told
from events.chain import Stored
from events.codec import UnknownEvent, Unreadable
from replays.checking.proof import Fault
from replays.checking.redo import Again, Redo
from replays.files.format import ALL, BadFile, Export
from replays.log import FOREIGN, Log, OtherRules, UnknownMatch, private_stream


class Places:
    """The places of a file's events, by stream and version."""

    def __init__(self, export: Export) -> None:
        self._places = {(event.stream, event.version): place for place, event in enumerate(export.file.events, 1)}

    def fault(self, check: str, stream: str, version: int, reason: str, clause: str = "") -> Fault:
        """Return a fault of that event."""
        return Fault(self._places.get((stream, version), 0), check, stream, version, reason, clause)


def not_at_hand(game: str, version: int, match_id: str, catalogue: Catalogue) -> str:
    """Return the sentence that this version of the game's rules is not available; "" if it is."""
    room = catalogue.rooms.get(game)
    if room is None:
        return str(OtherRules("game", match=match_id, game=game, version=version))
    return "" if room.game.by(version) else str(OtherRules.of_version(match_id, version, room.game))


def faults(export: Export, catalogue: Any, parents: tuple[str, ...]) -> Iterator[Fault]:
    """Yield everything in the match, and in the matches that it continues, that the rules do not bring about."""
    places = Places(export)
    try:
        export.pack_for(catalogue)
    except (BadFile, PackError) as error:
        yield places.fault("rules", export.header.match, 0, str(error))
        return
    for stream in (export.header.match, *parents):
        yield from _stream(export, stream, catalogue, places)


def _stream(export: Export, stream: str, catalogue: Any, places: Places) -> Iterator[Fault]:
    try:
        log = Log(export, stream, catalogue)
        log.need_own_rules()
    except (OtherRules, UnknownMatch, Unreadable, *FOREIGN) as error:
        yield places.fault("rules", stream, 0, str(error))
        return
    viewer = export.header.viewer
    if viewer != ALL:
        yield from _seen(log, None if viewer is None else int(viewer), places)
    else:
        yield from _played(log, places, has_answers=stream == export.header.match)


def _decoded(log: Log, events: Iterable[Stored]) -> list[Any]:
    """Return the typed events of a stream. Raises Unread."""
    events_read = []
    for stored in events:
        try:
            events_read.append(log.codec.decode(stored.type, stored.schema, stored.public, stored.secret))
        except (UnknownEvent, Unreadable, *FOREIGN) as error:
            raise Unread(stored.stream, stored.version, str(error)) from error
    return events_read


class Unread(Exception):
    """An event that can't be read."""

    def __init__(self, stream: str, version: int, reason: str) -> None:
        super().__init__(reason)
        self.stream = stream
        self.version = version


def _seen(log: Log, viewer: int | None, places: Places) -> Iterator[Fault]:
    """Check of a running match that what the viewer may see can be folded."""
    try:
        events = _decoded(log, log.store.read(log.id))
        state = matches.begin(log.game, log.pack.pack, events[0])
        for seat in range(log.opening.seats):
            Given(log, seat)
            _decoded(log, log.ordered(seat))
    except Unread as error:
        yield places.fault("rules", error.stream, error.version, str(error))
        return
    except FOREIGN as error:
        yield places.fault("rules", log.id, 1, f"it can't be folded: {error}")
        return
    for version, event in enumerate(events[1:], 2):
        try:
            state = matches.evolve(log.game, state, event)
        except FOREIGN as error:
            yield places.fault("rules", log.id, version, f"it can't be folded: {type(error).__name__}: {error}")
            return


def _played(log: Log, places: Places, *, has_answers: bool) -> Iterator[Fault]:
    """Check of a finished match that playing it again gives the same events."""
    stored = log.store.read(log.id)
    try:
        events = _decoded(log, stored)
        given = [Given(log, seat) for seat in range(log.opening.seats if has_answers else 0)]
    except Unread as error:
        yield places.fault("rules", error.stream, error.version, str(error))
        return
    at, is_wrong = 0, False
    try:
        answers = {seat_log.seat: seat_log.answers for seat_log in given}
        redo = Redo(log.game, log.pack.pack, events, answers if has_answers else None)
        for fault in _opening(log, events, stored, places):
            is_wrong = True
            yield fault
        for piece in redo.steps():
            sealed = _closed(log, redo, piece, events[piece.at], given, places)
            for fault in (*_piece(log, redo, piece, events, stored, places), *sealed):
                is_wrong = True
                yield fault
            at = piece.end
    except FOREIGN as error:
        # after an event that differs the rules may fail on those that follow
        if not is_wrong:
            reason = f"the rules can't make it: {type(error).__name__}: {error}"
            yield places.fault(
                "move" if matches.begins_move(events[at]) else "rules", log.id, stored[at].version, reason
            )
        return
    for seat_log in given:
        yield from _left(log, redo, seat_log, places)
        yield from _orders(log, seat_log.seat, places)


def _orders(log: Log, seat: int, places: Places) -> Iterator[Fault]:
    """Check that the seat's orders are possible in this game, are counted from 1, and end once."""
    standing: orders.Standing = {}
    given = 0
    for stored in log.ordered(seat):
        try:
            (event,) = _decoded(log, [stored])
            again: OrderGiven | OrderWithdrawn
            if isinstance(event, OrderGiven):
                again = orders.give(log.game, standing, given, event.rule)
                given += 1
            else:
                again = orders.withdraw(standing, event.order)
        except Unread as error:
            yield places.fault("rules", error.stream, error.version, str(error))
            return
        except Refusal as error:
            yield _refused(log, error, stored, places)
            return
        yield from _unlike(log, orders.told(again, seat), stored, places, "events")
        standing = orders.evolve(standing, event)


class Given:
    """The content of a seat's private log, as far as it is known."""

    def __init__(self, log: Log, seat: int) -> None:
        """Read the log. Raises Unread."""
        self.seat = seat
        self.stored = log.answers(seat)
        self.answers = _decoded(log, self.stored)
        rungs = [event for event in log.store.read(private_stream(log.id, seat)) if log.is_rung(event)]
        self.rungs: list[list[tuple[RungSealed, Stored]]] = [[] for _ in range(len(self.answers) + 1)]
        """The deadlines before each answer, and those after the last."""
        for rung, event in zip(_decoded(log, rungs), rungs, strict=True):
            self.rungs[sum(answer.version < event.version for answer in self.stored)].append((rung, event))


def _closed(log: Log, redo: Redo, piece: Again, first: Any, given: list[Given], places: Places) -> Iterator[Fault]:
    """Check the private events that a closing has used: who gave the answers and when, and their deadlines."""
    if piece.refusal is not None or not isinstance(first, AnswersClosed):
        return
    for seat_log in given:
        answer, number = first.answers[seat_log.seat], redo.taken[seat_log.seat]
        if answer is not None and answer.answer != NOT_ASKED:
            yield from _answer(log, piece.before, seat_log, number, places)
            yield from _rungs(log, piece.before, seat_log, number, places)


def _left(log: Log, redo: Redo, given: Given, places: Places) -> Iterator[Fault]:
    """Check the private events that no closing has used: they must belong to the decision that was open at the end."""
    taken = redo.taken[given.seat]
    for number, answer in enumerate(given.stored[taken:], taken):
        try:
            redo.judge(given.seat, given.answers[number])
        except (Refusal, *FOREIGN) as error:
            yield _refused(log, error, answer, places)
        else:
            yield from _answer(log, redo.rest, given, number, places)
    for number in range(taken, len(given.rungs)):
        yield from _rungs(log, redo.rest, given, number, places, is_answered=number > taken)


def _answer(log: Log, state: Match[Any], given: Given, number: int, places: Places) -> Iterator[Fault]:
    event = given.answers[number]
    actor = play.CLOCK if event.cause is BY_CLOCK else f"seat:{given.seat}"
    yield from _unlike(log, Told(event, actor, state.moves + 1), given.stored[number], places, "events")


def _rungs(
    log: Log, state: Match[Any], given: Given, number: int, places: Places, *, is_answered: bool = False
) -> Iterator[Fault]:
    """Check the deadlines before the answer of that number: there is at most one."""
    for at, (rung, event) in enumerate(given.rungs[number]):
        try:
            if at or is_answered:
                raise Refusal("", "deadline-set", seat=given.seat)
            clocks.check_rung(log.game, state, given.seat, rung)
        except (Refusal, *FOREIGN) as error:
            yield _refused(log, error, event, places)
        else:
            yield from _unlike(log, Told(rung, play.CLOCK, state.moves + 1), event, places, "events")


def _refused(log: Log, error: Exception, stored: Stored, places: Places) -> Fault:
    if isinstance(error, Refusal):
        sentence = refusals.say(log.game, error, "en")
        return places.fault("move", stored.stream, stored.version, sentence, error.clause)
    return places.fault("move", stored.stream, stored.version, str(error))


def _opening(log: Log, events: list[Any], stored: tuple[Stored, ...], places: Places) -> Iterator[Fault]:
    """Check that a match can be opened this way."""
    opened = events[0]
    game = log.game
    if opened.seats not in game.seats:
        yield places.fault("move", log.id, 1, f"{game.slug} is not played with {opened.seats} seats")
    try:
        game.check_options(opened.options, opened.seats, log.pack.pack)
    except Refusal as error:
        yield places.fault("move", log.id, 1, refusals.say(game, error, "en"), error.clause)
    yield from _unlike(log, Told(opened, "service", 0), stored[0], places, "events")
    if len(events) > 1 and isinstance(events[1], matches.Forked):
        yield from _unlike(log, Told(events[1], "service", 0), stored[1], places, "events")


def _piece(
    log: Log, redo: Redo, piece: Again, events: list[Any], stored: tuple[Stored, ...], places: Places
) -> Iterator[Fault]:
    version = stored[piece.at].version
    if piece.refusal is not None:
        check = "events" if piece.refusal.code in {"answers", "no-such-answer", "left-over"} else "move"
        yield places.fault(check, log.id, version, refusals.say(log.game, piece.refusal, "en"), piece.refusal.clause)
        return
    for index, entry in enumerate(piece.told):
        at = piece.at + index
        if at >= piece.end:
            lacks = type(entry.event).__name__
            check = "result" if isinstance(entry.event, Finished) else "events"
            yield places.fault(check, log.id, stored[piece.end - 1].version, f"a {lacks} should follow")
            return
        check = "events"
        if type(events[at]) is type(entry.event):
            if isinstance(entry.event, Finished):
                check = "result"
            elif events[at] != entry.event and redo.depends_on_chance(piece, index):
                check = "chance"
        elif redo.depends_on_chance(piece, index):
            check = "chance"
        differences = list(_unlike(log, entry, stored[at], places, check))
        if differences:
            yield from differences
            return
    if piece.at + len(piece.told) < piece.end:
        at = piece.at + len(piece.told)
        check = "result" if isinstance(events[at], Finished) else "events"
        yield places.fault(
            check, log.id, stored[at].version, f"a {type(events[at]).__name__} that no move brought about"
        )


def _unlike(log: Log, entry: Told, stored: Stored, places: Places, check: str) -> Iterator[Fault]:
    """Check that the stored event is the one of the rules: to the byte, or for an older schema by value."""
    draft = log.codec.encode(entry.event, entry.actor, entry.move)
    reason = ""
    if (stored.type, stored.schema) != (draft.type, draft.schema):
        again = log.codec.decode(stored.type, stored.schema, stored.public, stored.secret)
        if again != entry.event:
            reason = f"{stored.type} stands where {draft.type} belongs"
    elif stored.public != draft.public:
        reason = _difference(stored.public, draft.public)
    elif stored.secret != draft.secret:
        reason = _difference(stored.secret, draft.secret)
    if not reason and stored.actor != draft.actor:
        reason, check = f"the actor is {stored.actor}, and {draft.actor} by the rules", "events"
    if not reason and stored.move != draft.move:
        reason, check = f"it belongs to move {stored.move}, and to {draft.move} by the rules", "events"
    if reason:
        yield places.fault(check, stored.stream, stored.version, reason)


def _difference(stored: bytes, expected: bytes) -> str:
    """Return a sentence about the first field that differs."""
    ours, theirs = msgspec.json.decode(expected), msgspec.json.decode(stored)
    for name in sorted({*ours, *theirs}):
        if ours.get(name) != theirs.get(name):
            return f"{name} is {_short(theirs.get(name))}, and {_short(ours.get(name))} by the rules"
    return "it is written in another way"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 120 else f"{text[:117]}..."
