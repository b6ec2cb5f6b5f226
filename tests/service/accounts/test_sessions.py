"""Who has a password logs in by it; nobody is told which accounts there are, and a session ends when it is told to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from hashlib import sha256
from itertools import product
from threading import Barrier, Event

import pytest
from argon2 import PasswordHasher, extract_parameters
from flask import Flask
from freezegun import freeze_time

from events.store import Statement, StoreError
from service.accounts import names, passwords
from service.accounts.passwords import Passwords
from service.config import Config
from service.limits.settings import ACCOUNT, ADDRESS, Rate
from service.problems import Forbidden, TooMany
from service.store import people
from tests.service.accounts.insiders import WORD, log_in, session, with_password
from tests.service.house import House, Visitor, beside
from tests.service.run.uprun import until
from tests.service.stored import rows
from tests.service.web.test_limits import Guest, housed

EARNEST = passwords._hasher, passwords.NOBODYS
"""What hashes in a service that runs, and the hash that stands for none."""


def test_who_has_a_password_logs_in_by_name_or_id_for_thirty_days(house: House) -> None:
    ann = with_password(house)
    told = ann.get("/me").json
    assert (told["has_password"], told["login"]) == (True, "ann")
    answer = log_in(house, "ann")
    kinds = [(one["name"], one["kind"]) for one in ann.get("/me/tokens").json["tokens"]]
    assert kinds == [("first", "token"), ("session", "session")]
    for said in ("ANN", " Ann ", ann.id):
        found = session(house, said)
        assert found.get("/me").json["id"] == ann.id
        assert found.token != ann.token
        assert found.delete("/sessions").status_code == 204
    with freeze_time(answer.json["expires"]):
        found = Visitor(house.app.test_client(), answer.json["token"])
        assert found.get("/me").json["code"] == "token-expired"
        # the next one that begins has it forgotten
        session(house)
        assert len(ann.get("/me/tokens").json["tokens"]) == 2


def test_whoever_logs_in_in_vain_can_t_tell_why(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As much is reckoned for an account that is not there."""
    ann = with_password(house)
    house.stranger.post("/players", {"name": "Bob", "login": "bob", "email": "bob@example.org"})
    checked: list[str] = []
    verify = Passwords.check

    def check(self: Passwords, kept: str | None, password: str) -> bool:
        checked.append(kept or passwords.NOBODYS)
        return verify(self, kept, password)

    monkeypatch.setattr(Passwords, "check", check)
    tries = [
        *(("ann", "wrong horse battery"), ("nobody", WORD), ("nobody", "wrong horse battery"), ("bob", WORD)),
        *(("bob@example.org", WORD), ("none@example.org", WORD), ("p_none", WORD), (ann.id, "x")),
        *(("ann", "x" * 128), ("a b\x00c", WORD), ("@", WORD)),
    ]
    answers = [log_in(house, *said) for said in tries]
    told = {
        (answer.status_code, answer.data, *sorted(pair for pair in answer.headers if pair[0] != "X-Request-ID"))
        for answer in answers
    }
    assert len(told) == 1
    assert answers[0].json["code"] == "login-refused"
    mine = extract_parameters(Passwords().hash(WORD))
    assert [extract_parameters(kept) for kept in checked] == [mine] * len(tries)


def test_the_hash_that_is_nobody_s_takes_as_long_as_others() -> None:
    assert extract_parameters(EARNEST[1]) == extract_parameters(EARNEST[0].hash(WORD))


def test_what_is_no_password_and_no_login_is_said_by_field(house: House) -> None:
    for field, wrong in (
        *(("password", one) for one in ("short", "x" * 129, "Password1", "aaaaaaaaaaaa", "correct\x07horse")),
        *(("login", one) for one in ("ab", "a b c", "ann@example", "P_something", "a\u202ebc")),
    ):
        answer = house.stranger.post("/players", {"name": "Ann", "login": "ann", "password": WORD, field: wrong})
        assert (answer.status_code, list(answer.json["errors"])) == (422, [field]), wrong


def test_logins_and_passwords_have_a_shortest_and_a_longest() -> None:
    for login in ("abc", "a" * 32):
        assert names.enforce_login(login) == login
    # what is kept may be shorter or longer than what was said
    for login in ("ab", "a" * 33, "ｶﾞb", "İ" * 32):
        with pytest.raises(names.BadLogin):
            names.enforce_login(login)
    for password in ("abcabcab", "abc" * 42 + "ab"):
        assert passwords.enforce(password) == password
    for password in ("abcabca", "abc" * 43, "abababab", "abcAbc12"):
        with pytest.raises(passwords.BadPassword):
            passwords.enforce(password, "ABCabc12")


