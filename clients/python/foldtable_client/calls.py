"""Requests as values: what to send, and the type of the answer. The clients send them.

A function without a docstring makes the request of the `Client` method of the same name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2
import msgspec

from foldtable_client import answers
from foldtable_client.streams import Following

T = TypeVar("T")


class Call(msgspec.Struct, Generic[T], frozen=True, kw_only=True):
    """A request."""

    method: str
    path: str
    kind: Any
    """The type of the answer; if `part` is given, the answer is the field of this name."""
    part: str | None = None
    query: dict[str, Any] = {}
    body: Any = None
    key: str | None = None
    """The Idempotency-Key, which stays the same when the request is repeated."""
    wait: int = 0
    """Seconds that the service is asked to wait."""
    headers: dict[str, str] = {}

    def request(self, client: httpx2.Client | httpx2.AsyncClient, patience: float) -> httpx2.Request:
        """Return the request for httpx2. `patience`: the seconds to wait for an answer, in addition to `wait`."""
        headers = {**self.headers, **({"Idempotency-Key": self.key} if self.key else {})}
        query = {name: value for name, value in self.query.items() if value is not None}
        body = {} if self.body is None else {"json": self.body}
        return client.build_request(
            self.method, f"/api{self.path}", params=query, headers=headers, timeout=patience + self.wait, **body
        )

    def read(self, answer: httpx2.Response) -> T:
        """Return the decoded answer; None if its body is empty."""
        found = msgspec.json.decode(answer.content, type=self.kind) if answer.content else None
        result: T = getattr(found, self.part) if self.part else found  # type: ignore[assignment]
        return result


class Bot(msgspec.Struct, frozen=True):
    """A seat for a bot of the service."""

    bot: str


class For(msgspec.Struct, frozen=True):
    """A seat that is kept for a player."""

    player: str


Place = Bot | For | None
"""None: for anybody."""


def get(path: str, kind: Any, *, part: str | None = None, wait: int = 0, **query: Any) -> Call[Any]:
    """Return a GET request. `query`: its parameters; those that are None are left out."""
    said = {**query, "wait": wait} if wait else query
    return Call(method="GET", path=path, kind=kind, part=part, query=said, wait=wait)


def post(path: str, kind: Any, body: dict[str, Any] | None = None, *, part: str | None = None) -> Call[Any]:
    """Return a POST request with a new Idempotency-Key, so it acts once, even if it is sent several times.

    Members of `body` that are None are left out.
    """
    said = None if body is None else {name: value for name, value in body.items() if value is not None}
    return Call(method="POST", path=path, kind=kind, part=part, body=said, key=uuid4().hex)


def _match(match: str, rest: str = "") -> str:
    return f"/matches/{quote(match, safe='')}{rest}"


def sign_up(name: str, kind: str, email: str | None, password: str | None) -> Call[answers.SignedUp]:
    return post("/players", answers.SignedUp, {"name": name, "kind": kind, "email": email, "password": password})


def me() -> Call[answers.Player]:
    return get("/me", answers.Player)


def turns() -> Call[list[answers.Turn]]:
    return get("/me/turns", answers._Turns, part="turns")


def games() -> Call[list[answers.GameSummary]]:
    return get("/games", answers._Games, part="games")


def game(slug: str) -> Call[answers.Game]:
    return get(f"/games/{quote(slug, safe='')}", answers.Game)


def lobby(**wanted: Any) -> Call[answers.Lobby]:
    return get("/matches", answers.Lobby, **wanted)


def open_match(game: str, seats: Sequence[Place], more: dict[str, Any]) -> Call[answers.Match]:
    places = [None if seat is None else msgspec.to_builtins(seat) for seat in seats]
    return Call(
        method="POST",
        path="/matches",
        kind=answers.Match,
        body={"game": game, "seats": places, **{name: said for name, said in more.items() if said is not None}},
        key=uuid4().hex,
    )


def match(id: str, wait: int, until: str | None) -> Call[answers.Match]:
    return get(_match(id), answers.Match, wait=wait, until=until)


def sit(match: str, seat: int | None, nonce: str | None) -> Call[answers.Match]:
    return post(_match(match, "/seats"), answers.Match, {"seat": seat, "nonce": nonce})


def accept(match: str, nonce: str | None) -> Call[answers.Match]:
    return post(_match(match, "/invitations/accept"), answers.Match, {"nonce": nonce})


def leave(match: str) -> Call[answers.Match]:
    return Call(method="DELETE", path=_match(match, "/seats"), kind=answers.Match)


def resign(match: str) -> Call[Any]:
    return post(_match(match, "/resign"), Any, {})


def moves(match: str, wait: int) -> Call[answers.Moves]:
    return get(_match(match, "/moves"), answers.Moves, wait=wait)


def move(match: str, decision: int, chosen: answers.Move | str | dict[str, Any]) -> Call[answers.Moved]:
    said: dict[str, Any] = {"decision": decision}
    if isinstance(chosen, dict):
        said["move"] = chosen
    else:
        said["id"] = chosen if isinstance(chosen, str) else chosen.id
    return post(_match(match, "/moves"), answers.Moved, said)


def events(match: str, after: int, limit: int) -> Call[answers._Events]:
    return get(_match(match, "/events"), answers._Events, after=after, limit=limit)


def want_review(match: str, seat: int) -> Call[answers.Review]:
    return post(_match(match, "/reviews"), answers.Review, {"seat": seat})


def review(match: str, seat: int) -> Call[answers.Review]:
    return get(_match(match, f"/reviews/{seat}"), answers.Review)


def want_hint(match: str, decision: int) -> Call[list[answers.Hint]]:
    return post(_match(match, "/hints"), answers._Hints, {"decision": decision}, part="hints")


def hints(match: str) -> Call[list[answers.Hint]]:
    return get(_match(match, "/hints"), answers._Hints, part="hints")


class File(Call[bytes], frozen=True, kw_only=True):
    """A request whose answer is a file."""

    def read(self, answer: httpx2.Response) -> bytes:
        """See `Call.read`."""
        return answer.content


def export(match: str) -> File:
    return File(method="GET", path=_match(match, "/export"), kind=bytes)


def following(match: str, after: int | str | None) -> Following:
    """See `Client.follow`."""
    return Following(_match(match, "/events"), None if after is None else str(after))


def following_me(after: str | None) -> Following:
    """See `Client.follow_me`."""
    return Following("/me/events", after)
