"""Matches that were played and exported: what audits, and what is tampered with."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from domain.matches import Finished, MatchConceded
from domain.play import Told
from events.keyring import Keyring
from events.memory import MemoryRecorder
from replays.checking.audit import Report, audit, unread
from replays.files import exports
from replays.files.format import BadFile, Export, File, read
from replays.log import Log
from tests.replays.forgery import Forger
from tests.replays.staged import AT, SECRET, Stage

NONCE = "a7" * 32


@cache
def games() -> Catalogue:
    """The house's, and the toy room beside them."""
    return Catalogue((domain.games, tests.toy))


@cache
def keyring() -> Keyring:
    """Of the service that exports."""
    return Keyring.open(Path(mkdtemp()) / "keys", AT)


@cache
def private_key() -> Ed25519PrivateKey:
    """What only the service's operator has."""
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(json.loads(keyring().path.read_text())["private"]))


def stage(slug: str, bots: Sequence[str] = (), *, match_id: str = "m_1", nonce: str = "", **options: Any) -> Stage:
    """A match with everybody on their seats."""
    room = games().rooms[slug]
    seats = tuple(bots) or ("random", "greedy", "random", "greedy", "random")[: room.game.seats[0]]
    staged = Stage(MemoryRecorder(), room, match_id, seats, **options)
    staged.seat_all(nonce)
    return staged


def export(staged: Stage, seat: int | None = None) -> bytes:
    return b"".join(exports.lines(Log(staged.recorder, staged.id, games()), keyring(), seat))


@cache
def finished(slug: str, nonce: str = "") -> bytes:
    """The export of a match that was played to its end."""
    staged = stage(slug, nonce=nonce)
    staged.finish()
    return export(staged)


@cache
def conceded(seats: int = 2) -> bytes:
    """A match that seat 0 has given up after a move, and the others win by it: also with more of them than may be."""
    staged = stage("high-card", ("greedy",) * seats, rounds=3)
    staged.step()
    points = staged.game.standing(staged.state.table).points
    ranking = (2, *(1 for _ in range(seats - 1)))
    ended = (MatchConceded(seat=0), Finished(points=points, ranking=ranking, secret=SECRET))
    moves = staged.state.moves
    staged.tell(tuple(Told(event, who, moves) for event, who in zip(ended, ("seat:0", "service"), strict=True)))
    return export(staged)


@cache
def with_sealed_answers() -> bytes:
    """A finished match of the toy room in which both seats answered under seal, one of them twice."""
    staged = stage("high-card", ("random", "random"), match_id="m_29", nonce=f"{29:064x}", rounds=3)
    staged.finish()
    assert [staged.recorder.head(f"m_29/seat:{seat}").version for seat in (0, 1)] == [1, 2]
    return export(staged)


def file_of(data: bytes) -> File:
    return read(io.BytesIO(data), "file")


def opened(data: bytes) -> Export:
    """The export, read back."""
    return Export(file_of(data), "file")


def audited(data: bytes | Forger) -> Report:
    try:
        return audit(file_of(data.data if isinstance(data, Forger) else data), games())
    except BadFile as error:
        return unread("", str(error))


def continued(depth: int, *, last: bool) -> Stage:
    """A fork of a finished match, or of a fork of it, if that deep. `last`: it is finished itself."""
    recorder, room = MemoryRecorder(), games().rooms["high-card"]
    staged = Stage(recorder, room, "m_0", ("random", "greedy"))
    staged.seat_all()
    for number in range(1, depth + 1):
        staged.finish()
        log = Log(recorder, staged.id, games())
        points = exports.fork_points(log)
        told, _ = exports.fork(log, points[len(points) // 2 if last else number % 2], f"{number:064x}")
        staged = Stage(recorder, room, f"m_{number}", ("greedy", "random"), told)
        staged.seat_all()
    if last:
        staged.finish()
    else:
        staged.step()
    return staged


@cache
def forked(depth: int = 1) -> bytes:
    """The export of a finished fork: of a fork that was finished itself, if that deep."""
    return export(continued(depth, last=True))


@cache
def running_fork(seat: int | None) -> bytes:
    """The export of a fork of a fork that is being played, as somebody may read it."""
    return export(continued(2, last=False), seat)