def test_two_accounts_don_t_log_in_by_one_name(house: House) -> None:
    ann, bob = with_password(house), house.player("Bob")
    again = house.stranger.post("/players", {"name": "Other", "login": "Ann", "password": WORD})
    assert (again.status_code, again.json["code"]) == (409, "login-taken")
    assert bob.post("/me/login", {"login": "ANN"}).json["code"] == "login-taken"
    assert bob.post("/me/login", {"login": "bobby"}).json["login"] == "bobby"
    assert ann.post("/me/login", {"login": None}).json["login"] is None
    assert bob.post("/me/login", {"login": "ann"}).json["login"] == "ann"


def test_a_password_that_is_changed_ends_other_sessions_and_no_token(house: House) -> None:
    ann = with_password(house)
    one, other = session(house), session(house)
    script = Visitor(ann.client, ann.post("/me/tokens", {"name": "script"}).json["token"])
    for said in ({"new": "another horse"}, {"new": "another horse", "old": "wrong horse"}):
        assert one.post("/me/password", said).status_code == 403
    assert script.post("/me/password", {"new": "another horse", "old": WORD}).json["scope"] == "account"
    assert one.post("/me/password", {"new": "another horse", "old": WORD}).status_code == 204
    assert [who.get("/me").status_code for who in (one, other, script, ann)] == [200, 401, 200, 200]
    assert log_in(house, "ann").status_code == 401
    assert log_in(house, "ann", "another horse").status_code == 201


def test_only_who_manages_the_account_does_what_concerns_all_of_it(house: House) -> None:
    ann = with_password(house)
    service = house.service
    script = service.accounts.asker(ann.post("/me/tokens", {"name": "script"}).json["token"])
    for deed in (
        lambda: service.sessions.change(script, "", WORD, "another horse", "en"),
        lambda: service.sessions.set_login(script, "eve"),
        lambda: service.sessions.end(script, "", is_all=True),
        lambda: service.mailboxes.say(script, "eve@evil.test", WORD, "en"),
        lambda: service.owned_bots.made(script),
        lambda: service.owned_bots.make(script, "Bot"),
        lambda: service.passes.make(script),
        lambda: service.accounts.tokens(script),
        lambda: service.accounts.issue(script, "more"),
        lambda: service.accounts.revoke(script, "t"),
    ):
        with pytest.raises(Forbidden):
            deed()
    assert log_in(house, "ann").status_code == 201


def test_a_session_that_ends_is_refused_by_every_process(house: House) -> None:
    with_password(house)
    there = House(beside(house.service))
    one, other = session(house), session(house)
    assert [there.again(who).get("/me").status_code for who in (one, other)] == [200, 200]
    assert one.delete("/sessions").status_code == 204
    assert [there.again(who).get("/me").status_code for who in (one, other)] == [401, 200]
    three = session(house)
    assert there.again(three).get("/me").status_code == 200
    assert other.delete("/sessions?everywhere=true").status_code == 204
    assert [there.again(who).get("/me").status_code for who in (other, three)] == [401, 401]


@pytest.mark.sqlite
def test_nothing_that_is_kept_tells_a_password(house: House) -> None:
    body = b'{"login": "ann", "name": "Ann", "password": "correct horse battery"}'
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    assert house.send("POST", "/api/players", data=body, headers=headers).status_code == 201
    log_in(house, "ann", cookie=True)
    guessed = sha256(body).hexdigest()
    for (table,) in rows(house.service, "SELECT name FROM sqlite_schema WHERE type = 'table'"):
        kept = repr(rows(house.service, f'SELECT * FROM "{table}"'))
        assert WORD not in kept
        assert guessed not in kept, "a fast hash of a body is one of its password"
    (hashed,) = rows(house.service, "SELECT password FROM players")
    assert hashed[0].startswith("$argon2id$")


