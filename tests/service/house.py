"""People who come into the house: they sign up, sit down and play through the web app, as anybody would."""

from __future__ import annotations

import io
import random
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MethodType
from typing import TYPE_CHECKING, Any, Self, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import domain.games
import tests.toy
from domain.catalogue import Catalogue
from replays.files.format import File, read
from service import clock, wiring
from service.config import Config
from service.deeds import Front
from service.matches.states import Lobby
from service.web import create_app, document
from service.web.middleware import Middleware
from service.wiring import Service
from tests.service import documented

HIGH_CARD, THREE_MAGIC = "high-card", "three-magic"
STORE = "foldtable.db"


@cache
def games() -> Catalogue:
    """The house's, and the toy room beside them."""
    return Catalogue((domain.games, tests.toy))


@cache
def _empty_store() -> bytes:
    """The file of a store that has all tables and no rows: a copy of it costs less than making each table anew."""
    with TemporaryDirectory() as folder:
        config = Config(data=Path(folder))
        wiring.open_store(config).close()
        return Path(folder, STORE).read_bytes()


@contextmanager
def drawing(seed: int | None = None) -> Iterator[random.Random]:
    """Ids, secrets and dice are drawn from what can be set back, so that what was found is found again."""
    draw = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(secrets, "token_bytes", draw.randbytes)
        patch.setattr(secrets, "token_hex", lambda size=32: draw.randbytes(size).hex())
        patch.setattr(secrets, "token_urlsafe", lambda size=32: draw.randbytes(size).hex())
        patch.setattr(secrets, "randbelow", draw.randrange)
        yield draw


def build(config: Config, now: clock.Now = clock.now) -> Service:
    """The service, with the toy room."""
    if not config.store and not config.data.exists():
        config.data.mkdir(mode=0o700, parents=True)
        file = config.data / STORE
        file.write_bytes(_empty_store())
        file.chmod(0o600)
    return wiring.build(config, catalogue=games(), now=now)


@cache
def routes() -> Flask:
    """An app without a service."""
    return create_app(None)


def app_of(service: Service) -> Flask:
    """The app of the service: a copy, since to make one anew takes a tenth of a second, most of it for its routes."""
    app = copy(routes())
    # the document tells of the games of its service; those that were made stay made for all copies
    app.extensions = {**app.extensions, "foldtable": service, "document": partial(document, app)}
    answers = Middleware(MethodType(Flask.wsgi_app, app), app.extensions)
    app.wsgi_app = partial(documented.watched, answers)  # type: ignore[method-assign]
    return app


def beside(
    service: Service, front: Front | None = None, lobby: Lobby | None = None, config: Config | None = None
) -> Service:
    """Another service on the same store, as another process would be: it shares no lock and no cache."""
    recorder = service.recorder
    return Service(
        config or service.config,
        recorder,
        lobby or Lobby(recorder),
        service.catalogue,
        service.packs,
        service.keyring,
        service.tokens,
        service.players,
        None,
        front or Front(recorder, clock.now, service.limits),
    )


if TYPE_CHECKING:

    class Answer(TestResponse):
        """An answer whose body is JSON."""

        @property
        def json(self) -> Any: ...

else:
    Answer = TestResponse


