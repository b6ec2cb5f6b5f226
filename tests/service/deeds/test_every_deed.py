"""Whoever has a deed done by a program or by a page has the same done, once for a key, and counted alike.

Each row of the table (`rows.yaml`) is done twice, on copies of one store: by the operation, and by the form. What lies
in the store afterwards is compared, then both are asked again past every limit.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
from freezegun import freeze_time
from werkzeug.test import TestResponse

from service.config import Config
from service.deeds import TABLE, Deed
from service.limits import Asking
from service.limits.limits import Buckets
from service.mail import MailTokens
from service.web.contract import operations
from service.web.pages import table
from tests.service.accounts.insiders import WORD
from tests.service.accounts.test_mailboxes import confirm, link
from tests.service.house import HIGH_CARD, House, Visitor, build, play_out, routes
from tests.service.matches.test_secrecy import copied
from tests.service.security.furnished import furnish, someone
from tests.service.web.test_limits import ALL, FAR

CLOCK = {"allowance": "P1D"}
LAID = "what the deed needs is made by `lay`, or by `furnish`"
ONCE = "what is asked again is answered as before: write with `Front.write_once`, or `Changes.change_once`"


class Laid(NamedTuple):
    """A house in which all is laid out that the deeds of the table are about: where it lies, and by what names."""

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
    assert ann.put("/me/feed", {}).status_code == 200
    said = bob.post(f"/matches/{found.match}/talk", {"text": "mine are better"}).json["number"]
    assert bob.post(f"/matches/{found.match}/offers", {"player": dan}).status_code == 200
    now, guest = ann.moves(found.match), someone(house, "Guest").token
    matches = {"playing": found.match, **_waiting(ann, bob), **_played(house, ann, bob, found.cyd, dan)}
    matches["alone"], decision = _alone(ann)
    point = house.stranger.look(matches["over"])["version"] - 1
    parts: dict[str, Any] = {
        **found.parts,
        **_mailed(house, ann),
        "code": ann.post("/passes").json["code"],
        "ann": ann.id,
        "bob": bob.id,
        "dan": dan,
        "eve": found.eve.id,
        "alone": decision,
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


def _alone(ann: Visitor) -> tuple[str, int]:
    """A match of hers against a bot in which she is asked, and the decision."""
    while True:
        match = ann.open(HIGH_CARD, [None, {"bot": "greedy"}])
        ann.sit(match, seat=0)
        if (decision := ann.moves(match)["decision"]) is not None:
            return match, int(decision)


def _waiting(ann: Visitor, bob: Visitor) -> dict[str, str]:
    """Matches that have not begun."""
    own, open_one = ann.open(visibility="link"), bob.open()
    asked = bob.open(HIGH_CARD, [None, {"player": ann.id}])
    ann.sit(own, seat=0)
    return {"own": own, "open": open_one, "asked": asked}


def _played(house: House, ann: Visitor, bob: Visitor, cyd: Visitor, dan: str) -> dict[str, str]:
    """Matches that have."""

    def post(who: Visitor, match: str, what: str, body: Any = None) -> None:
        answer = who.post(f"/matches/{match}/{what}", body)
        assert answer.status_code < 300, answer.json

    lent, agreed, paused, over, done, reviewed = (ann.open_with(bob, clock=CLOCK) for _ in range(6))
    offered = cyd.open_with(bob, clock=CLOCK)
    post(ann, lent, "stand-in")
    assert ann.put(f"/me/mail/quiet/{lent}").status_code == 204
    for what in ("abort", "pause"):
        post(ann, agreed, what)
    post(bob, agreed, "offers", {"player": dan})
    for who in (ann, bob):
        post(who, paused, "pause")
        post(who, over, "abort")
    post(bob, offered, "offers", {"player": ann.id})
    for match in (done, reviewed):
        play_out(match, [ann, bob])
    post(ann, reviewed, "reviews", {"seat": 1})
    played = {"lent": lent, "agreed": agreed, "paused": paused, "over": over, "offered": offered}
    return {**played, "done": done, "reviewed": reviewed}


def _mailed(house: House, ann: Visitor) -> dict[str, str]:
    """What the links in mails hold: Ann's address is confirmed, and she has asked for another, and for a password."""
    for address in ("ann@example.org", "ann@play.test"):
        assert ann.post("/me/email", {"email": address, "password": WORD}).status_code == 200
        if address.endswith(".org"):
            assert confirm(house).status_code == 200
    house.stranger.post("/recovery", {"email": "ann@example.org"})
    unsubscribing = MailTokens(house.service.signer).unsubscribe(ann.id)
    return {"confirming": link(house, "confirm"), "recovering": link(house, "recover"), "token": unsubscribing}


