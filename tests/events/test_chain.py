"""The chain and the commits: whatever is changed, something does not fit any more."""

from __future__ import annotations

import hmac
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from events import chain
from events.chain import GENESIS, Draft, Head, Shown, Stored, commits_of, hashed_bytes, secrets_of
from tests.events.streams import AT, SECRET, draft, sealed

OPENING = Draft(
    type="match/Opened",
    schema=1,
    public=b'{"secret":null}',
    secret=b'{"secret":{"readers":[],"value":"%b"}}' % SECRET.hex().encode(),
    actor="service",
    move=0,
)


def test_an_event_s_hash_covers_the_one_before_and_all_that_is_stored_but_the_secret() -> None:
    first, second = sealed("m", 2)
    assert first.hash == sha256(GENESIS + hashed_bytes(first)).digest()
    assert second.hash == sha256(first.hash + hashed_bytes(second)).digest()
    assert (first.version, second.version) == (1, 2)
    value = chain.decode_canonical(hashed_bytes(msgspec.structs.replace(second, type="test/Ä", stream='m"\n')))
    assert {*value, "secret", "hash"} == set(Stored.__struct_fields__)
    assert list(value) == sorted(value)
    assert (value["type"], value["stream"]) == ("test/Ä", 'm"\n')


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stream", "n"),
        ("version", 4),
        ("type", "test/Said"),
        ("schema", 2),
        ("at", "2024-03-01T12:00:00.001Z"),
        ("actor", "seat:2"),
        ("move", 2),
        ("public", b'{"text":"2"}'),
        ("commits", b"{}"),
    ],
)
def test_every_field_that_is_changed_breaks_the_link(field: str, value: Any) -> None:
    first = sealed("m", 3)
    event, previous = first[2], first[1].hash
    changed = msgspec.structs.replace(event, **{field: value})
    assert changed != event
    assert chain.link(previous, event) == event.hash
    assert chain.link(previous, changed) != event.hash
    assert chain.link(first[0].hash, event) != event.hash


def test_times_never_go_back() -> None:
    head = Head(version=1, hash=GENESIS, at="2024-03-02T00:00:00.000Z")
    assert chain.seal(head, "m", (draft(),), AT, SECRET)[0].at == head.at
    assert chain.seal(head, "m", (draft(),), "2024-03-03T00:00:00.000Z", SECRET)[0].at > head.at


def test_a_stream_may_be_sealed_in_any_number_of_pieces_and_ends_with_the_last_event() -> None:
    drafts = tuple(draft(str(i), hidden=i % 2 == 1) for i in range(6))
    whole = chain.seal(Head(), "m", drafts, AT, SECRET)
    start = chain.seal(Head(), "m", drafts[:4], AT, SECRET)
    assert start + chain.seal(chain.head_of(start), "m", drafts[4:], AT, SECRET) == whole
    moved = (*start[:3], msgspec.structs.replace(start[3], at="2025-01-01T00:00:00.000Z"))
    assert chain.head_of(moved) == Head(version=4, hash=start[3].hash, at="2025-01-01T00:00:00.000Z")


def test_a_commit_is_to_the_salted_value_and_its_readers_stand_open() -> None:
    event = sealed("m", 3)[2]
    salt = hmac.digest(SECRET, b"salt:m:3:text", "sha256")
    assert chain.salt(SECRET, "m", 3, "text") == salt
    commit = commits_of(event)["text"]
    assert commit.commit == sha256(salt + b'"2"').hexdigest()
    assert commit.readers == secrets_of(event)["text"].readers == (1,)
    assert chain.decode_canonical(event.commits) == {"text": {"commit": commit.commit, "readers": [1]}}
    assert commits_of(sealed("m", 1)[0]) == {}


def test_the_match_s_secret_is_committed_without_a_salt() -> None:
    (event,) = chain.seal(Head(), "m", (OPENING,), AT, SECRET)
    assert commits_of(event)["secret"].commit == sha256(SECRET).hexdigest()
    assert chain.salt(SECRET, "m", 1, "secret") == b""
    assert chain.salt(SECRET, "m", 2, "secret") != b""
    assert chain.salt(SECRET, "m/seat:0", 1, "secret") != b""


def test_a_reader_is_shown_what_opens_the_commit_and_nobody_else_is() -> None:
    event = sealed("m", 3)[2]
    told = chain.show(event, 1, SECRET)
    opening = told.secret["text"]
    assert chain.commit_to(bytes(opening.value), bytes.fromhex(opening.salt)).hex() == told.commits["text"].commit
    for seat in (0, None):
        assert chain.show(event, seat, SECRET).secret == {}
        assert chain.show(event, seat, SECRET, is_open=True).secret == told.secret
    (first,) = chain.seal(Head(), "m", (OPENING,), AT, SECRET)
    assert chain.show(first, 0, SECRET).secret == {}
    assert chain.show(first, None, SECRET, is_open=True).secret["secret"].salt == ""


def test_a_shown_event_is_canonical_and_comes_back() -> None:
    for event in sealed("m", 3):
        shown = chain.show(event, 1, SECRET)
        line = chain.encode_canonical(shown)
        assert chain.encode_canonical(chain.decode_canonical(line)) == line
        back = msgspec.json.decode(line, type=Shown)
        assert (back.hash, bytes(back.public), back.commits) == (event.hash.hex(), event.public, shown.commits)
        with pytest.raises(msgspec.ValidationError, match="unknown field"):
            msgspec.json.decode(line.replace(b'"type"', b'"tpye"'), type=Shown)


def test_ids_are_new_each_time_and_safe_as_names_of_files() -> None:
    ids = {chain.fresh_id("m") for _ in range(100)}
    assert len(ids) == 100
    assert all(map(chain.is_match_id, ids))
    assert not any(map(chain.is_match_id, ("", "..", "m/1", "_m", "m" * 65, "m\n")))


def test_moments_are_told_in_utc_with_milliseconds() -> None:
    moment = datetime(2026, 3, 1, 21, 0, 0, 1999, timezone(timedelta(hours=9)))
    assert chain.stamp(moment) == chain.stamp(moment.astimezone(UTC)) == "2026-03-01T12:00:00.001Z"
    assert chain.now().tzinfo is UTC
