"""Matches of random bots, in the form of a store: the material on which folding and reading are measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any

from domain import matches, play
from domain.catalogue import Room
from domain.chance import Chance, Simulation
from domain.matches import Match
from domain.play import Told
from events.chain import Draft, Head, Stored, head_of
from events.store import Recorder, Write
from replays.log import codec_of, private_stream, seal

SECRET = bytes(range(32))
AT = "2026-03-01T12:00:00.000Z"


class Record:
    """A match that is played to its end, and its logs."""

    def __init__(self, room: Room, match_id: str, *, is_proven: bool = False) -> None:
        """`is_proven`: its chance comes from its seed, so that it can be played again."""
        self._is_proven = is_proven
        self._seeded: play.Dice | None = None
        self.game = room.game
        self.id = match_id
        self.events: list[Any] = []
        """The typed events of the match's own log."""
        self._codec = codec_of(room.game)
        self._streams: dict[str, list[Stored]] = {}
        self._chance = Simulation(match_id)
        pack = next(iter(room.packs.values()))
        seats = room.game.seats[-1]
        opened, self.state = play.open_match(
            room.game,
            pack.pack,
            pack_name=pack.name,
            pack_hash=pack.hash,
            seats=seats,
            options=room.game.Options(),
            secret=SECRET.hex(),
        )
        self._seal(match_id, (opened,))
        for seat in range(seats):
            # one secret for all: a nonce makes them different
            nonce = sha256(match_id.encode()).hexdigest() if is_proven and not seat else ""
            self._tell(play.take_seat(self.game, self.state, seat, nonce, dice_of=self._dice))
        while not self.state.is_over:
            self._step()

    def _dice(self, state: Match[Any]) -> play.Dice:
        if self._is_proven:
            self._seeded = play.dice(state)
        return self._roll

    def _roll(self, move: int) -> Chance:
        return self._chance if self._seeded is None else self._seeded(move)

    def _seal(self, stream: str, told: Iterable[Told]) -> bytes:
        log = self._streams.setdefault(stream, [])
        log.extend(seal(self._codec, head_of((log[-1],)) if log else Head(), stream, told, AT, SECRET))
        return log[-1].hash

    def _tell(self, told: tuple[Told, ...]) -> None:
        self._seal(self.id, told)
        events = [one.event for one in told]
        self.events.extend(events)
        self.state = matches.fold(self.game, self.state, events)

    def _step(self) -> None:
        game, state = self.game, self.state
        seat = matches.to_act(game, state)[0]
        decision = matches.decision_of(game, state, seat)
        move = self._chance.choose(game.legal(state.table, seat))
        if not matches.is_sealed(game, state):
            self._tell(play.played(game, state, seat, decision, move, self._roll)[0])
            return
        told = play.seal(game, state, seat, decision, move)
        sealed = self._seal(private_stream(self.id, seat), (told,)).hex()
        self.state = matches.answered(game, state, seat, told.event, sealed)
        if play.is_complete(game, self.state):
            self._tell(play.closed(game, self.state, self._roll)[0])

    def drafts(self) -> Iterator[Draft]:
        """Yield the events of the match's own log, as they were before they were sealed."""
        for one in self._streams[self.id]:
            yield Draft(one.type, one.schema, one.public, one.secret, one.actor, one.move)

    def store(self, recorder: Recorder) -> int:
        """Store the match, and return the number of events in its own log."""
        recorder.append(self.id, [Write(stream, 0, tuple(log)) for stream, log in self._streams.items()])
        return len(self._streams[self.id])