pytestmark = pytest.mark.sqlite

BEGUN, LATER = "2026-03-01T12:00:00Z", "2026-03-01T12:10:00Z"

UNSAFE = {found.id: found for found in operations(routes()) if found.method != "GET"}

BY_PAGES = {"keepAccount", "rename"}
"""Deeds that no operation asks for."""

OTHER_FORMS = {"/guest", "/theme"}
"""The first signs somebody up by a name that is drawn, where nobody needs a pass; the second is kept by the browser."""

DRAWN = re.compile(r"\b[a-z]{1,2}_[a-z0-9]{16}\b|\$argon2[^']*|\bgAAAAA[\w=-]+|\b[0-9a-f]{32,}\b")
"""What is another one each time."""

FORM = re.compile(r'name="csrf" value="([^"]+)"')


GONE = "whoever asks is nobody afterwards"


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deed, asked for in both ways. Texts in braces stand for what `lay` has prepared."""

    deed: str
    said: Any = None
    """The body that a program sends."""
    form: str = ""
    """Where the page's form is sent; "": no page has one."""
    fields: dict[str, str] = {}
    """What is typed into the form."""
    match: str = "playing"
    """Which of the prepared matches it is about."""
    sits: int | None = None
    """The seat that the form takes besides in the match that it opens."""
    asker: str = "ann"
    apart: str = ""
    """The table in which a page writes something else: a browser is given a session."""
    unkeyed: str = ""
    """Why the form does nothing twice though it has no key."""


ROWS = msgspec.yaml.decode(Path(__file__).with_name("rows.yaml").read_bytes(), type=list[Row])


def name_of(row: Row) -> str:
    return f"{row.deed}{row.form and ' by '}{row.form}"


each = pytest.mark.parametrize("row", ROWS, ids=name_of)


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Laid]:
    """The store of which each test has a copy, and what lies in it."""
    data = tmp_path_factory.mktemp("laid") / "data"
    with freeze_time(BEGUN), House(build(Config(data=data, bot_pause=0.0, sign_up="invitation"))) as house:
        return data, lay(house)