class Visitor:
    """Somebody with a token, or a stranger."""

    def __init__(self, client: FlaskClient, token: str | None = None, id: str = "") -> None:
        self.client = client
        self.token = token
        self.id = id

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def get(self, path: str, headers: dict[str, str] | None = None, **query: Any) -> Answer:
        said = {**self.headers, **(headers or {})}
        return cast(Answer, self.client.get(f"/api{path}", query_string=query, headers=said))

    def post(self, path: str, body: Any = None, key: str | None = None, **query: Any) -> Answer:
        headers = self.headers if key is None else {**self.headers, "Idempotency-Key": key}
        return cast(Answer, self.client.post(f"/api{path}", query_string=query, headers=headers, json=body))

    def put(self, path: str, body: Any = None) -> Answer:
        return cast(Answer, self.client.put(f"/api{path}", headers=self.headers, json=body))

    def patch(self, path: str, body: Any) -> Answer:
        return cast(Answer, self.client.patch(f"/api{path}", headers=self.headers, json=body))

    def delete(self, path: str, body: Any = None) -> Answer:
        return cast(Answer, self.client.delete(f"/api{path}", headers=self.headers, json=body))

    def open(self, game: str = HIGH_CARD, seats: Any = (None, None), **more: Any) -> str:
        answer = self.post("/matches", {"game": game, "seats": list(seats), **more})
        assert answer.status_code == 201, answer.json
        return str(answer.json["id"])

    def sit(self, match: str, **more: Any) -> None:
        answer = self.post(f"/matches/{match}/seats", more)
        assert answer.status_code == 200, answer.json

    def shown(self, path: str, **query: Any) -> Any:
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.json
        return answer.json

    def look(self, match: str, **query: Any) -> dict[str, Any]:
        return dict(self.shown(f"/matches/{match}", **query))

    def moves(self, match: str, **query: Any) -> dict[str, Any]:
        return dict(self.shown(f"/matches/{match}/moves", **query))

    def events(self, match: str, **query: Any) -> list[dict[str, Any]]:
        return list(self.shown(f"/matches/{match}/events", limit=1000, **query)["events"])

    def export(self, match: str, **query: Any) -> File:
        """The match as the file that the visitor may take home."""
        return read(io.BytesIO(self.get(f"/matches/{match}/export", **query).data), "export")

    def open_with(self, *others: Visitor, game: str = HIGH_CARD, **more: Any) -> str:
        """A match in which this visitor and the others sit, in this order; by default it has two seats or as many."""
        match = self.open(game, more.pop("seats", [None] * max(2, 1 + len(others))), **more)
        for player in (self, *others):
            player.sit(match)
        return match

    def choose(self, match: str, **seat: int) -> Answer:
        """Make the first of the legal moves; `seat`: that of a bot, for a worker."""
        now = self.moves(match, **seat)
        return self.move(match, now["moves"][0]["id"], now["decision"], **seat)

    def move(self, match: str, move: dict[str, Any] | str, decision: int | None = None, **more: Any) -> Answer:
        """Answer a decision, by default the open one."""
        asked = self.moves(match)["decision"] if decision is None else decision
        chosen = {"id": move} if isinstance(move, str) else {"move": move}
        key = more.pop("key", None)
        return self.post(f"/matches/{match}/moves", {"decision": asked, **chosen, **more}, key)


class House:
    """The app, and who is in it. Its service is closed at the end of a `with`."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.app = app_of(service)
        self.stranger = Visitor(self.app.test_client())
        config = service.config
        self.worker = Visitor(self.app.test_client(), config.worker_said or config.worker_token.read_text())
        self.operator = Visitor(self.app.test_client(), config.admin_said or config.admin_token.read_text())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.service.close()

    def send(self, method: str, path: str, **more: Any) -> Answer:
        return cast(Answer, self.app.test_client().open(path, method=method, **more))

    def player(self, name: str = "Ann") -> Visitor:
        answer = self.stranger.post("/players", {"name": name})
        assert answer.status_code == 201, answer.json
        return Visitor(self.app.test_client(), answer.json["token"], answer.json["id"])

    def again(self, visitor: Visitor) -> Visitor:
        """The same person by another connection, or in the house on a copied store."""
        return Visitor(self.app.test_client(), visitor.token, visitor.id)

    def table(self, game: str = HIGH_CARD, seats: int = 2, **more: Any) -> tuple[str, list[Visitor]]:
        players = [self.player(f"Player {seat}") for seat in range(seats)]
        return players[0].open_with(*players[1:], game=game, seats=[None] * seats, **more), players

    def played(self, seed: int = 1, **more: Any) -> tuple[str, list[Visitor]]:
        """A match that was played to its end, and its players."""
        match, players = self.table(**more)
        play_out(match, players, seed)
        return match, players


def refusal(answer: Answer) -> tuple[int, str]:
    """The status and the code of an answer that refuses something."""
    return answer.status_code, answer.json["code"]


def each(players: Iterable[Visitor], match: str, what: str) -> Answer:
    """Each of them asks for the same in the match, which must be granted; the last answer."""
    answers = [player.post(f"/matches/{match}/{what}") for player in players]
    assert [answer.status_code for answer in answers] == [200] * len(answers), answers[-1].json
    return answers[-1]


def set_aside(match: str, players: Iterable[Visitor]) -> None:
    """Each of them sets a card aside; with the pack `flat` all of them owe an answer under seal then."""
    for player in players:
        assert player.move(match, {"type": "SetAside", "card": 1}).status_code == 200


def step(match: str, players: list[Visitor], draw: random.Random) -> bool:
    """Whoever is asked first answers by chance; False when nobody is asked."""
    for player in players:
        now = player.moves(match)
        if now["moves"]:
            answer = player.move(match, draw.choice(now["moves"])["id"], now["decision"])
            assert answer.status_code == 200, answer.json
            return True
    return False


def play_out(match: str, players: list[Visitor], seed: int = 1, most: int = 10_000) -> int:
    """Play by chance to the end, or for so many moves: how many were made."""
    draw = random.Random(seed)
    for made in range(most):
        if not step(match, players, draw):
            return made
    return most
