"""A match's log as a stream: whole, in order, nothing twice, and nothing that its reader may not know."""

from __future__ import annotations

import random
from dataclasses import replace
from time import monotonic
from typing import Any

import pytest

from service.config import Config
from service.limits.settings import ACCOUNT, ADDRESS, STREAMS, Room, Settings
from service.web import waiting
from tests.service.accounts.insiders import leave
from tests.service.house import HIGH_CARD, House, Visitor, build, each, play_out, refusal, step
from tests.service.matches.test_receipts import sealing
from tests.service.run.uprun import until
from tests.service.streams.reading import NDJSON, SSE, Reading, ids_of, lines_of, reading, stop

RAISE = "raise"


@pytest.mark.parametrize("form", [NDJSON, SSE])
def test_a_stream_tells_what_the_pages_tell_and_ends_with_the_match(house: House, form: str) -> None:
    match, players = house.table()
    for reader in (*players, house.stranger):
        stream = reading(reader, f"/matches/{match}/events", form)
        if reader is players[0]:
            play_out(match, players)
        *events, end = stream.rest()
        if reader is players[0]:
            # while it is played others' cards are hidden
            assert [one["hash"] for one in events] == [one["hash"] for one in reader.events(match)]
        else:
            assert events == reader.events(match)
        assert end == {"end": {"why": "over", "status": "finished", "after": len(events)}}
    assert house.service.bells.waiting == 0


def test_each_event_is_told_as_it_happens_and_as_its_reader_may_know_it(house: House) -> None:
    match, (ann, bob) = house.table()
    known = len(ann.events(match))
    for after in (0, known):
        hers = reading(ann, f"/matches/{match}/events", after=after)
        theirs = reading(house.stranger, f"/matches/{match}/events", SSE, after=after)
        assert hers.told(known - after) == ann.events(match, after=after)
        assert theirs.told(known - after) == house.stranger.events(match, after=after)
        assert hers.is_silent()
        before = len(ann.events(match))
        assert step(match, [bob, ann], random.Random(1))
        grown = len(ann.events(match)) - before
        assert hers.told(grown) == ann.events(match, after=before)
        assert theirs.told(grown) == house.stranger.events(match, after=before)
        assert ids_of(theirs.raw) == [str(version) for version in range(after + 1, before + grown + 1)]
        assert stop(house, hers, theirs) == [[{"end": {"why": "stopping", "after": before + grown}}]] * 2
        known = len(ann.events(match))


def test_who_comes_back_is_told_what_came_while_nobody_listened(house: House) -> None:
    match, players = house.table()
    path = f"/matches/{match}/events"
    headers, known = {"Accept": NDJSON}, len(house.stranger.events(match))
    left: Any = house.stranger.client.get(f"/api{path}", headers=headers, buffered=False)
    assert any(lines_of(piece) for piece in left.response)
    left.close()
    # which looks now and then, and might wake the stream
    house.service.listener.close()
    players[0].choose(match)
    stream = reading(house.stranger, path, after=known)
    assert stream.told(2, seconds=5) == house.stranger.events(match, after=known)
    stop(house, stream)


