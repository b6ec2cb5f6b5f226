"""A house in which everything is laid out that the deeds of the table are about."""

from __future__ import annotations

from typing import Any, NamedTuple

from service.mail import MailTokens
from tests.service.accounts.insiders import WORD
from tests.service.accounts.test_mailboxes import confirm, link
from tests.service.house import HIGH_CARD, House, Visitor
from tests.service.security.furnished import furnish, someone

CLOCK = {"allowance": "P1D"}


class Laid(NamedTuple):
    """Where it lies, and by what names."""

    tokens: dict[str, str]
    """By asker, the token that a browser holds as its cookie, and a program sends."""
    matches: dict[str, str]
    parts: dict[str, str]
    """What texts of the table stand for."""


def lay(house: House) -> Laid:
    """Lay it out; Ann is who does nearly all of it."""
    found = furnish(house, clock=CLOCK)
    ann, bob, dan = found.ann, found.bob, found.parts["player"]
    session = house.stranger.post("/sessions", {"login": "ann", "password": WORD}).json["token"]
    assert ann.client.put("/api/me/feed", json={}, headers=ann.headers).status_code == 200
    said = bob.post(f"/matches/{found.match}/talk", {"text": "mine are better"}).json["number"]
    assert bob.post(f"/matches/{found.match}/offers", {"player": dan}).status_code == 200
    now, guest = ann.moves(found.match), someone(house, "Guest").token
    matches = {"playing": found.match, **_waiting(ann, bob), **_played(house, ann, bob, found.cyd, dan)}
    point = house.stranger.look(matches["over"])["version"] - 1
    parts: dict[str, Any] = {
        **found.parts,
        **_mailed(house, ann),
        "code": ann.post("/passes").json["code"],
        "ann": ann.id,
        "bob": bob.id,
        "dan": dan,
        "eve": found.eve.id,
        "theirs": 1,
        "theirs_said": said,
        "decision": now["decision"],
        "move": now["moves"][0]["id"],
        "point": point,
        "nonce": "ab" * 32,
        "word": WORD,
        "new": "another horse battery",
    }
    tokens = {"ann": session, "guest": guest, "worker": house.worker.token, "operator": house.operator.token}
    return Laid({name: str(one) for name, one in tokens.items()}, matches, {n: str(one) for n, one in parts.items()})


def _waiting(ann: Visitor, bob: Visitor) -> dict[str, str]:
    """Matches that have not begun."""
    own, open_one = ann.open(visibility="link"), bob.open()
    asked = bob.open(HIGH_CARD, [None, {"player": ann.id}])
    ann.sit(own, seat=0)
    return {"own": own, "open": open_one, "asked": asked}


def _played(house: House, ann: Visitor, bob: Visitor, cyd: Visitor, dan: str) -> dict[str, str]:
    """Matches that have."""

    def table(*players: Visitor) -> str:
        match = players[0].open(HIGH_CARD, [None] * len(players), clock=CLOCK)
        for seat, player in enumerate(players):
            player.sit(match, seat=seat)
        return match

    def post(who: Visitor, match: str, what: str, body: Any = None) -> None:
        answer = who.post(f"/matches/{match}/{what}", body)
        assert answer.status_code < 300, answer.json

    lent, agreed, paused, over = (table(ann, bob) for _ in range(4))
    offered = table(cyd, bob)
    post(ann, lent, "stand-in")
    for what in ("abort", "pause"):
        post(ann, agreed, what)
    post(bob, agreed, "offers", {"player": dan})
    for who in (ann, bob):
        post(who, paused, "pause")
        post(who, over, "abort")
    post(bob, offered, "offers", {"player": ann.id})
    return {"lent": lent, "agreed": agreed, "paused": paused, "over": over, "offered": offered}


def _mailed(house: House, ann: Visitor) -> dict[str, str]:
    """What the links in mails hold: Ann's address is confirmed, and she has asked for another, and for a password."""
    for address in ("ann@example.org", "ann@play.test"):
        assert ann.post("/me/email", {"email": address, "password": WORD}).status_code == 200
        if address.endswith(".org"):
            assert confirm(house).status_code == 200
    house.stranger.post("/recovery", {"email": "ann@example.org"})
    unsubscribing = MailTokens(house.service.signer).unsubscribe(ann.id)
    return {"confirming": link(house, "confirm"), "recovering": link(house, "recover"), "token": unsubscribing}
