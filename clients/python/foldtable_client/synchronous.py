"""The client for threads and scripts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import sleep
from types import TracebackType
from typing import Any, TypeVar

import httpx2

from foldtable_client import answers, calls
from foldtable_client.calls import Call, Place
from foldtable_client.evidence import Evidence
from foldtable_client.problems import Problem
from foldtable_client.streams import Following, Message
from foldtable_client.trying import DEFAULT, Attempts, Patience

T = TypeVar("T")


class Client:
    """A service, and whose token it is asked with. All methods raise Problem, and Unreachable."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        token: str | None = None,
        *,
        lang: str | None = None,
        patience: Patience = DEFAULT,
        keep: str | Path | None = None,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """`lang`: of all texts, `en` or `ja`. `keep`: a folder for evidence, which is else in memory alone.

        `transport`: of httpx2, where another one is wanted.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if lang:
            headers["Accept-Language"] = lang
        self._http = httpx2.Client(base_url=url, headers=headers, transport=transport)
        self._patience = patience
        self._evidence = Evidence(keep)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send a request, again if need be, and read the answer: for what has no method here."""
        attempts = Attempts(self._patience)
        while True:
            try:
                answer = self._http.send(call.request(self._http, self._patience.answer))
            except httpx2.TransportError as error:
                pause: float | None = attempts.after_error(error)
            else:
                pause = attempts.after_answer(answer)
                if pause is None:
                    return call.read(answer)
            sleep(pause or 0.0)

    def sign_up(
        self, name: str, *, kind: str = "human", email: str | None = None, password: str | None = None
    ) -> answers.SignedUp:
        """Make an account (`kind` is `human` or `bot`), and go on as it. Its token is told this once: keep it."""
        found = self.send(calls.sign_up(name, kind, email, password))
        self._http.headers["Authorization"] = f"Bearer {found.token}"
        return found

    def me(self) -> answers.Player:
        """Whose token it is."""
        return self.send(calls.me())

    def turns(self) -> list[answers.Turn]:
        """The decisions that wait for you, the soonest deadline first."""
        return self.send(calls.turns())

    def games(self) -> list[answers.GameSummary]:
        """What is played here."""
        return self.send(calls.games())

    def game(self, slug: str) -> answers.Game:
        """A game, with the schemas of its options, moves and events."""
        return self.send(calls.game(slug))

    def lobby(self, **wanted: Any) -> answers.Lobby:
        """Matches that you may know of: `game`, `status`, `seat="free"`, `mine`, `limit`, `cursor`."""
        return self.send(calls.lobby(**wanted))

    def open_match(self, game: str, seats: Sequence[Place], **more: Any) -> answers.Match:
        """Open a match: a seat is `Bot("greedy")`, `For(player)`, or None for anybody.

        `more`: `options`, `pack`, `clock`, `visibility`.
        """
        found = self.send(calls.open_match(game, seats, more))
        self._evidence.take(found, found.id)
        return found

    def match(self, id: str, *, wait: float = 0, until: str | None = None) -> answers.Match:
        """A match as you may see it; `wait` so many seconds for news, or with `until="turn"` for your turn."""
        return self.send(calls.match(id, wait, until))

    def sit(self, match: str, seat: int | None = None, nonce: str | None = None) -> answers.Match:
        """Take a seat, the first free one if none is named.

        `nonce`: 64 hexadecimal digits for the match's chance, "" for none; one is made if none is named.
        """
        brought = self._nonce(match, nonce)
        return self._seated(match, brought, calls.sit(match, seat, brought))

    def accept(self, match: str, nonce: str | None = None) -> answers.Match:
        """Take the seat that is kept for you; `nonce`: see `sit`."""
        brought = self._nonce(match, nonce)
        return self._seated(match, brought, calls.accept(match, brought))

    def leave(self, match: str) -> answers.Match:
        """Leave your seat, before the start."""
        return self.send(calls.leave(match))

    def resign(self, match: str) -> Any:
        """Give up for good; a match of two ends by it, unless it was agreed that somebody plays on."""
        return self.send(calls.resign(match))

    def moves(self, match: str, *, wait: float = 0) -> answers.Moves:
        """Your open decision and all moves that may answer it; `wait` so many seconds for one, or for the end."""
        return self.send(calls.moves(match, wait))

    def move(self, match: str, decision: int, chosen: answers.Move | str | dict[str, Any]) -> answers.Moved:
        """Answer a decision by a move, its id or its fields."""
        found = self.send(calls.move(match, decision, chosen))
        self._evidence.take(found, match)
        return found

    def events(self, match: str, after: int = 0) -> Iterator[answers.Event]:
        """The log up to now, as you may read it."""
        at: int | None = after
        while at is not None:
            page = self.send(calls.events(match, at, 1000))
            yield from page.events
            at = page.next

    def export(self, match: str) -> bytes:
        """The match as a file that audits."""
        return self.send(calls.export(match))

    def want_review(self, match: str, seat: int) -> answers.Review:
        """Ask what a seat's decisions were worth in a match that was played to its end: see `review`."""
        return self.send(calls.want_review(match, seat))

    def review(self, match: str, seat: int) -> answers.Review:
        """The review of a seat as far as it is; `state` is `done` after a minute or so."""
        return self.send(calls.review(match, seat))

    def want_hint(self, match: str, decision: int) -> list[answers.Hint]:
        """Ask what a search thinks of your open decision, if all others are bots: see `hints`."""
        return self.send(calls.want_hint(match, decision))

    def hints(self, match: str) -> list[answers.Hint]:
        """Your hints in a match; once it is over, those of all."""
        return self.send(calls.hints(match))

    def evidence(self, match: str) -> bytes:
        """What you hold of the match, your nonce and the receipts: `replays audit --receipt` reads it."""
        return self._evidence.of(match)

    def follow(self, match: str, after: int | str | None = None) -> Iterator[Message]:
        """The match's events as they happen, until it is over; a connection that breaks is made anew."""
        return self._stream(calls.following(match, after))

    def follow_me(self, after: str | None = None) -> Iterator[Message]:
        """What happens in all of your matches, for ever; see `Message.cursor`."""
        return self._stream(calls.following_me(after))

    def _seated(self, match: str, nonce: str, call: Call[answers.Match]) -> answers.Match:
        """Send what asks for a seat, and keep what comes of the nonce."""
        try:
            found = self.send(call)
        except Problem as problem:
            self._evidence.refuse(match, nonce, problem)
            raise
        self._evidence.take(found, match)
        return found

    def _nonce(self, match: str, nonce: str | None) -> str:
        """The nonce with which to sit down: the one that is named, or was made before, or a new one."""
        if nonce == "":
            return nonce
        brought = self._evidence.brought(match)
        if brought is not None and nonce in {None, brought}:
            if not self._evidence.is_refused(match):
                return brought
            nonce = brought
        try:
            return self._evidence.bring(match, nonce, self.export(match))
        except Problem:
            return self._evidence.bring(match, nonce, None)

    def _stream(self, following: Following) -> Iterator[Message]:
        while not following.is_over:
            pause = None
            try:
                with closing(self._http.send(following.request(self._http), stream=True)) as answer:
                    if answer.is_success:
                        for line in answer.iter_lines():
                            if message := following.feed(line):
                                yield message
                            if following.is_over:
                                return
                    else:
                        answer.read()
                        pause = following.pause(answer)
            except httpx2.TransportError:
                pass
            sleep(following.pause() if pause is None else pause)