@pytest.mark.parametrize("form", [NDJSON, SSE])
def test_a_stream_that_is_cut_off_anywhere_goes_on_where_it_was(house: House, form: str) -> None:
    match, players = house.table()
    play_out(match, players, most=2)
    whole = house.stranger.events(match)
    for after in (0, 1, len(whole) // 2, len(whole)):
        how: dict[str, Any] = {"after": after} if form == NDJSON else {"last": str(after), "after": 3}
        stream = reading(house.stranger, f"/matches/{match}/events", form, **how)
        assert stream.told(len(whole) - after) == whole[after:]
        stop(house, stream)


def test_a_stream_names_nobody_who_was_erased_since_somebody_else_read_it(house: House) -> None:
    ann, bob = house.player("Zora"), house.player("Bob")
    match = ann.open_with(bob)
    play_out(match, [ann, bob])
    raw = []
    for _ in range(2):
        raw.append(str(reading(bob, f"/matches/{match}/events").rest()))
        leave(ann, ann.id)
    assert ["Zora" in one for one in raw] == [True, False]


def test_a_match_that_ends_between_two_reads_is_told_to_its_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    match, (ann, _) = house.table()
    before = house.stranger.look(match)["version"]
    read, left = house.service.streams.version, ["operator"]

    def late(stream: str) -> int:
        """The match is broken off after its version was read, and before the lobby is."""
        version = read(stream)
        if left and left.pop():
            house.operator.post(f"/matches/{match}/abort")
        return version

    monkeypatch.setattr(house.service.streams, "version", late)
    aborted, end = reading(ann, f"/matches/{match}/events", after=before).rest()
    assert (aborted["version"], end["end"]["after"]) == (before + 1, before + 1)


def test_a_browser_that_was_told_the_end_is_told_to_stay_away(house: House) -> None:
    match, _ = house.played()
    stream = reading(house.stranger, f"/matches/{match}/events", SSE)
    stream.rest()
    last = ids_of(stream.raw)[-1]
    assert b"event: end\nid: %s\n" % last.encode() in stream.raw
    answer = house.stranger.get(f"/matches/{match}/events", {"Accept": SSE, "Last-Event-ID": last})
    assert (answer.status_code, answer.data) == (204, b"")


def test_by_accept_it_is_a_page_or_a_stream(house: House) -> None:
    match, _ = house.table()
    path = f"/matches/{match}/events"
    for accept in ("*/*", "application/json", "text/html", "application/json, text/event-stream"):
        assert house.stranger.get(path, {"Accept": accept}).json["events"]
    answer = house.send("HEAD", f"/api{path}", headers={"Accept": SSE})
    assert (answer.status_code, answer.mimetype, answer.data) == (200, SSE, b"")
    assert answer.headers["Cache-Control"] == "no-store"
    assert house.service.bells.waiting == 0


@pytest.mark.parametrize("last", ["-1", "1x", "x", "1-en", "9" * 16, "١"])
def test_what_is_no_id_of_the_stream_is_malformed(house: House, last: str) -> None:
    headers = {"Accept": SSE, "Last-Event-ID": last.encode().decode("l1")}
    answer = house.stranger.get(f"/matches/{house.player().open()}/events", headers)
    assert refusal(answer) == (422, "malformed")
    assert "Last-Event-ID" in answer.json["detail"]


def test_who_may_not_look_or_would_be_too_many_is_refused_before_anything_flows(house: House) -> None:
    ann = house.player()
    match = ann.open_with(visibility="private")
    public, _ = house.table()
    house.service.bells.most = 0
    for visitor, path, query, status, code in (
        (house.stranger, match, {}, 404, "unknown-match"),
        (house.player("Eve"), match, {}, 404, "unknown-match"),
        (house.stranger, "m_none", {}, 404, "unknown-match"),
        (ann, match, {"seat": 1}, 403, "not-your-seat"),
        (house.stranger, public, {"private": "true"}, 403, "not-seated"),
        (house.stranger, public, {}, 429, "too-many-wait"),
    ):
        assert refusal(visitor.get(f"/matches/{path}/events", {"Accept": SSE}, **query)) == (status, code)
    assert house.service.bells.waiting == 0


def test_a_seat_reads_its_private_log_alone_as_it_grows(house: House) -> None:
    match, (ann, bob) = sealing(house)
    path = f"/matches/{match}/events"
    own = reading(ann, path, private="true")
    other = reading(bob, path, private="true")
    beside_her = reading(bob, path, after=len(bob.events(match)))
    for stream in (own, other, beside_her):
        stream.piece()
    ann.move(match, RAISE)
    (sealed,) = own.told(1)
    assert sealed["type"] == "match/AnswerSealed"
    assert sealed == ann.events(match, private="true")[0]
    assert other.is_silent()
    assert beside_her.is_silent()
    each((ann, bob), match, "abort")
    assert own.rest()[-1]["end"]["why"] == "over"
    assert other.rest() == [{"end": {"why": "over", "status": "aborted", "after": 0}}]
    beside_her.rest()


def test_who_loses_the_right_to_look_is_told_no_more(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the message is lost that the token was revoked."""
    monkeypatch.setattr("service.streams.match.ASKED", 0.0)
    monkeypatch.setattr(waiting, "until_revoked", lambda bell: "")
    match, (ann, bob) = house.table()
    script = ann.post("/me/tokens", {"name": "script"}).json
    stream = reading(Visitor(ann.client, script["token"]), f"/matches/{match}/events")
    stream.told(len(ann.events(match)))
    ann.delete(f"/me/tokens/{script['id']}")
    bob.choose(match)
    (end,) = stream.rest()
    assert end["end"]["why"] == "unknown-token"


@pytest.mark.parametrize(("form", "beat"), [(NDJSON, b"\n"), (SSE, b":\n\n")])
def test_a_sign_of_life_comes_on_its_own_schedule(
    house: House, monkeypatch: pytest.MonkeyPatch, form: str, beat: bytes
) -> None:
    monkeypatch.setattr(waiting, "EVERY", 0.2)
    match, _ = house.table()
    stream = reading(house.stranger, f"/matches/{match}/events", form, after=99)
    stream.piece()
    assert [stream.piece() for _ in range(3)] == [beat] * 3
    house.service.bells.close()


def test_no_more_streams_of_one_account_or_address_flow_than_may(config: Config) -> None:
    rooms = (Room(STREAMS, ADDRESS, 3), Room(STREAMS, ACCOUNT, 2))
    service = build(replace(config, limits=Settings(rates=(), rooms=rooms, exempt=())))
    house = House(service)
    match, (ann, _) = house.table()
    path = f"/matches/{match}/events"
    own = [reading(ann, one, SSE) for one in (path, "/me/events")]
    answer = ann.get(path, {"Accept": SSE})
    assert refusal(answer) == (429, "too-many-streams")
    assert answer.json["fields"] == {"limit": "streams-by-account", "most": 2}
    assert int(answer.headers["Retry-After"]) > 0
    other = reading(house.stranger, path, SSE)
    answer = house.stranger.get(path, {"Accept": SSE})
    assert answer.json["fields"] == {"limit": "streams-by-address", "most": 3}
    assert ann.get(path).status_code == 200, "pages can still be read"
    stop(house, *own, other)
    left = {one["name"]: one["left"] for one in ann.get("/limits").json["at_once"]}
    assert left == {"streams-by-address": 3, "streams-by-account": 2}, "every place was given back"
    service.close()


def test_many_readers_of_one_match_read_the_store_once(house: House) -> None:
    match, (ann, bob) = house.table(HIGH_CARD)
    known = len(house.stranger.events(match))
    streams = [reading(house.stranger, f"/matches/{match}/events", after=known) for _ in range(20)]
    for stream in streams:
        stream.piece()
    until(lambda: house.service.bells.waiting == 20, "all wait")
    asked: list[str] = []
    recorder = house.service.recorder
    read = type(recorder).read

    def noting(*args: Any, **more: Any) -> Any:
        asked.append(args[1])
        return read(*args, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(recorder), "read", noting)
        bob.choose(match)
        grown = len(house.stranger.events(match)) - known
        for stream in streams:
            stream.told(grown)
    # the question of this test, and at most the pages that were asked for between two parts of the move
    assert len(asked) <= 6
    each((ann, bob), match, "abort")
    for stream in streams:
        assert stream.rest()[-1]["end"]["status"] == "aborted"


def test_who_wishes_is_told_that_something_has_changed_which_no_event_tells(house: House) -> None:
    match, (ann, bob) = house.table(clock={"preset": "day"})
    known = len(ann.events(match))

    def following(who: Visitor, form: str = NDJSON, **more: Any) -> Any:
        return reading(who, f"/matches/{match}/events", form, after=known, beside=True, **more)

    hers = following(ann)
    theirs = following(house.stranger, SSE)
    ((first,), (public,)) = hers.told(1), theirs.told(1)
    assert (first["talk"], public["talk"]) == (0, None)
    for what, body, is_public in (
        ("pause", {}, True),
        ("pause", None, True),
        ("abort", {}, True),
        ("offers", {"bot": "random"}, False),
        ("talk", {"text": "Hello"}, False),
    ):
        path = f"/matches/{match}/{what}"
        assert (bob.delete(path) if body is None else bob.post(path, body)).status_code < 300
        ((now,), before) = hers.told(1), first
        assert now != before
        first = now
        if is_public:
            (other,) = theirs.told(1)
            assert other["beside"] != public["beside"]
            public = other
        else:
            assert theirs.is_silent(), "who does not sit there is not told that they talk or offer a seat"
    assert first["talk"] == 1
    assert b"event: beside\ndata: " in theirs.raw
    assert ids_of(theirs.raw) == [], "a browser goes on from the event that came last"
    ann.choose(match)
    assert all("version" in event for event in hers.told(2)), "a move is told by its events alone"


def test_under_seal_nothing_beside_the_log_shows_who_has_answered(house: House) -> None:
    match, players = sealing(house)
    known = house.stranger.look(match)["version"]
    hers = reading(players[0], f"/matches/{match}/events", after=known, beside=True)
    hers.told(1)
    players[1].move(match, RAISE)
    assert hers.is_silent()


def arrivals(stream: Reading, begun: float, seconds: float) -> list[tuple[float, bytes]]:
    """What is written until so long after it was begun, and how long after."""
    found = []
    while (left := begun + seconds - monotonic()) > 0:
        raw = len(stream.raw)
        stream.is_silent(left)
        if stream.raw[raw:]:
            found.append((monotonic() - begun, stream.raw[raw:]))
    return found


@pytest.mark.sqlite
@pytest.mark.faults
def test_answers_under_seal_are_written_to_no_other_stream_and_move_no_sign_of_life(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "EVERY", 1.5)
    match, (ann, bob) = sealing(house)
    known = len(bob.events(match))
    path = f"/matches/{match}/events"
    heard = []
    for is_answered in (False, True):
        his = reading(bob, path, SSE, after=known)
        theirs = reading(house.stranger, path, NDJSON, after=known)
        his.piece(), theirs.piece()
        begun = monotonic()
        # in the middle between two signs: one that began anew here would come so much later
        assert arrivals(his, begun, 0.75) == []
        if is_answered:
            assert ann.move(match, "raise").status_code == 200
            # as if it had woken all the same
            house.service.bells.ring([match])
        heard.append((arrivals(his, begun, 3.75), [piece for _, piece in arrivals(theirs, begun, 4.2)]))
        stop(house, his, theirs)
    (quiet, quiet_theirs), (sealed, sealed_theirs) = heard
    assert [piece for _, piece in quiet] == [piece for _, piece in sealed] == [b":\n\n"] * 2
    assert quiet_theirs == sealed_theirs
    for (one, _), (other, _) in zip(quiet, sealed, strict=True):
        assert abs(one - other) < 0.7, "at the same moments"
