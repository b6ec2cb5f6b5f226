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
    """A connection to a service, with the token of one account.

    A method that sends a request raises Problem if the service refuses it, and Unreachable if there is no answer in
    time. A stream raises Problem only: it connects again until it succeeds.
    """

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
        """`lang`: the language of all texts, `en` or `ja`. `patience`: how long a request is repeated.

        `keep`: a folder for evidence; without one, evidence is only in memory. `transport`: an httpx2 transport to use
        instead of the default one.
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
        """Close all connections."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send a request, repeat it if needed, and return the answer. Use it for operations without a method here."""
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
        """Make an account, and use it from now on. `kind`: `human` or `bot`.

        The token is returned only this once: keep it.
        """
        found = self.send(calls.sign_up(name, kind, email, password))
        self._http.headers["Authorization"] = f"Bearer {found.token}"
        return found

    def me(self) -> answers.Player:
        """Return the account that the token belongs to."""
        return self.send(calls.me())

    def turns(self) -> list[answers.Turn]:
        """Return the decisions that wait for you, the soonest deadline first."""
        return self.send(calls.turns())

    def games(self) -> list[answers.GameSummary]:
        """Return the games that the service offers."""
        return self.send(calls.games())

    def game(self, slug: str) -> answers.Game:
        """Return a game, with the JSON schemas of its options, moves and events."""
        return self.send(calls.game(slug))

    def lobby(self, **wanted: Any) -> answers.Lobby:
        """Return a page of the matches that you may know of, the newest first.

        `wanted`: the query of `GET /api/matches`, as `game`, `status`, `seat="free"`, `mine`, `limit` and `cursor`.
        """
        return self.send(calls.lobby(**wanted))

    def open_match(self, game: str, seats: Sequence[Place], **more: Any) -> answers.Match:
        """Open a match, and return it. A seat is `Bot("greedy")`, `For(player)`, or None for anybody.

        `more`: other fields of the body, as `options`, `pack`, `clock` and `visibility`.
        """
        found = self.send(calls.open_match(game, seats, more))
        self._evidence.take(found, found.id)
        return found

    def match(self, id: str, *, wait: int = 0, until: str | None = None) -> answers.Match:
        """Return a match as you may see it now.

        `wait`: how many seconds, 30 at most, the service waits for a change of the match, or for your turn. With
        `until="turn"` it waits for your turn or the end only.
        """
        return self.send(calls.match(id, wait, until))

    def sit(self, match: str, seat: int | None = None, nonce: str | None = None) -> answers.Match:
        """Take a seat, the first free one if `seat` is None, and return the match.

        `nonce`: 64 hexadecimal digits for the match's chance, or "" for no nonce. If it is None, the client makes one.
        """
        brought = self._nonce(match, nonce)
        return self._seated(match, brought, calls.sit(match, seat, brought))

    def accept(self, match: str, nonce: str | None = None) -> answers.Match:
        """Take the seat that is kept for you, and return the match. `nonce`: see `sit`."""
        brought = self._nonce(match, nonce)
        return self._seated(match, brought, calls.accept(match, brought))

    def leave(self, match: str) -> answers.Match:
        """Leave your seat before the match has started, and return the match."""
        return self.send(calls.leave(match))

    def resign(self, match: str) -> Any:
        """Give up your seat for good. A match of two ends, if its `resignation` is `end`."""
        return self.send(calls.resign(match))

    def moves(self, match: str, *, wait: int = 0) -> answers.Moves:
        """Return your open decision and all moves that may answer it.

        `wait`: how many seconds, 30 at most, the service waits until a decision is open to you or the match is over.
        """
        return self.send(calls.moves(match, wait))

    def move(self, match: str, decision: int, chosen: answers.Move | str | dict[str, Any]) -> answers.Moved:
        """Answer a decision, and return what happened. `chosen`: the move, its id, or its fields."""
        found = self.send(calls.move(match, decision, chosen))
        self._evidence.take(found, match)
        return found

    def events(self, match: str, after: int = 0) -> Iterator[answers.Event]:
        """Yield the events up to now whose version is greater than `after`, as you may read them."""
        at: int | None = after
        while at is not None:
            page = self.send(calls.events(match, at, 1000))
            yield from page.events
            at = page.next

    def export(self, match: str) -> bytes:
        """Return the match as a file (JSON Lines) that `replays audit` can check."""
        return self.send(calls.export(match))

    def want_review(self, match: str, seat: int) -> answers.Review:
        """Ask what a seat's decisions were worth, in a match that was played to its end. See `review`."""
        return self.send(calls.want_review(match, seat))

    def review(self, match: str, seat: int) -> answers.Review:
        """Return the review of a seat, as far as it is made. Its `state` is `done` after about a minute."""
        return self.send(calls.review(match, seat))

    def want_hint(self, match: str, decision: int) -> list[answers.Hint]:
        """Ask for a hint: what a search thinks of your open decision. The service's bots must have all other seats."""
        return self.send(calls.want_hint(match, decision))

    def hints(self, match: str) -> list[answers.Hint]:
        """Return your hints in a match; when it is over, the hints of all players."""
        return self.send(calls.hints(match))

    def evidence(self, match: str) -> bytes:
        """Return your evidence of the match, your nonce and receipts: a file for `replays audit --receipt`."""
        return self._evidence.of(match)

    def follow(self, match: str, after: int | str | None = None) -> Iterator[Message]:
        """Yield the match's events, and new ones as they happen, until it is over. Connect again if needed.

        `after`: the version of the last event that you have, or the cursor of the last message.
        """
        return self._stream(calls.following(match, after))

    def follow_me(self, after: str | None = None) -> Iterator[Message]:
        """Yield what happens in all of your matches, without end. `after`: the cursor of your last message."""
        return self._stream(calls.following_me(after))

    def _seated(self, match: str, nonce: str, call: Call[answers.Match]) -> answers.Match:
        """Send a request for a seat, and add its receipt, or that the nonce was sent in vain, to the evidence."""
        try:
            found = self.send(call)
        except Problem as problem:
            self._evidence.refuse(match, nonce, problem)
            raise
        self._evidence.take(found, match)
        return found

    def _nonce(self, match: str, nonce: str | None) -> str:
        """Return the nonce with which to sit down: `nonce` if it is given, else the one made before, else a new one."""
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
