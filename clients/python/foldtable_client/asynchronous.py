"""The client for asyncio: see `Client`, which has the same methods."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from pathlib import Path
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


class AsyncClient:
    """A service, and whose token it is asked with. All methods raise Problem, and Unreachable."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8000",
        token: str | None = None,
        *,
        lang: str | None = None,
        patience: Patience = DEFAULT,
        keep: str | Path | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        """`lang`: of all texts, `en` or `ja`. `keep`: a folder for evidence, which is else in memory alone.

        `transport`: of httpx2, where another one is wanted.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if lang:
            headers["Accept-Language"] = lang
        self._http = httpx2.AsyncClient(base_url=url, headers=headers, transport=transport)
        self._patience = patience
        self._evidence = Evidence(keep)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Let go of all connections."""
        await self._http.aclose()

    async def send(self, call: Call[T]) -> T:
        """Send a request, again if need be, and read the answer: for what has no method here."""
        attempts = Attempts(self._patience)
        while True:
            try:
                answer = await self._http.send(call.request(self._http, self._patience.answer))
            except httpx2.TransportError as error:
                pause: float | None = attempts.after_error(error)
            else:
                pause = attempts.after_answer(answer)
                if pause is None:
                    return call.read(answer)
            await sleep(pause or 0.0)

    async def sign_up(
        self, name: str, *, kind: str = "human", email: str | None = None, password: str | None = None
    ) -> answers.SignedUp:
        """Make an account (`kind` is `human` or `bot`), and go on as it. Its token is told this once: keep it."""
        found = await self.send(calls.sign_up(name, kind, email, password))
        self._http.headers["Authorization"] = f"Bearer {found.token}"
        return found

    async def me(self) -> answers.Player:
        """Whose token it is."""
        return await self.send(calls.me())

    async def turns(self) -> list[answers.Turn]:
        """The decisions that wait for you, the soonest deadline first."""
        return await self.send(calls.turns())

    async def games(self) -> list[answers.GameSummary]:
        """What is played here."""
        return await self.send(calls.games())

    async def game(self, slug: str) -> answers.Game:
        """A game, with the schemas of its options, moves and events."""
        return await self.send(calls.game(slug))

    async def lobby(self, **wanted: Any) -> answers.Lobby:
        """Matches that you may know of: `game`, `status`, `seat="free"`, `mine`, `limit`, `cursor`."""
        return await self.send(calls.lobby(**wanted))

    async def open_match(self, game: str, seats: Sequence[Place], **more: Any) -> answers.Match:
        """Open a match: a seat is `Bot("greedy")`, `For(player)`, or None for anybody.

        `more`: `options`, `pack`, `clock`, `visibility`.
        """
        found = await self.send(calls.open_match(game, seats, more))
        self._evidence.take(found, found.id)
        return found

    async def match(self, id: str, *, wait: float = 0, until: str | None = None) -> answers.Match:
        """A match as you may see it; `wait` so many seconds for news, or with `until="turn"` for your turn."""
        return await self.send(calls.match(id, wait, until))

    async def sit(self, match: str, seat: int | None = None, nonce: str | None = None) -> answers.Match:
        """Take a seat, the first free one if none is named.

        `nonce`: 64 hexadecimal digits for the match's chance, "" for none; one is made if none is named.
        """
        brought = await self._nonce(match, nonce)
        return await self._seated(match, brought, calls.sit(match, seat, brought))

    async def accept(self, match: str, nonce: str | None = None) -> answers.Match:
        """Take the seat that is kept for you; `nonce`: see `sit`."""
        brought = await self._nonce(match, nonce)
        return await self._seated(match, brought, calls.accept(match, brought))

    async def leave(self, match: str) -> answers.Match:
        """Leave your seat, before the start."""
        return await self.send(calls.leave(match))

    async def resign(self, match: str) -> Any:
        """Give up for good; a match of two ends by it, unless it was agreed that somebody plays on."""
        return await self.send(calls.resign(match))

    async def moves(self, match: str, *, wait: float = 0) -> answers.Moves:
        """Your open decision and all moves that may answer it; `wait` so many seconds for one, or for the end."""
        return await self.send(calls.moves(match, wait))

    async def move(self, match: str, decision: int, chosen: answers.Move | str | dict[str, Any]) -> answers.Moved:
        """Answer a decision by a move, its id or its fields."""
        found = await self.send(calls.move(match, decision, chosen))
        self._evidence.take(found, match)
        return found

    async def events(self, match: str, after: int = 0) -> AsyncIterator[answers.Event]:
        """The log up to now, as you may read it."""
        at: int | None = after
        while at is not None:
            page = await self.send(calls.events(match, at, 1000))
            for event in page.events:
                yield event
            at = page.next

    async def export(self, match: str) -> bytes:
        """The match as a file that audits."""
        return await self.send(calls.export(match))

    async def want_review(self, match: str, seat: int) -> answers.Review:
        """Ask what a seat's decisions were worth in a match that was played to its end: see `review`."""
        return await self.send(calls.want_review(match, seat))

    async def review(self, match: str, seat: int) -> answers.Review:
        """The review of a seat as far as it is; `state` is `done` after a minute or so."""
        return await self.send(calls.review(match, seat))

    async def want_hint(self, match: str, decision: int) -> list[answers.Hint]:
        """Ask what a search thinks of your open decision, if all others are bots: see `hints`."""
        return await self.send(calls.want_hint(match, decision))

    async def hints(self, match: str) -> list[answers.Hint]:
        """Your hints in a match; once it is over, those of all."""
        return await self.send(calls.hints(match))

    async def evidence(self, match: str) -> bytes:
        """What you hold of the match, your nonce and the receipts: `replays audit --receipt` reads it."""
        return self._evidence.of(match)

    def follow(self, match: str, after: int | str | None = None) -> AsyncIterator[Message]:
        """The match's events as they happen, until it is over; a connection that breaks is made anew."""
        return self._stream(calls.following(match, after))

    def follow_me(self, after: str | None = None) -> AsyncIterator[Message]:
        """What happens in all of your matches, for ever; see `Message.cursor`."""
        return self._stream(calls.following_me(after))

    async def _seated(self, match: str, nonce: str, call: Call[answers.Match]) -> answers.Match:
        """Send what asks for a seat, and keep what comes of the nonce."""
        try:
            found = await self.send(call)
        except Problem as problem:
            self._evidence.refuse(match, nonce, problem)
            raise
        self._evidence.take(found, match)
        return found

    async def _nonce(self, match: str, nonce: str | None) -> str:
        """The nonce with which to sit down: the one that is named, or was made before, or a new one."""
        if nonce == "":
            return nonce
        brought = self._evidence.brought(match)
        if brought is not None and nonce in {None, brought}:
            if not self._evidence.is_refused(match):
                return brought
            nonce = brought
        try:
            return self._evidence.bring(match, nonce, await self.export(match))
        except Problem:
            return self._evidence.bring(match, nonce, None)

    async def _stream(self, following: Following) -> AsyncIterator[Message]:
        while not following.is_over:
            pause = None
            try:
                async with aclosing(await self._http.send(following.request(self._http), stream=True)) as answer:
                    if answer.is_success:
                        async for line in answer.aiter_lines():
                            if message := following.feed(line):
                                yield message
                            if following.is_over:
                                return
                    else:
                        await answer.aread()
                        pause = following.pause(answer)
            except httpx2.TransportError:
                pass
            await sleep(following.pause() if pause is None else pause)