class There:
    """A copy, and whoever asks there."""

    def __init__(self, house: House, laid: Laid, row: Row) -> None:
        self.house, self.laid, self.row = house, laid, row
        self.deed: Deed = TABLE[row.deed]
        self.client = house.app.test_client()
        self.client.environ_base["REMOTE_ADDR"] = FAR
        self.token = laid.tokens.get(row.asker, "")

    def named(self, value: Any, **more: str) -> Any:
        """The value of the table, with what its texts stand for."""
        match value:
            case str() if value.startswith("{") and value[1:-1] in {"alone", "decision", "point"}:
                return int(self.laid.parts[value[1:-1]])
            case str():
                return value.format(**{**self.laid.parts, "match_id": self.laid.matches[self.row.match], **more})
            case dict():
                return {name: self.named(one) for name, one in value.items()}
            case list():
                return [self.named(one) or None for one in value]
        return value

    def by_program(self, key: str, deed: str = "", said: Any = None, match_id: str = "") -> TestResponse:
        """The operation's answer."""
        found = UNSAFE[deed or self.row.deed]
        seat = {"seat": self.laid.parts["theirs"], "token_id": self.laid.parts["token_id"]}
        if found.id == "revokeBotToken":
            seat["token_id"] = self.laid.parts["bot_token_id"]
        if found.id == "reportMessage":
            seat["message"] = self.laid.parts["theirs_said"]
        path = self.named(found.path, **seat, **({"match_id": match_id} if match_id else {}))
        body = self.named(self.row.said if not deed else said)
        headers = {"Idempotency-Key": key} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        return self.client.open(path, method=found.method, headers=headers, json=body)

    def form(self) -> str:
        """What stands in a form of a page that is looked at now."""
        if self.token:
            self.client.set_cookie("foldtable", self.token)
        found = FORM.search(self.client.get("/lobby").text)
        return found[1] if found else ""

    def by_page(self, form: str) -> TestResponse:
        """The answer to the form."""
        fields = {name: str(self.named(value)) for name, value in self.row.fields.items()}
        return self.client.post(self.named(self.row.form), data={"csrf": form, **fields})

    def use_up(self) -> None:
        """Nothing is left of what the deed is counted by."""
        self.house.service.limits.buckets = Buckets()
        for name in (*self.deed.limits, *self.deed.by_said):
            self.house.service.limits.count((name,), Asking(site=FAR), ALL)

    def kept(self) -> dict[str, list[str]]:
        """What lies in the store, but for what is drawn, and the keys of requests."""
        store = sqlite3.connect(self.house.service.config.database)
        names = [name for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        found = {
            name: sorted(self._told(row) for row in store.execute(f'SELECT * FROM "{name}"'))
            for name in names
            if name not in {"requests", "commands", self.row.apart} and not name.startswith("sqlite_")
        }
        store.close()
        return found

    def _told(self, row: tuple[Any, ...]) -> str:
        """The row. A match that is opened has a secret of its own, and all that is drawn from it."""
        is_drawn = self.row.sits is not None
        return undrawn(str([one for one in row if not (is_drawn and isinstance(one, bytes))]))


@lru_cache(maxsize=1 << 16)
def undrawn(text: str) -> str:
    """The text, but for what is drawn. Most rows are the same in every copy."""
    return DRAWN.sub("*", text)


@contextmanager
def copy_of(laid: tuple[Path, Laid], data: Path, row: Row) -> Iterator[There]:
    source, found = laid
    copied(source, data).close()
    with freeze_time(LATER), House(build(Config(data=data, bot_pause=0.0, sign_up="invitation"))) as house:
        yield There(house, found, row)


@cache
def posted() -> set[str]:
    """Where pages send forms."""
    rules = routes().url_map.iter_rules()
    return {rule.rule for rule in rules if "POST" in (rule.methods or ()) and rule.endpoint.startswith("pages_")}


def test_the_table_names_every_deed_every_operation_and_every_form() -> None:
    assert {row.deed for row in ROWS} == TABLE.keys(), "tests/service/deeds/rows.yaml has a row of each deed"
    assert set(UNSAFE) == TABLE.keys() - BY_PAGES
    assert {row.form.partition("/do/")[2] for row in ROWS if "/do/" in row.form} == {*table.DEEDS}
    forms = {pattern_of(rule): rule for rule in posted()} | {OTHER: OTHER for OTHER in OTHER_FORMS}
    reached = {rule for row in ROWS for pattern, rule in forms.items() if row.form and re.fullmatch(pattern, row.form)}
    assert posted() == reached | OTHER_FORMS


def pattern_of(rule: str) -> str:
    """Forms in the table that are sent there."""
    return re.sub(r"<string:what>", r"[a-z-]+", re.sub(r"<(?!string:what)[^>]+>", r"{\\w+}", rule))


@each
def test_program_and_page_do_the_same_once_and_are_counted(row: Row, laid: tuple[Path, Laid], tmp_path: Path) -> None:
    by_page = None
    if row.form:
        with copy_of(laid, tmp_path / "page", row) as there:
            by_page = done_by_page(row, there)
    if row.deed not in BY_PAGES:
        with copy_of(laid, tmp_path / "program", row) as there:
            by_program = done_by_program(row, there)
        assert by_page is None or by_page == by_program


def done_by_program(row: Row, there: There) -> dict[str, list[str]]:
    """Have the operation do it, again, and once more when nothing is left of the limits: what lies in the store."""
    first = there.by_program("k")
    assert first.status_code < 300, f"{LAID}: {first.text}"
    if row.sits is not None:
        there.by_program("s", "takeSeat", {"seat": row.sits}, str((first.json or {})["id"]))
    kept = there.kept()
    there.use_up()
    if UNSAFE[row.deed].method == "POST" and not there.deed.free:
        again = there.by_program("k")
        is_told = (again.json or {}).get("code") in {"token-already-issued", "secret-already-told"}
        is_same = row.sits is not None or again.data == first.data
        assert is_told or (again.status_code == first.status_code and is_same), f"{ONCE}: {again.text}"
    assert there.kept() == kept
    if not there.deed.free and row.unkeyed != GONE:
        assert (there.by_program("another").status_code, there.kept() == kept) == (429, True)
    return kept


def done_by_page(row: Row, there: There) -> dict[str, list[str]]:
    """Have the form do it, again, and once more when nothing is left of the limits: what lies in the store."""
    form = there.form()
    first = there.by_page(form)
    assert first.status_code in {200, 303}, f"{LAID}: {first.text}"
    kept = there.kept()
    there.use_up()
    if not row.unkeyed:
        again = there.by_page(form)
        assert (again.status_code, again.headers.get("Location")) in {
            (first.status_code, first.headers.get("Location")),
            (409, None),
            (422, None),
        }, f"{ONCE}: {again.text}"
    assert there.kept() == kept
    if not there.deed.free and row.unkeyed != GONE:
        there.client.delete_cookie("foldtable")
        assert (there.by_page(there.form()).status_code, there.kept() == kept) == (429, True)
    return kept
