"""The answers about a match, computed only from what the asker's seat may know."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from domain import matches
from domain.game import Lang
from domain.matches import PLAYING, Status
from events import chain
from events.chain import Stored
from events.keyring import Keyring
from events.receipts import Receipt
from events.store import Span, Store
from replays.log import TRUTH, private_stream
from service.accounts import BOT, Asker
from service.matches import shown
from service.matches.answers import Asked, Drawn, Event, Events, Match, Moved, Sealed, Then, Turn, Turns
from service.matches.playing import Moved as Made
from service.matches.states import Lobby, Look, Recent, States, check_open_to, seat_of, viewpoint
from service.problems import Forbidden, Problem, Unknown
from service.store import PUBLIC, Terms, Timetable

TERMS = 2048
"""The number of matches whose terms are kept."""

DRAWN = 512
"""The number of matches and viewers for which the last scene is kept."""


class _Answered(msgspec.Struct):
    decision: int


class Views:
    """Answers questions about matches."""

    def __init__(self, recorder: Store, lobby: Lobby, states: States, keyring: Keyring) -> None:
        self._recorder = recorder
        self._lobby = lobby
        self._states = states
        self._keyring = keyring
        self._times = Timetable(recorder)
        self._terms: Recent[str, Terms | None] = Recent(TERMS)
        self._drawn: shown.Kept = Recent(DRAWN)

    def look(
        self,
        match_id: str,
        asker: Asker,
        seat: int | None = None,
        *,
        any_when_over: bool = False,
        at_hand: bool = False,
    ) -> Look:
        """Return the match from the asker's seat, or from the seat of a bot that they play.

        `at_hand`: for answers that need of the lobby only who sits where, which may be slightly old.
        Raises:  Unknown, Forbidden; OtherRules, Unreadable when its log can't be read here.
        """
        for times, _ in enumerate(Status):
            kept = self._states.at_hand(match_id) if at_hand and not times else None
            try:
                entry = self._lobby.entry(match_id, asker) if kept is None else kept.entry
                check_open_to(entry, asker)
                own = viewpoint(entry, asker, seat, any_when_over=any_when_over)
                if kept is not None and own is None and entry.visibility != PUBLIC:
                    continue  # the link by which they come may be void by now
            except Problem:
                if kept is None:
                    raise
                continue  # in another process the seat may have changed hands since
            reader = None if entry.status == Status.OPEN else own
            viewer = TRUTH if entry.is_over else reader
            log = self._states.log(match_id)
            state = self._states.known(log, viewer)
            is_one = state.status == entry.status and (kept is None or kept.truth.version == state.version)
            if is_one and not self._has_changed_hands(match_id, asker, own, state):
                break
            # It has started or ended between the two reads, which must agree. Or the log has grown since the entry was
            # kept, perhaps because a seat was passed on.
        if entry.status == Status.OPEN:
            # who sits where must not be older than the version beside it
            entry = self._lobby.entry(match_id, asker)
        # they never change; an imported match has none
        terms = self._terms.get_or(match_id, lambda: self._times.terms(match_id)) if state.clocks.terms else None
        # who may look from any seat is not always who sits there
        return Look(entry, log, own, reader, viewer, state, terms, None if any_when_over else own)

    def _has_changed_hands(self, match_id: str, asker: Asker, own: int | None, state: matches.Match[Any]) -> bool:
        """Return whether the seat was passed on between the read of the lobby and that of the log."""
        if own is None or (own, "passed") not in state.clocks.handed or state.is_over or asker.may(BOT):
            return False
        return seat_of(self._lobby.entry(match_id, asker), asker) != own

    def match(self, look: Look, lang: Lang, *, scene: bool = False) -> Match:
        """Return the match as the asker may see it now."""
        return shown.shown(look, lang, self._lobby.last_move(look.log.id, look.state.version), scene=scene)

    def turns(self, asker: Asker) -> Turns:
        """Return the decisions that wait for the asker, soonest deadline first."""
        mine = f"player:{asker.player}"
        owed = sorted(
            self._recorder.decisions(mine), key=lambda decision: (not decision.due, decision.due, decision.match)
        )
        return Turns(
            [
                Turn(decision.match, decision.seat, decision.since, decision.due or None)
                for decision in owed
                if decision.who == mine
            ]
        )

    def events(
        self,
        look: Look,
        after: int,
        limit: int,
        lang: Lang | None,
        *,
        private: bool = False,
        drawn: Lang | None = None,
    ) -> Events:
        """Return a page of a log as the asker may read it, with texts in `lang` and scenes in `drawn` (None: none).

        Raises:  Forbidden if `private`, which is the log of the asker's seat, and they have no seat.
        """
        stream = look.log.id
        if private:
            if look.seat is None:
                raise Forbidden("not-seated")
            stream = private_stream(stream, look.seat)
        stored = self._recorder.read(stream, after, limit + 1)
        page = stored[:limit]
        drawings: Iterable[Drawn] = repeat(UNSET)
        if drawn and not private:
            versions = [event.version for event in page]
            drawings = shown.after_each(look, after, versions, drawn, self._drawn)
        events = self.shown(look, stored, lang, is_own=private, drawings=drawings)[:limit]
        return Events(events, page[-1].version if len(stored) > limit else None)

    def shown(
        self,
        look: Look,
        stored: Iterable[Stored],
        lang: Lang | None,
        *,
        is_own: bool = False,
        drawings: Iterable[Drawn] = repeat(UNSET),
    ) -> list[Event]:
        """Return events as the asker may read them, each with its text. `is_own`: from the asker's private log."""
        secret, is_open = look.log.secret, look.viewer == TRUTH or is_own
        events = [chain.show(event, look.reader, secret, is_open=is_open) for event in stored]
        told: Iterable[tuple[str | UnsetType, bool]] = (
            shown.told(look, events, lang) if lang else repeat((UNSET, False))
        )
        return [
            Event(**asdict(event), text=text, aside=is_aside or UNSET, scene=scene)
            for event, (text, is_aside), scene in zip(events, told, drawings, strict=False)
        ]

    def at(self, look: Look, version: int, lang: Lang, *, as_seat: bool, scene: bool = False) -> Then:
        """Return what was seen at a version: of a finished match all, or what a seat saw then. Raises Unknown."""
        if not 1 <= version <= look.state.version:
            raise Unknown("unknown-version", match=look.log.id, head=look.state.version)
        viewer = look.reader if as_seat else look.viewer
        state = look.log.fold(viewer, at=version)
        if state.status == Status.OPEN and viewer != TRUTH:
            # before the start nobody could see what a fork hides
            viewer, state = None, look.log.fold(None, at=version)
        table = asdict(shown.table(look, state, viewer, lang, scene=scene))
        return Then(id=look.log.id, version=version, status=state.status, seat=look.seat, **table)

    def export_tag(self, look: Look) -> str:
        """Return an ETag that changes whenever the export for the asker does."""
        own = 0 if look.seat is None else self._recorder.head(private_stream(look.log.id, look.seat)).version
        seat = "" if look.seat is None else look.seat
        return f"{seat}.{look.state.version}.{own}.{look.state.status}.{self._keyring.keys[-1].key}"

    def receipt(self, stream: str, version: int) -> Receipt:
        """Return the receipt for an event, which is read back from the store: only what is durable is signed.

        The caller must check who may read it: the match's readers, or only its seat for a private stream.
        """
        return self._keyring.sign(stream, chain.head_of(self._recorder.read(stream, version - 1, 1)))

    def moved(self, made: Made, match_id: str, asker: Asker, lang: Lang) -> Moved:
        """Return the answer to a move: what its append stored, as the mover may read it, and what is open now."""
        look = self._look_after(made, match_id, asker)
        events: list[Event] = []
        version, sealed, receipt = 0, None, None
        for span in made.appended.spans:
            if span.stream == match_id:
                stored = self._stored(made, span)
                version, receipt = span.last, self._keyring.sign(match_id, chain.head_of(stored))
                events = self.shown(look, stored, lang)
            elif span.stream == private_stream(match_id, made.seat):
                # deadlines of other seats under seal are in streams that are not shown
                version, sealed = self._sealed(self._stored(made, span)) or (version, sealed)
        return Moved(
            **asdict(shown.moves(look, lang)),
            version=version,
            events=events,
            receipt=receipt,
            sealed=sealed,
            status=look.state.status,
            others=self._others(made, look, lang) if made.tells_others else [],
        )

    def _sealed(self, stored: tuple[Stored, ...]) -> tuple[int, Sealed] | None:
        """Return the decision that was answered under seal, and where the answer is; None if there is no answer."""
        answer = next((event for event in stored if event.type == matches.SEALED), None)
        if answer is None:
            return None
        receipt = self._keyring.sign(answer.stream, chain.head_of((answer,)))
        sealed = Sealed(answer.stream, answer.version, answer.hash.hex(), receipt)
        return msgspec.json.decode(answer.public, type=_Answered).decision, sealed

    def _others(self, made: Made, look: Look, lang: Lang) -> list[Asked]:
        entry, log, changed = look.entry, look.log, made.changed
        if changed is None or entry.is_over:
            return []
        others = []
        for seat in matches.to_act(log.game, changed.position.truth):
            if seat != look.seat and entry.chairs[seat].played_by is not None:
                # a decision that an event has just opened is not answered yet
                known = self._states.seen(changed.position, seat) if changed.told else self._states.known(log, seat)
                other = Look(entry, log, seat, seat, seat, known, you=seat)
                if other.decision is not None:
                    others.append(Asked(**asdict(shown.moves(other, lang)), seat=seat))
        return others

    def _look_after(self, made: Made, match_id: str, asker: Asker) -> Look:
        """Return the match as the mover sees it after the move, without reading back what was just stored."""
        if made.changed is None or made.seen is None:
            return self.look(match_id, asker, made.seat)
        position = made.changed.position
        is_over = position.truth.status is not PLAYING
        viewer = TRUTH if is_over else made.seat
        state = position.truth if is_over else made.seen
        return Look(position.entry, position.log, made.seat, made.seat, viewer, state, you=made.seat)

    def _stored(self, made: Made, span: Span) -> tuple[Stored, ...]:
        if made.changed is not None:
            return made.changed.stored[span.stream]
        return self._recorder.read(span.stream, span.first - 1, span.last - span.first + 1)
