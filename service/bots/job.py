"""A bot's turn, as a job: read what the seat sees, choose, move through the service's HTTP door like a person.

A job may be done twice, or die anywhere: the move's key is its decision, and whoever comes second finds it closed.
"""

from __future__ import annotations

import os
import secrets
from collections import OrderedDict
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any
from urllib.parse import quote

import httpx
import msgspec
from rq import get_current_job

from bots import BOTS
from domain import matches
from domain.catalogue import Catalogue, PackFile
from domain.chance import Simulation
from domain.matches import Match
from events.codec import tell
from events.envelope import Opening
from replays.files.packs import Packs
from replays.log import OtherRules, codec_of, rules_of
from service import config
from service.bots.queue import Lease, Turns

BUDGET = 5.0
"""Seconds for which one job plays on; the sweep enqueues the next."""

IDLE_ROUNDS = 3
"""Rounds without a move that counted, after which a job leaves the match to the next."""

FOLDS = 256
"""Most folds kept between jobs: seats of matches, each at most 64 KiB."""

CLOSED = {"decision-closed", "idempotency-key-reused", "match-finished", "match-aborted"}
"""What the service says of a decision that has been answered."""

PAGE = 500
"""Events asked for at a time."""


class Unanswered(RuntimeError):
    """The service does not answer, or not as it should: the job is tried again later, `after` seconds at least."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class Due(msgspec.Struct, frozen=True):
    """A bot's open decision."""

    seat: int
    decision: int
    bot: str
    wait: float = 0.0
    """Seconds until it may be answered."""


class _Dues(msgspec.Struct, frozen=True):
    decisions: tuple[Due, ...]


class Fact(msgspec.Struct, frozen=True):
    """Of an event, as the service shows it, what folding needs."""

    version: int
    type: str
    schema: int
    public: msgspec.Raw
    secret: dict[str, Opening]


class Answered(msgspec.Struct, frozen=True):
    """What a move brought about, as its seat was told it, and the decision that is open to it now."""

    events: tuple[Fact, ...] = ()
    decision: int | None = None


class _Page(msgspec.Struct, frozen=True):
    events: tuple[Fact, ...]
    next: int | None


class _Problem(msgspec.Struct, frozen=True):
    code: str = ""
    detail: str = ""


_dues = msgspec.json.Decoder(_Dues)
_page = msgspec.json.Decoder(_Page)
_answered = msgspec.json.Decoder(Answered)


class Door:
    """The service's HTTP door, entered with the workers' token."""

    def __init__(self, url: str, token_file: Path, transport: httpx.BaseTransport | None = None) -> None:
        self._token_file = token_file
        # never by a proxy: the token is for this service alone
        self._client = httpx.Client(base_url=url, timeout=20, trust_env=False, transport=transport)

    def get(self, path: str, **query: str | int) -> bytes:
        """The body of the answer. Raises Unanswered."""
        answer = self._send("GET", path, params=query)
        if answer.status_code != 200:
            raise _unexpected(answer)
        return answer.content

    def move(self, match_id: str, due: Due, move: Any) -> Answered | None:
        """Make the move; None when its decision is closed already. Raises Unanswered."""
        answer = self._send(
            "POST",
            f"{_path(match_id)}/moves",
            content=msgspec.json.encode({"decision": due.decision, "seat": due.seat, "move": move}),
            headers={
                "Content-Type": "application/json",
                "Idempotency-Key": f"{match_id}:{due.decision}:{due.seat}",
            },
        )
        if answer.is_success:
            return _answered.decode(answer.content)
        # an earlier job was answered another move to this decision: it counted, the job died before it knew
        if _code(answer) in CLOSED:
            return None
        raise _unexpected(answer)

    def _send(self, method: str, path: str, **more: Any) -> httpx.Response:
        try:
            if "Authorization" not in self._client.headers:
                self._show_token()
            answer = self._client.request(method, path, **more)
            if answer.status_code == 401:
                self._show_token()
                answer = self._client.request(method, path, **more)
        except (httpx.TransportError, OSError) as error:
            raise Unanswered(f"{method} {path}: {error}") from error
        return answer

    def _show_token(self) -> None:
        self._client.headers["Authorization"] = f"Bearer {self._token_file.read_text(encoding='ascii').strip()}"


def _path(match_id: str) -> str:
    """Of the match, whatever its id is: it comes from Redis, and may not name another path."""
    return f"/api/matches/{quote(match_id, safe='')}"


def _code(answer: httpx.Response) -> str:
    try:
        return msgspec.json.decode(answer.content, type=_Problem).code
    except msgspec.DecodeError:
        return ""


def _unexpected(answer: httpx.Response) -> Unanswered:
    after = answer.headers.get("Retry-After", "")
    return Unanswered(
        f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {_code(answer)}",
        float(after) if after.isdecimal() else 0.0,
    )


class Seen(msgspec.Struct, frozen=True):
    """What a seat was told of its match."""

    game: Any
    state: Match[Any]


