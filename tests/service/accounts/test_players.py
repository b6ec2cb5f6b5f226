"""Whose tokens are known, how long they hold, and what a new account is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask
from freezegun import freeze_time

from service.accounts import ACCOUNT, PLAY, READ, Asker, Sessions, Signing, SignUps
from service.accounts.passes import BY_PASS
from service.accounts.passwords import Passwords
from service.config import Config
from service.problems import Forbidden, Unauthorized, Unknown
from service.signing import digest
from tests.service.accounts.insiders import WORD, session, with_password
from tests.service.house import House, Visitor
from tests.service.web.test_limits import housed


def hashed(*visitors: Visitor) -> list[str]:
    return [digest(one.token or "") for one in visitors]


def kinds(player: Visitor) -> list[str]:
    return [one["kind"] for one in player.get("/me/tokens").json["tokens"]]


def test_who_is_not_there_is_unknown(house: House) -> None:
    accounts, ann = house.service.accounts, house.player()
    accounts.find(ann.id)
    for nobody in ("p_none", "p_\x00"):
        with pytest.raises(Unknown):
            accounts.find(nobody)


def test_tokens_that_hold_no_longer_are_told_from_those_that_do(house: House) -> None:
    with freeze_time("2026-05-01T12:00:00Z") as clock:
        ann, bob = house.player(), house.player()
        made = ann.post("/me/tokens", {"name": "guest", "expires": "2026-05-01T13:00:00Z"}).json
        guest = Visitor(ann.client, made["token"])
        all_of = hashed(ann, bob, guest, house.worker, house.operator)
        accounts = house.service.accounts
        assert accounts.lost(all_of) == set()
        ann.delete(f"/me/tokens/{ann.get('/me/tokens').json['tokens'][0]['id']}")
        assert accounts.lost(all_of) == set(hashed(ann))
        clock.move_to("2026-05-01T14:00:00Z")
        assert accounts.lost(all_of) == set(hashed(ann, guest))
        refused = guest.get("/me").json
        assert (refused["code"], refused["fields"]) == ("token-expired", {"expires": made["expires"]})


def test_whoever_waits_is_told_that_tokens_were_forgotten(house: House) -> None:
    ann = house.player()
    told: list[str] = []
    house.service.accounts.when_forgotten = lambda: told.append("forgotten")
    second = ann.post("/me/tokens", {"name": "second"}).json
    assert told == []
    ann.delete(f"/me/tokens/{second['id']}")
    assert told == ["forgotten"]


def test_a_token_that_a_browser_holds_ends_as_a_session_does(house: House) -> None:
    ann, accounts = with_password(house), house.service.accounts
    script = Visitor(ann.client, ann.post("/me/tokens", {"name": "script"}).json["token"], ann.id)
    assert kinds(ann) == ["token", "token"]
    for _ in range(2):
        assert accounts.in_browser(script.token or "").player == ann.id
        assert kinds(ann) == ["token", "session"]
    other = session(house)
    assert accounts.in_browser(other.token or "").player == ann.id
    assert accounts.in_browser(house.operator.token or "") == accounts.asker(house.operator.token)
    assert ann.post("/me/password", {"old": WORD, "new": "another horse"}).status_code == 204
    for gone in (script, other):
        with pytest.raises(Unauthorized):
            accounts.in_browser(gone.token or "")
    assert ann.get("/me").status_code == 200


def test_a_token_of_before_a_scope_was_grants_no_token_that_scope(house: House) -> None:
    ann, accounts = house.player(), house.service.accounts
    older = Asker(ann.id, frozenset({READ, ACCOUNT}))
    with pytest.raises(Forbidden):
        accounts.issue(older, "more", (READ, PLAY))
    assert accounts.issue(older, "same")[0].scopes == (READ,)


def test_who_could_not_sign_in_again_stays_signed_in_for_a_year_and_others_for_a_month(house: House) -> None:
    service = house.service
    for login, password, days in (("ann", WORD, 30), ("bob", None, 365), (None, WORD, 365), (None, None, 365)):
        with freeze_time("2026-05-01T12:00:00Z") as clock:
            lasts, said = service.sessions.lasts(login, password), Signing(name="Ann", login=login, password=password)
            player, token = service.sign_ups.sign_up(Asker(), said, "en", lasts)
            clock.tick(timedelta(days=days) - timedelta(milliseconds=1))
            assert service.accounts.asker(token).player == player.id
            clock.tick(timedelta(milliseconds=1))
            with pytest.raises(Unauthorized):
                service.accounts.asker(token)


class Meanwhile(Passwords):
    """Something happens while a password is hashed, which takes long."""

    def __init__(self, deed: Callable[[], object]) -> None:
        super().__init__()
        self._deed = deed

    def hash(self, password: str) -> str:
        self._deed()
        return super().hash(password)


def test_who_signs_up_by_a_pass_that_somebody_takes_meanwhile_is_told_so(config: Config, app: Flask) -> None:
    with housed(replace(config, sign_up=BY_PASS), app) as house:
        accounts, mailboxes = house.service.accounts, house.service.mailboxes
        code = house.operator.post("/passes").json["code"]

        def take() -> None:
            assert house.stranger.post("/players", {"name": "Eve", "pass": code}).status_code == 201

        slow = SignUps(accounts, Sessions(accounts, Meanwhile(take)), mailboxes, BY_PASS)
        with pytest.raises(Forbidden, match="pass-not-good"):
            slow.sign_up(Asker(), Signing(name="Ann", login="ann", password=WORD, code=code), "en")
        assert accounts.proofs.of_login("ann") is None
