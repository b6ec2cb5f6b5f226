"""Who has a password logs in by it; nobody is told which accounts there are; a browser's session lies in a cookie."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from threading import Barrier, Event

import pytest
from argon2 import PasswordHasher, extract_parameters
from freezegun import freeze_time

from events.store import Statement, StoreError
from service.accounts import names, passwords
from service.accounts.passwords import Passwords
from service.config import Config
from service.limits.settings import ACCOUNT, ADDRESS, Rate
from service.problems import TooMany
from service.store import people
from tests.service.accounts.insiders import WORD, log_in, session, with_password
from tests.service.house import Answer, House, Visitor, beside
from tests.service.matches.test_secrecy import told_in
from tests.service.run.uprun import until
from tests.service.stored import rows
from tests.service.together import at_once, meanwhile
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


def test_one_session_ends_or_all_of_them(house: House) -> None:
    ann = with_password(house)
    first, second, third = (session(house) for _ in range(3))
    assert first.delete("/sessions?everywhere=false").status_code == 204
    assert second.get("/me").status_code == 200
    assert second.delete("/sessions?everywhere=true").status_code == 204
    assert [one.get("/me").status_code for one in (first, second, third, ann)] == [401, 401, 401, 200]
    assert ann.delete("/sessions?everywhere=perhaps").json["code"] == "malformed"


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
    assert len({(answer.status_code, answer.data, *told_in(answer.headers)) for answer in answers}) == 1
    assert answers[0].json["code"] == "login-refused"
    mine = extract_parameters(Passwords().hash(WORD))
    assert [extract_parameters(kept) for kept in checked] == [mine] * len(tries)


def test_the_hash_that_is_nobody_s_takes_as_long_as_others() -> None:
    assert extract_parameters(EARNEST[1]) == extract_parameters(EARNEST[0].hash(WORD))


def test_what_is_no_password_and_no_login_is_said_by_the_field_in_which_it_was_sent(house: House) -> None:
    for field, wrong in (
        *(("password", one) for one in ("short", "x" * 129, "Password1", "aaaaaaaaaaaa", "correct\x07horse")),
        *(("login", one) for one in ("ab", "a b c", "ann@example", "P_something", "a\u202ebc")),
    ):
        answer = house.stranger.post("/players", {"name": "Ann", "login": "ann", "password": WORD, field: wrong})
        assert (answer.status_code, list(answer.json["errors"])) == (422, [field]), wrong
    answer = with_password(house).post("/me/password", {"old": WORD, "new": "password1"})
    assert (answer.status_code, list(answer.json["errors"])) == (422, ["new"])


def test_logins_and_passwords_have_a_shortest_and_a_longest() -> None:
    for login in ("abc", "a" * 32):
        assert names.enforce_login(login) == login
    # what is kept may be shorter or longer than what was said
    for login in ("ab", "a" * 33, "ｶﾞb", "İ" * 32):
        with pytest.raises(names.Unsuitable):
            names.enforce_login(login)
    for password in ("abcabcab", "abc" * 42 + "ab"):
        assert passwords.enforce(password) == password
    for password in ("abcabca", "abc" * 43, "abababab", "abcAbc12"):
        with pytest.raises(names.Unsuitable):
            passwords.enforce(password, "ABCabc12")


def test_two_accounts_don_t_log_in_by_one_name(house: House) -> None:
    ann, bob = with_password(house), house.player("Bob")
    again = house.stranger.post("/players", {"name": "Other", "login": "Ann", "password": WORD})
    assert (again.status_code, again.json["code"]) == (409, "login-taken")
    assert bob.post("/me/login", {"login": "ANN"}).json["code"] == "login-taken"
    assert bob.post("/me/login", {"login": "bobby"}).json["login"] == "bobby"
    assert ann.post("/me/login", {"login": "annie"}).json["login"] == "annie"
    assert bob.post("/me/login", {"login": "ann"}).json["login"] == "ann"


def test_a_password_that_is_changed_ends_other_sessions_and_no_token(house: House) -> None:
    ann = with_password(house)
    one, other = session(house), session(house)
    script = Visitor(ann.client, ann.post("/me/tokens", {"name": "script"}).json["token"])
    for said in ({"new": "another horse"}, {"new": "another horse", "old": "wrong horse"}):
        assert one.post("/me/password", said).status_code == 403
    assert one.post("/me/password", {"new": "another horse", "old": WORD}).status_code == 204
    assert [who.get("/me").status_code for who in (one, other, script, ann)] == [200, 401, 200, 200]
    assert log_in(house, "ann").status_code == 401
    said = {"login": "ann", "password": "another horse"}
    answers = [house.stranger.post("/sessions", said, key="k") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 409], "a repeat hands out no second session"


@pytest.mark.sqlite
def test_a_password_is_kept_by_a_slow_hash_alone(house: House) -> None:
    body = b'{"login": "ann", "name": "Ann", "password": "correct horse battery"}'
    headers = {"Content-Type": "application/json", "Idempotency-Key": "k"}
    assert house.send("POST", "/api/players", data=body, headers=headers).status_code == 201
    kept = b"".join(path.read_bytes() for path in house.service.config.data.glob("foldtable.db*"))
    assert b"$argon2id$" in kept
    assert sha256(body).hexdigest().encode() not in kept, "a fast hash of a body is one of its password"


def test_a_token_tells_the_day_of_its_last_use_noted_once_a_day(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_guesses_are_counted_together_however_a_login_is_spelt(spellings: list[str], config: Config) -> None:
    rates = (Rate("logins", ADDRESS, 1000, 600), Rate("logins", ACCOUNT, 3, 10**9))
    with housed(config, rates=rates) as house:
        with_password(house)
        guests = [Guest(house.app, at=f"198.51.100.{number}") for number in range(len(spellings))]
        said = [{"login": login, "password": "wrong horse"} for login in spellings]
        answers = at_once(*(partial(one.post, "/sessions", body) for one, body in zip(guests, said, strict=True)))
        codes = [answer.status_code for answer in answers]
        assert (codes.count(401), codes.count(429)) == (3, len(spellings) - 3)


@pytest.mark.parametrize("login", ["ann", "nobody"])
def test_guesses_are_limited_for_an_account_and_for_an_address(login: str, config: Config) -> None:
    """Whether the account is there or not; and nobody tries out by which names others log in."""
    with housed(config, rates=LIMITED) as house:
        with_password(house)
        for number in range(7):
            name = login if number < 3 else f"name-{number}"
            guess = Guest(house.app).post("/sessions", {"login": name, "password": "wrong horse"})
            assert guess.status_code == (401 if number < 6 else 429)
        refused = Guest(house.app, at="198.51.100.9").post("/sessions", {"login": login.upper(), "password": WORD})
        assert (refused.status_code, refused.json["fields"]["limit"]) == (429, "logins-by-account")
        assert 190 <= int(refused.headers["Retry-After"]) <= 200
        bob = Guest(house.app, house.player().token, at="198.51.100.10")
        assert [bob.post("/me/login", {"login": "ann"}).status_code for _ in range(4)] == [409, 409, 409, 429]


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
        until(lambda: asked._room._value == 0, "all of them are there")
        with pytest.raises(TooMany, match="too-many-passwords") as refused:
            asked.hash(WORD)
        assert refused.value.fields["after"] == 2
        assert not any(one.done() for one in waiting)
        end.set()
        assert all(one.result().startswith("$argon2id$") for one in waiting)


OLDER = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1).hash(WORD)
"""The password hashed with other costs than those of today."""


def test_a_password_that_was_hashed_with_other_costs_is_hashed_anew_by_who_logs_in(house: House) -> None:
    house.service.recorder.write([people.set_password(with_password(house).id, OLDER)])
    read = "SELECT password FROM players"
    kept = [rows(house.service, read)[0][0] for _ in range(3) if log_in(house, "ann").status_code == 201]
    assert extract_parameters(kept[0]) == extract_parameters(Passwords().hash(WORD))
    assert kept == [kept[0]] * 3, "once"
    assert log_in(house, "ann", "wrong horse").status_code == 401


def test_of_two_who_log_in_at_once_one_hashes_the_password_anew_and_both_are_let_in(house: House) -> None:
    house.service.recorder.write([people.set_password(with_password(house).id, OLDER)])
    other = House(beside(house.service))
    with meanwhile(lambda: session(other), Passwords, "check", after=True):
        session(house)
    assert rows(house.service, "SELECT password FROM players") != [(OLDER,)]


class Browser(Visitor):
    """Keeps its cookie, and what its pages repeat."""

    def __init__(self, house: House) -> None:
        super().__init__(house.app.test_client())
        self.csrf: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        return {"X-CSRF-Token": self.csrf} if self.csrf else {}

    def log_in(self) -> Answer:
        answer = self.post("/sessions", {"login": "ann", "password": WORD, "cookie": True})
        if answer.status_code == 201:
            self.csrf = answer.json["csrf"]
        return answer


def test_a_browser_s_token_lies_in_a_cookie_that_no_script_reads(house: House, tmp_path: Path) -> None:
    ann, browser = with_password(house), Browser(house)
    answer = browser.log_in()
    assert answer.json["token"] is None
    (cookie,) = answer.headers.getlist("Set-Cookie")
    for part in ("foldtable=", "HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"):
        assert part in cookie
    assert "Secure" not in cookie
    assert answer.headers["Cache-Control"] == "no-store"
    assert browser.get("/me").json["id"] == ann.id
    assert "Cookie" in browser.get("/me").headers["Vary"]
    config = Config(data=tmp_path / "there", public_url="https://play.example")
    with housed(config) as there:
        with_password(there)
        (cookie,) = log_in(there, "ann", cookie=True).headers.getlist("Set-Cookie")
        assert cookie.startswith("__Host-foldtable=")
        assert "Secure" in cookie


def test_a_token_that_is_said_needs_no_csrf_token_also_beside_a_cookie(house: House) -> None:
    with_password(house)
    browser, bob = Browser(house), house.player("Bob")
    browser.log_in()
    answer = browser.client.get("/api/sessions", headers=bob.headers)
    assert answer.json == {"player": {"id": bob.id, "name": "Bob", "kind": "human"}, "csrf": None}
    said = {"game": "high-card", "seats": [None, None]}
    assert browser.client.post("/api/matches", json=said, headers=bob.headers).status_code == 201


def test_a_cookie_of_a_session_that_is_over_is_nobody_s_and_forgotten(house: House) -> None:
    ann, browser = with_password(house), Browser(house)
    browser.log_in()
    (_, kept) = ann.get("/me/tokens").json["tokens"]
    ann.delete(f"/me/tokens/{kept['id']}")
    answer = browser.get("/matches")
    assert answer.status_code == 200, "what is public is still told"
    assert "foldtable=;" in answer.headers["Set-Cookie"]
    browser = Browser(house)
    browser.client.set_cookie("foldtable", "nobodys")
    assert browser.log_in().status_code == 201
    assert browser.get("/me").json["id"] == ann.id
    answer = browser.delete("/sessions")
    assert (answer.status_code, "foldtable=;" in answer.headers["Set-Cookie"]) == (204, True)
    assert browser.get("/me").json["code"] == "token-missing"
