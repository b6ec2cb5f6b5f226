"""Players, their names and tokens: what a token grants, who manages and remembers tokens, and how long one lasts."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from freezegun import freeze_time

from service.accounts import ACCOUNT, PLAY, READ, STRANGER, Asker, Signing
from service.accounts.names import MARKS, Unsuitable, enforce, is_text
from service.accounts.passes import BY_PASS
from service.accounts.passwords import Passwords
from service.accounts.players import LASTS, Granted, Revocations
from service.config import Config
from service.problems import Forbidden, Unauthorized, Unknown
from service.signing import digest
from service.store.people import Grant
from tests.service.accounts.insiders import WORD, session, with_password
from tests.service.house import House, Visitor, beside, refusal
from tests.service.together import meanwhile
from tests.service.web.test_limits import housed


def test_a_name_suffices_to_sign_up(house: House) -> None:
    answer = house.stranger.post("/players", {"name": "Ann"})
    assert answer.status_code == 201
    told = dict(answer.json)
    id, token, created = told.pop("id"), told.pop("token"), told.pop("created")
    nothing = dict.fromkeys(("email", "owner", "login", "confirmed", "email_next"))
    assert told == {**nothing, "name": "Ann", "kind": "human", "has_password": False}
    assert id.startswith("p_")
    assert len(token) >= 43
    assert Visitor(house.app.test_client(), token).get("/me").json == {**told, "id": id, "created": created}
    bot = house.stranger.post("/players", {"name": "R. Daneel", "kind": "bot", "email": "r@example.org"}).json
    assert (bot["kind"], bot["email"]) == ("bot", "r@example.org")


def test_tokens_are_listed_and_revoked_by_their_owner(house: House) -> None:
    ann = house.player("Ann")
    second = ann.post("/me/tokens", {"name": "second"}).json
    listed = ann.get("/me/tokens").json["tokens"]
    assert [token["name"] for token in listed] == ["first", "second"]
    assert all("token" not in token for token in listed)
    assert ann.delete(f"/me/tokens/{second['id']}").status_code == 204
    assert Visitor(ann.client, second["token"]).get("/me").json["code"] == "unknown-token"
    for gone_id in (second["id"], "t_%00"):
        assert ann.delete(f"/me/tokens/{gone_id}").json["code"] == "unknown-token-id"


def test_a_token_that_is_nobodys_is_refused_everywhere(house: House) -> None:
    for said in ("Bearer nobodys", "Bearer ", "Basic YTpi", "x", None):
        answer = house.stranger.get("/games" if said else "/me", headers={"Authorization": said} if said else {})
        code = "unknown-token" if said else "token-missing"
        assert refusal(answer) == (401, code), said
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


SCOPES = ["match:read", "match:play", "match:create", "webhook:write"]


def test_the_scopes_to_manage_tokens_and_of_the_house_are_handed_out_to_no_further_one(house: House) -> None:
    ann = house.player()
    assert ann.get("/me/tokens").json["tokens"][0]["scopes"] == [*SCOPES, "account"]
    for scope in ("account", "bot:play", "admin"):
        assert refusal(ann.post("/me/tokens", {"scopes": ["match:read", scope]})) == (422, "malformed")
    assert ann.post("/me/tokens", {}).json["scopes"] == SCOPES


def test_a_token_lasts_as_long_as_was_said(house: House) -> None:
    with freeze_time("2026-03-01T12:00:00Z") as time:
        ann = house.player()
        made = ann.post("/me/tokens", {"name": "guest", "expires": "2026-03-01T14:00:00.5+01:00"}).json
        assert made["expires"] == "2026-03-01T13:00:00.500Z"
        guest = Visitor(ann.client, made["token"], ann.id)
        assert [token["expires"] for token in ann.get("/me/tokens").json["tokens"]] == [None, made["expires"]]
        time.move_to("2026-03-01T13:00:00.499Z")
        assert guest.get("/me").status_code == 200
        time.move_to("2026-03-01T13:00:00.500Z")
        for answer in (guest.get("/me"), guest.get("/games")):
            assert refusal(answer) == (401, "token-expired")
            assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert ann.get("/me").status_code == 200, "sign-up's lasts"
        assert ann.delete(f"/me/tokens/{made['id']}").status_code == 204
        assert guest.get("/me").json["code"] == "unknown-token"


def test_an_end_that_can_not_be(house: House) -> None:
    with freeze_time("2026-03-01T12:00:00Z"):
        ann = house.player()
        said: tuple[tuple[str, tuple[object, ...]], ...] = (
            ("malformed", ("2026-03-02T12:00:00", "2026-03-02", "soon", 5, "", True, [], "0001-01-01T00:00:00+01:00")),
            ("already-past", ("2026-03-01T12:00:00Z", "2025-01-01T00:00:00Z", "2026-03-01T12:30:00+01:00")),
        )
        for code, ends in said:
            for expires in ends:
                answer = ann.post("/me/tokens", {"expires": expires})
                assert refusal(answer) == (422, code), expires
                assert code != "malformed" or list(answer.json["errors"]) == ["expires"]
        assert len(ann.get("/me/tokens").json["tokens"]) == 1


def test_a_player_is_called_so_in_every_match_once_renamed_by_who_manages_the_account(house: House) -> None:
    match, (ann, _) = house.table()
    narrow = ann.post("/me/tokens", {"name": "x", "scopes": ["match:play"]}).json["token"]
    accounts = house.service.accounts
    for asker, refused in (
        (STRANGER, Unauthorized),
        (accounts.asker(narrow), Forbidden),
        (accounts.asker(house.operator.token), Forbidden),
    ):
        with pytest.raises(refused):
            accounts.rename(asker, "Eve")
    known = {"If-None-Match": house.stranger.get(f"/matches/{match}").headers["ETag"]}
    assert house.stranger.get(f"/matches/{match}", known).status_code == 304
    accounts.rename(accounts.asker(ann.token), "Somebody")
    assert house.stranger.get(f"/matches/{match}", known).status_code == 200
    assert [seat["player"]["name"] for seat in house.stranger.look(match)["seats"]] == ["Somebody", "Player 1"]
    # another process knows it too
    assert beside(house.service).accounts.find(ann.id).name == "Somebody"


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


def test_who_signs_up_by_a_pass_that_somebody_takes_meanwhile_is_told_so(config: Config) -> None:
    with housed(replace(config, sign_up=BY_PASS)) as house:
        code = house.operator.post("/passes").json["code"]
        wanted = {"name": "Ann", "pass": code}
        with meanwhile(lambda: house.stranger.post("/players", wanted), Passwords, "hash"):
            refused = house.stranger.post("/players", {**wanted, "login": "ann", "password": WORD})
        assert refusal(refused) == (403, "pass-not-good")
        assert house.service.accounts.people.of_login("ann") is None


ANN = Grant("p_ann", frozenset({"match:read"}), None)


@pytest.fixture
def revocations(tmp_path: Path) -> Revocations:
    return Revocations(tmp_path / "revocations")


def finding(
    revocations: Revocations, *found: Grant | None, meanwhile: Callable[[], object] = lambda: None
) -> tuple[Granted, list[str]]:
    """The answers of a store in turn, the last one again and again; and what it was asked."""
    asked: list[str] = []
    answers = list(found)

    def find(hashed: Sequence[str]) -> dict[str, Grant]:
        asked.extend(hashed)
        meanwhile()
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        return {} if found is None else dict.fromkeys(hashed, found)

    return Granted(find, revocations.count), asked


def test_a_token_is_looked_up_once_until_one_is_revoked_and_nobody_s_each_time(revocations: Revocations) -> None:
    granted, asked = finding(revocations, None, ANN, ANN, None)
    assert granted.find("a") is None
    assert granted.find("a") is granted.find("a") is ANN
    assert asked == ["a", "a"]
    revocations.add()
    assert granted.find("a") is ANN
    revocations.add()
    assert granted.find("a") is None


def test_one_whose_revocation_nobody_counted_is_soon_looked_up_again(revocations: Revocations) -> None:
    with freeze_time("2026-05-01T12:00:00Z") as clock:
        granted, _asked = finding(revocations, ANN, None)
        clock.tick(LASTS - 1)
        assert granted.find("a") is granted.find("a") is ANN
        clock.tick(LASTS)
        assert granted.find("a") is None, "the process that revoked it was killed"


def test_one_that_is_revoked_while_it_is_looked_up_is_not_remembered(revocations: Revocations) -> None:
    granted, _asked = finding(revocations, ANN, None, meanwhile=revocations.add)
    assert granted.find("a") is ANN
    assert granted.find("a") is None


def test_another_process_counts_what_was_revoked(tmp_path: Path) -> None:
    first, second = Revocations(tmp_path / "revocations"), Revocations(tmp_path / "revocations")
    assert (first.count(), second.count()) == (0, 0)
    first.add()
    second.add()
    assert (first.count(), second.count()) == (2, 2)
    assert (tmp_path / "revocations").stat().st_mode & 0o777 == 0o600


def test_where_nobody_could_count_them_nothing_is_remembered() -> None:
    apart = Revocations(None)
    apart.add()
    granted, asked = finding(apart, ANN, None)
    assert granted.find("a") is ANN
    assert granted.find("a") is None
    assert asked == ["a", "a"]


def test_not_more_than_so_many_are_remembered(revocations: Revocations, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.accounts.players.MOST", 2)
    granted, asked = finding(revocations, ANN)
    for hashed in "abab":
        granted.find(hashed)
    assert asked == ["a", "b"]
    for hashed in "cab":
        granted.find(hashed)
    assert asked == ["a", "b", "c", "a", "b"]


def test_of_many_tokens_those_are_looked_up_that_are_not_remembered(revocations: Revocations) -> None:
    granted, asked = finding(revocations, ANN, ANN, ANN, ANN, None)
    granted.find("a")
    for _ in range(2):
        assert granted.find_all(["a", "b"]) == {"a": ANN, "b": ANN}
    assert asked == ["a", "b"]
    granted.forget("a")
    granted.find_all(["a", "b"])
    assert asked == ["a", "b", "a"]
    revocations.add()
    assert granted.find_all(["a"]) == {"a": ANN}
    assert granted.find_all(["a", "b"]) == {"a": ANN}, "nobody's are left out"


NAMES = tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8"))
KEPT: dict[str, str] = {name: name for name in NAMES["same"]} | NAMES["otherwise"]
"""What is kept of what was sent."""
REFUSED = [*NAMES["refused"], "Z" + "\u0301" * 30, "x" * 65, "山" * 65, "x" * 64 + "\ufe0f"]


@pytest.mark.parametrize(("name", "kept"), KEPT.items(), ids=ascii)
def test_a_name_is_kept_in_one_form(name: str, kept: str) -> None:
    assert enforce(name) == kept
    assert enforce(kept) == kept


@pytest.mark.parametrize("name", REFUSED, ids=ascii)
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(Unsuitable):
        enforce(name)


def test_of_what_chooses_a_glyph_all_is_dropped_and_nothing_beside_it() -> None:
    for sign in "\ufe00\ufe0f\U000e0100\U000e01ef":
        assert enforce(f"葛{sign}") == "葛"
    for sign in "\ufdff\ufe10\U000e00ff\U000e01f0":
        try:
            assert enforce(f"葛{sign}") != "葛"
        except Unsuitable:
            continue


@pytest.mark.parametrize(
    ("said", "is_written"), [("Ann, 山田!", True), ("", True), ("a\u202eb", False), ("a\nb", False), ("a\u2800", False)]
)
def test_a_text_is_of_signs_that_are_written(said: str, is_written: bool) -> None:
    assert is_text(said) is is_written


def test_marks_pile_up_only_so_high() -> None:
    name = "q" + "\u0323\u0324\u0325\u0326"[:MARKS]
    assert enforce(name * 3) == enforce(name) * 3
    with pytest.raises(Unsuitable):
        enforce(name + "\u0327")


def test_whatever_is_named_by_people_the_rule_is_one_and_a_name_is_told_as_it_is_kept(house: House) -> None:
    ann = house.player("Ａｎｎ\u3000 Lee")
    for name in ("", "a\u202eb"):
        for answer in (
            *(house.stranger.post("/players", {"name": name, "kind": kind}) for kind in ("human", "bot")),
            ann.post("/me/tokens", {"name": name}),
        ):
            assert (answer.status_code, list(answer.json["errors"])) == (422, ["name"])
    assert ann.get("/me").json["name"] == "Ann Lee"
    assert ann.post("/me/tokens", {"name": "ﾃｽﾄ"}).json["name"] == "テスト"
    match = ann.open(seats=[{"player": ann.id}, None])
    assert house.stranger.look(match)["seats"][0]["reserved"]["name"] == "Ann Lee"


def test_an_address_is_one_line_too(house: House) -> None:
    for email in (
        *("a\nb@example.org", "a\u202eb@example.org", "a@exa\u200bmple.org", "a@example.org\n", "@", "a" * 300),
        *('"\x01a"@example.org', '"\x1b[31m"@example.org', "a@b\u202e.org", "a@b\u2028.org"),
    ):
        answer = house.stranger.post("/players", {"name": "Ann", "email": email})
        assert (answer.status_code, list(answer.json["errors"])) == (422, ["email"]), ascii(email)
