"""Matches played into a store by bots, without a service."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bots import BOTS
from domain import matches, play
from domain.catalogue import Room
from domain.chance import Simulation
from domain.matches import Cause, Match
from domain.play import Told
from events.store import Recorder, Write
from replays.log import codec_of, private_stream, seal

SECRET = "5c" * 32
AT = "2026-03-01T12:00:00.000Z"


class Stage:
    """A match that is being played."""

    def __init__(
        self,
        recorder: Recorder,
        room: Room,
        match_id: str,
        bots: Sequence[str],
        fork: Sequence[Told] | None = None,
        **options: Any,
    ) -> None:
        """`fork`: what opens the match, if it goes on from another one."""
        self._secret = bytes.fromhex(SECRET if fork is None else fork[0].event.secret)
        self.recorder = recorder
        self.game = room.game
        self.id = match_id
        self._bots = bots
        self._chance = Simulation(match_id)
        pack = next(iter(room.packs.values()))
        opened, self.state = play.open_match(
            room.game,
            pack.pack,
            pack_name=pack.name,
            pack_hash=pack.hash,
            seats=len(bots),
            options=room.game.Options(**options),
            secret=SECRET,
        )
        self._append(match_id, (opened,) if fork is None else fork)
        if fork is not None:
            start = matches.begin(room.game, pack.pack, fork[0].event)
            self.state = matches.fold(room.game, start, (one.event for one in fork[1:]))

    def _append(self, stream: str, told: Iterable[Told]) -> bytes:
        head = self.recorder.head(stream)
        stored = seal(codec_of(self.game), head, stream, told, AT, self._secret)
        self.recorder.append(self.id, [Write(stream, head.version, stored)])
        return stored[-1].hash

    def tell(self, told: tuple[Told, ...]) -> None:
        """Write what happened into the match's log."""
        self._append(self.id, told)
        self.state = matches.fold(self.game, self.state, (one.event for one in told))

    def seat_all(self, nonce: str = "") -> None:
        """Everybody sits down, seat 0 with the nonce, and the match starts."""
        for seat in range(len(self._bots)):
            self.tell(play.take_seat(self.game, self.state, seat, "" if seat else nonce))

    def step(self) -> None:
        """One seat answers; the last answer under seal closes."""
        seat = matches.to_act(self.game, self.state)[0]
        self.answer(seat, BOTS[self._bots[seat]].choose(self.game, self.state.table, seat, self._chance))

    def answer(self, seat: int, move: Any, cause: Cause = Cause.SEAT) -> None:
        state, game = self.state, self.game
        decision = matches.decision_of(game, state, seat)
        if not matches.is_sealed(game, state):
            self.tell(play.played(game, state, seat, decision, move, play.dice(state), cause)[0])
            return
        told = play.seal(game, state, seat, decision, move, cause)
        sealed = self._append(private_stream(self.id, seat), (told,))
        self.state = matches.answered(game, state, seat, told.event, sealed.hex())
        if play.is_complete(game, self.state):
            self.tell(play.closed(game, self.state, play.dice(self.state))[0])

    def step_until_sealed(self) -> None:
        """Play until somebody has answered under seal, and somebody has not."""
        while not (matches.is_sealed(self.game, self.state) and any(one.sealed for one in self.state.answers)):
            self.step()

    def abort(self) -> None:
        self.tell(play.abort(self.state, "operator"))

    def finish(self) -> Match[Any]:
        while not self.state.is_over:
            self.step()
        return self.state