class Player:
    """Plays the bots of a match as long as they are to act."""

    def __init__(self, door: Door, stop: Event, packs: Path) -> None:
        """`packs`: the folder of the operator's packs."""
        self._door = door
        self._stop = stop
        self._catalogue = Catalogue()
        self._packs = Packs(self._catalogue, packs)
        self._seen: OrderedDict[tuple[str, int], Seen] = OrderedDict()

    def play(self, match_id: str, lease: Lease | None = None) -> int:
        """Answer the bots' open decisions, and those that come of it, for a while: how many answers counted.

        Raises:  Unanswered; OtherRules, Unreadable, UnknownEvent for a log that this code can't play on.
        """
        # unlike everything else in a match this must not be derivable: who knew it would know the bots' moves
        chance = Simulation(secrets.token_hex(32))
        end = monotonic() + BUDGET
        counted = idle = 0
        while idle < IDLE_ROUNDS and monotonic() < end and not self._stop.is_set():
            dues = _dues.decode(self._door.get(f"{_path(match_id)}/bots")).decisions
            if lease is not None:
                for due in dues:
                    lease.put_off(due.seat, due.decision, due.wait)
            dues = tuple(due for due in dues if not due.wait)
            if not dues:
                break
            made = sum(self._answer(match_id, due, chance) for due in dues)
            counted += made
            idle = 0 if made else idle + 1
            if lease is not None:
                lease.renew()
        return counted

    def _answer(self, match_id: str, due: Due, chance: Simulation) -> int:
        """Answer it, and what the seat is asked next right after it: how many answers counted."""
        counted = 0
        seen = self._look(match_id, due.seat)
        while matches.decision_of(seen.game, seen.state, due.seat) == due.decision:  # or closed while it was read
            move = BOTS[due.bot].choose(seen.game, seen.state.table, due.seat, chance)
            answered = self._door.move(match_id, due, move)
            if answered is None:
                break
            counted += 1
            if not answered.events or answered.events[0].version != seen.state.version + 1:
                break
            seen = self._caught_up(match_id, seen, answered.events)
            self._remember(match_id, due.seat, seen)
            # an answer under seal may have to wait
            if answered.decision is None or matches.is_sealed(seen.game, seen.state):
                break
            due = msgspec.structs.replace(due, decision=answered.decision)
        return counted

    def _look(self, match_id: str, seat: int) -> Seen:
        """What the seat sees now: what it saw before, caught up by the events since.

        Its private log is not needed: a decision is open to a seat only as long as nothing is sealed for it.
        """
        seen = self._seen.get((match_id, seat))
        while True:
            after = seen.state.version if seen else 0
            body = self._door.get(f"{_path(match_id)}/events", seat=seat, after=after, limit=PAGE, texts="false")
            page = _page.decode(body)
            if page.events:
                if page.events[0].version != after + 1:
                    raise Unanswered(f"{match_id}: version {page.events[0].version} follows {after}")
                seen = self._caught_up(match_id, seen, page.events)
            if page.next is None:
                break
        if seen is None:
            raise Unanswered(f"{match_id}: no events")
        self._remember(match_id, seat, seen)
        return seen

    def _remember(self, match_id: str, seat: int, seen: Seen) -> None:
        self._seen[match_id, seat] = seen
        self._seen.move_to_end((match_id, seat))
        while len(self._seen) > FOLDS:
            self._seen.popitem(last=False)

    def _rules(self, match_id: str, opening: bytes) -> tuple[Any, PackFile]:
        try:
            opened, game, pack = rules_of(match_id, opening, self._catalogue)
        except OtherRules:
            # it may be played with a pack that was put there meanwhile; what is wrong with packs the web process tells
            self._packs.refresh()
            opened, game, pack = rules_of(match_id, opening, self._catalogue)
        if opened.version != game.version:
            # this process may be of another release than the one that serves
            raise OtherRules("version", match=match_id, game=opened.game, version=opened.version, own=game.version)
        return game, pack

    def _caught_up(self, match_id: str, seen: Seen | None, events: tuple[Fact, ...]) -> Seen:
        if seen is None:
            game, pack = self._rules(match_id, bytes(events[0].public))
            seen = Seen(game, matches.begin(game, pack.pack, _typed(game, events[0])))
            events = events[1:]
        game = seen.game
        return Seen(game, matches.fold(game, seen.state, [_typed(game, event) for event in events]))


def _typed(game: Any, event: Fact) -> Any:
    public = bytes(event.public)
    return codec_of(game).read(event.type, event.schema, tell(public, event.secret) if event.secret else public)


_player: Player | None = None


def prepare(settings: config.Config, url: str, stop: Event) -> None:
    """Have the jobs of this process enter by that door, and end early once it is to stop."""
    global _player  # noqa: PLW0603  # RQ calls a function by its name: there is nobody to hand it over
    _player = Player(Door(url, settings.worker_token), stop, settings.packs)


def play_bots(match_id: str, seat: int, decision: int) -> int:
    """The job: the bots of the match play as long as they are to act. `seat` and `decision` say why it was enqueued.

    Raises:  whatever keeps them from it; the sweep tries again.
    """
    if _player is None:
        prepare(settings := config.read(), os.environ.get("FOLDTABLE_URL", url_of(settings)), Event())
    assert _player is not None
    job = get_current_job()
    assert job is not None, "called by a worker"
    lease = Lease(Turns(job.connection).connection, match_id)
    if not lease.take():
        return 0
    try:
        return _player.play(match_id, lease)
    except Unanswered as error:
        lease.put_off(seat, decision, error.after)
        raise
    finally:
        lease.give_back()


def url_of(settings: config.Config) -> str:
    """Where the web process of this machine listens."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(settings.host, settings.host)
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
