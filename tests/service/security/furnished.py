"""A house in which somebody has everything that one can have, and how each operation of the document asks for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from service.web.contract import examples, operations
from tests.service.accounts.insiders import WORD, entered
from tests.service.house import HIGH_CARD, Answer, House, Visitor, routes

FOUND = {f"{found.method} {found.path}": found for found in operations(routes())}
"""All operations of the document, by method and path."""


def named(ids: str) -> set[str]:
    """The operations with these ids."""
    by_id = {found.id: name for name, found in FOUND.items()}
    return {by_id[id] for id in ids.split()}


SAID = examples()

CHANGES = {name for name in FOUND if not name.startswith("GET ")}

OWNED = {"match_id", "token_id", "bot_id", "pass_id", "webhook_id", "delivery_id", "order", "message", "seat"}
"""Parts of paths that name what is somebody's."""

ANYBODYS = {"game", "pack", "version", "player_id", "player", "token"}
"""Parts of paths that name what everybody may name, or what whoever asks says of themselves."""

PUBLIC = named("""
    signUp logIn confirmEmail askRecovery recover getPlayer listPlayerMatches
    listGames getGame getRules getPack getLimits listClocks listKeys getGameStatistics
    getHealth getReadiness getDocument getGameDocument readDocument getStyle
""")
"""What everybody may ask for, a token or none. An operation without scopes must be one of these, and meant to be."""

PLAYER = "{player}"
"""In a body: the one of the path's parts."""

OPENING = {"game": "high-card", "seats": [None, None, None], "visibility": "private"}

CHANGED = "another horse battery"
"""Ann's password, once she has asked for another."""

BODIES: dict[str, Any] = {
    "POST /api/matches": OPENING,
    "POST /api/matches/{match_id}/orders": {"play": [{"type": "Pass"}]},
    "POST /api/matches/{match_id}/fork": {"version": 1, "seats": [None, None, None]},
    "POST /api/matches/{match_id}/invitations": {"seat": 0, "player": None},
    "POST /api/matches/{match_id}/offers": {"player": PLAYER},
    "POST /api/matches/{match_id}/offers/{seat}/agreement": {"player": PLAYER},
    "POST /api/matches/{match_id}/talk": {"text": "hello"},
    "POST /api/me/mutes": {"player": PLAYER},
    "POST /api/me/password": {"new": CHANGED, "old": WORD},
    "POST /api/me/email": {"email": "ann@else.example", "password": WORD},
}
"""What is sent, where the document's example is not enough."""

QUERIES: dict[str, dict[str, Any]] = {"GET /api/matches": {"mine": True}}
"""What makes an operation need a token that else does without."""


def parts_of(name: str) -> set[str]:
    return {part[1:-1] for part in FOUND[name].path.split("/") if part.startswith("{")}


class Furnished(NamedTuple):
    """Ann has a private match with Bob and Cyd, and everything else; Eve and the bot have nothing to do with it."""

    house: House
    match: str
    ann: Visitor
    bob: Visitor
    cyd: Visitor
    eve: Visitor
    bot: Visitor
    parts: dict[str, str]
    """Of paths: what is Ann's."""

    def ask(self, name: str, headers: dict[str, str], **more: Any) -> Answer:
        found = FOUND[name]
        client = self.house.app.test_client(use_cookies=False)  # else it takes the header for its own
        parts = {**self.parts, "token_id": self.parts["bot_token_id"]} if "/bots/" in found.path else self.parts
        sent = {**self.said(name), **more}
        return cast(Answer, client.open(found.path.format(**parts), method=found.method, headers=headers, **sent))

    def said(self, name: str) -> dict[str, Any]:
        found = FOUND[name]
        example = SAID.get(found.id, {})
        body = BODIES.get(name, example.get("body"))
        if isinstance(body, dict) and body.get("player") == PLAYER:
            body = {**body, "player": self.parts["player"]}
        query = {"query_string": QUERIES[name]} if name in QUERIES else {}
        return query if body is None or found.method == "GET" else {"json": body}


def someone(house: House, name: str, **more: Any) -> Visitor:
    """A new account; the operator makes it, since people sign up by invitation."""
    return entered(house, house.operator.post("/players", {"name": name, **more}))


def furnish(house: House, sits: int = 0, *, is_wanted: Callable[[str], bool] = bool, **more: Any) -> Furnished:
    """Everything that somebody can have; Ann opens matches until one is as wanted, and sits at that seat."""
    ann = someone(house, "Ann", login="ann", password=WORD)
    bob, cyd, dan, eve = (someone(house, name) for name in ("Bob", "Cyd", "Dan", "Eve"))
    table = [bob, cyd]
    table.insert(sits, ann)
    seats = [None if player is ann else {"player": player.id} for player in table]
    match = ""
    while not is_wanted(match):
        match = ann.open(seats=seats, **{"visibility": "link", **more})
        for seat, player in enumerate(table):
            player.sit(match, seat=seat)

    def made(path: str, body: Any = None) -> Any:
        answer = ann.post(path, body)
        assert answer.status_code < 300, (path, answer.json)
        return answer.json

    bot = made("/me/bots", {"name": "Ann's engine"})
    hook = made("/webhooks", {"name": "at home", "url": "https://example.org/turns"})["id"]
    parts = {
        "match_id": match,
        "token_id": made("/me/tokens", {"name": "a script"})["id"],
        "bot_id": bot["id"],
        "bot_token_id": made(f"/me/bots/{bot['id']}/tokens", {"name": "one more"})["id"],
        "pass_id": made("/passes")["id"],
        "webhook_id": hook,
        "delivery_id": made(f"/webhooks/{hook}/deliveries")["id"],
        "order": str(made(f"/matches/{match}/orders", {"play": [{"type": "Pass"}]})["order"]),
        "message": str(made(f"/matches/{match}/talk", {"text": "my cards are good"})["number"]),
        "seat": str(sits),
        "game": more.get("game", HIGH_CARD),
        "pack": "0" * 64,
        "version": "1",
        "player_id": ann.id,
        "player": dan.id,
        "token": "none",
    }
    made(f"/matches/{match}/offers", {"player": dan.id})
    assert ann.post("/me/mutes", {"player": dan.id}).status_code == 204
    return Furnished(house, match, ann, bob, cyd, eve, Visitor(house.app.test_client(), bot["token"], bot["id"]), parts)


class Watch:
    def __init__(self, house: House) -> None:
        self._store = sqlite3.connect(house.service.config.database, isolation_level=None)
        self.has_changed()

    def has_changed(self) -> bool:
        (now,) = self._store.execute("PRAGMA data_version").fetchone()
        before, self._before = getattr(self, "_before", now), now
        return bool(before != now)

    def close(self) -> None:
        self._store.close()