def test_a_token_tells_the_day_of_its_last_use_which_is_written_once_a_day_if_it_can_be(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    with freeze_time("2026-05-01T12:00:00Z") as clock:
        ann, store = house.player(), house.service.recorder
        write, written = store.write, list[object]()

        def noted(statements: list[Statement]) -> object:
            written.append(statements)
            return write(statements)

        def fail(_: list[Statement]) -> None:
            raise StoreError("full")

        monkeypatch.setattr(store, "write", noted)
        for day in ("2026-05-01", "2026-05-02", "2026-05-03"):
            assert [one["used"] for one in ann.get("/me/tokens").json["tokens"]] == [day]
            assert ann.get("/me").status_code == 200
            clock.tick(24 * 3600)
        assert len(written) == 2
        monkeypatch.setattr(store, "write", fail)
        assert ann.get("/me").status_code == 200, "a store that takes nothing still lets people read"
        there = House(beside(house.service))
        assert [one["used"] for one in there.again(ann).get("/me/tokens").json["tokens"]] == ["2026-05-03"]


LIMITED = (Rate("logins", ADDRESS, 6, 600), Rate("logins", ACCOUNT, 3, 600))


SPELLINGS = ["".join(one) for one in product("aA\uff41\uff21", "nN\uff4e\uff2e", "nN\uff4e\uff2e")]
"""Of `ann`: in small letters and large, narrow and wide."""

OF_A_MAILBOX = ["".join(one) for one in product("aA", "nN", "nN", ["@"], "eE", "xX", ["ample.org", "AMPLE.ORG "])]


@pytest.mark.parametrize("spellings", [SPELLINGS, OF_A_MAILBOX], ids=["login", "mailbox"])
def test_however_a_login_is_spelt_its_guesses_are_counted_together_and_none_slips_through_at_once(
    spellings: list[str], config: Config, app: Flask
) -> None:
    rates = (Rate("logins", ADDRESS, 1000, 600), Rate("logins", ACCOUNT, 3, 10**9))
    with housed(config, app, rates=rates) as house, ThreadPoolExecutor(len(spellings)) as pool:
        with_password(house)
        begin = Barrier(len(spellings))

        def guess(number: int) -> int:
            somebody = Guest(house.app, at=f"198.51.100.{number}")
            begin.wait()
            return somebody.post("/sessions", {"login": spellings[number], "password": "wrong horse"}).status_code

        codes = list(pool.map(guess, range(len(spellings))))
        assert (codes.count(401), codes.count(429)) == (3, len(spellings) - 3)


@pytest.mark.parametrize("login", ["ann", "nobody"])
def test_guesses_are_limited_for_an_account_and_for_an_address(login: str, config: Config, app: Flask) -> None:
    """Whether the account is there or not; and nobody tries out by which names others log in."""
    with housed(config, app, rates=LIMITED) as house:
        with_password(house)
        for _ in range(3):
            guess = Guest(house.app).post("/sessions", {"login": login, "password": "wrong horse"})
            assert guess.status_code == 401
        refused = Guest(house.app, at="198.51.100.9").post("/sessions", {"login": login.upper(), "password": WORD})
        assert (refused.status_code, refused.json["fields"]["limit"]) == (429, "logins-by-account")
        assert 190 <= int(refused.headers["Retry-After"]) <= 200
        others = [{"login": f"name-{one}", "password": WORD} for one in range(4)]
        assert [Guest(house.app).post("/sessions", one).status_code for one in others] == [401] * 3 + [429]
        bob = Guest(house.app, house.player().token, at="198.51.100.10")
        assert [bob.post("/me/login", {"login": "ann"}).status_code for _ in range(4)] == [409, 409, 409, 429]


def test_more_than_may_wait_for_a_hash_are_told_to_come_again() -> None:
    one = Passwords(at_once=1, waiting=0)
    with pytest.raises(TooMany, match="too-many-passwords") as refused:
        one._apart(lambda: one.hash(WORD))
    assert refused.value.fields["after"] == 2
    assert one.check(one.hash(WORD), WORD), "whoever is refused is not counted any longer"


def test_two_hashes_are_reckoned_at_a_time_and_a_hundred_may_wait() -> None:
    asked = Passwords()
    with ThreadPoolExecutor(103) as threads, ExitStack() as reckoned:
        both, end = Barrier(2 + 1, timeout=60), Event()
        reckoned.callback(end.set)

        def reckon() -> None:
            both.wait()
            end.wait()

        for _ in range(2):
            threads.submit(asked._apart, reckon)
        both.wait()
        waiting = [threads.submit(asked.hash, WORD) for _ in range(100)]
        until(lambda: asked._asked == 102, "all of them are there")
        with pytest.raises(TooMany):
            asked.hash(WORD)
        assert not any(one.done() for one in waiting)
        end.set()
        assert all(one.result().startswith("$argon2id$") for one in waiting)


def test_a_password_that_was_hashed_with_other_costs_is_hashed_anew_by_who_logs_in(house: House) -> None:
    ann = with_password(house)
    older = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash(WORD)
    house.service.recorder.write([people.set_password(ann.id, older)])
    read = "SELECT password FROM players"
    kept = [rows(house.service, read)[0][0] for _ in range(3) if log_in(house, "ann").status_code == 201]
    assert extract_parameters(kept[0]) == extract_parameters(Passwords().hash(WORD))
    assert kept == [kept[0]] * 3, "once"
    assert log_in(house, "ann", "wrong horse").status_code == 401
