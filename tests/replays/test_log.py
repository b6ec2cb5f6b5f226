"""A log read back is what was told, to each viewer their part; what stands among private answers is passed over."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest

from domain import matches
from domain.catalogue import Catalogue
from domain.secrecy import redact
from events import chain
from events.chain import Draft
from events.codec import UnknownEvent, Unreadable
from events.store import Fact, Write, briefs_of
from replays.checking.rules import Kind, validate
from replays.film import Film, thoughts
from replays.log import TRUTH, Log, OtherRules, UnknownMatch, codec_of, private_stream
from replays.printing import picture
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.exported import audited, export, games, stage
from tests.replays.staged import AT, SECRET, Stage


@pytest.fixture(scope="module")
def log() -> Log:
    staged = stage("three-magic", ["eager"] * 3, match_id="m_log", laps=1)
    staged.finish()
    return Log(staged.recorder, "m_log", games())


def test_everybody_reads_the_redacted_truth_and_a_part_of_it_is_that_part(log: Log) -> None:
    truth = log.events(TRUTH)
    for viewer in (TRUTH, None, 0, 1, 2):
        whole = log.events(viewer)
        assert viewer == TRUTH or whole == [redact(event, viewer) for event in truth]
        assert log.events(viewer, 10, 7) == whole[10:17]
        assert log.events(viewer, len(whole)) == []
        early, late = log.fold(viewer, at=40), log.fold(viewer)
        assert early.version == 40
        assert log.fold(viewer, early) == late
        assert log.fold(viewer, early, at=60) == log.fold(viewer, at=60)
        assert log.fold(viewer, early, at=40) == early


def test_one_event_that_cannot_be_read_is_named(log: Log) -> None:
    facts = list(log.store.facts("m_log"))
    codec = codec_of(log.game)

    rows: list[tuple[type[Exception], str, Fact]] = [
        (UnknownEvent, "three-magic/Earthquake", ("three-magic/Earthquake", 1, b"{}", b"{}")),
        (UnknownEvent, "match/Started, schema 2", ("match/Started", 2, b"{}", b"{}")),
        (Unreadable, "match/Started", ("match/Started", 1, b'{"noise":1}', b"{}")),
    ]
    for error, says, fact in rows:
        with pytest.raises(error, match=says):
            codec.decode_all([*facts[:20], fact, *facts[20:]])
        with pytest.raises(error, match=says):
            codec.decode_briefs(briefs_of([*facts[:20], fact, *facts[20:]]))


def test_a_log_that_cannot_be_read_here_says_why(log: Log) -> None:
    recorder = log.store
    with pytest.raises(UnknownMatch, match="m_none"):
        Log(recorder, "m_none", Catalogue())
    bare = Catalogue()
    bare.rooms["three-magic"].kept.clear()
    with pytest.raises(OtherRules, match="pack house"):
        Log(recorder, "m_log", bare)
    bare.rooms.clear()
    with pytest.raises(OtherRules, match="three-magic, version 1"):
        Log(recorder, "m_log", bare)


def test_the_sealed_answers_that_a_viewer_knows_come_on_top() -> None:
    staged = stage("three-magic", ["greedy"] * 3, match_id="m_sealed", laps=1)
    while (
        sum(one.sealed is not None for one in staged.state.answers) != 1
        or len(staged.game.to_act(staged.state.table)) != 2
    ):
        staged.step()
    log = Log(staged.recorder, "m_sealed", games())
    assert log.on_top(log.fold(TRUTH), TRUTH) == staged.state
    (answered,) = (seat for seat, one in enumerate(staged.state.answers) if one.sealed)
    for seat in range(3):
        known = log.on_top(log.fold(seat), seat)
        assert [one.sealed is not None for one in known.answers] == [seat == answered == at for at in range(3)]
        asked = seat != answered and seat in matches.to_act(log.game, staged.state)
        assert (matches.decision_of(log.game, known, seat) != 0) == asked
    assert log.on_top(log.fold(None), None) == log.fold(None)


ORDERS = sorted(matches.PRIVATE - {matches.SEALED})


def order(staged: Stage, seat: int, kind: str) -> None:
    """Something that this release does not tell."""
    stream = private_stream(staged.id, seat)
    draft = Draft(type=kind, schema=7, public=b'{"says":"more"}', secret=b"{}", actor=f"seat:{seat}", move=0)
    head = staged.recorder.head(stream)
    stored = chain.seal(head, stream, (draft,), AT, bytes.fromhex(SECRET))
    staged.recorder.append(staged.id, [Write(stream, head.version, stored)])


def steps(staged: Stage) -> None:
    """To a sealed window, with something before and after whatever was answered under seal until then."""
    kinds = cycle(ORDERS)
    while not (matches.is_sealed(staged.game, staged.state) and any(one.sealed for one in staged.state.answers)):
        for seat in range(3):
            order(staged, seat, next(kinds))
        staged.step()
    for _ in range(30):
        for seat in range(3):
            order(staged, seat, next(kinds))


@needs_node
def test_a_match_with_orders_is_the_one_without_them(tmp_path: Path) -> None:
    plain, staged = (stage("three-magic", ["greedy"] * 3, laps=1) for _ in range(2))
    steps(staged)
    logs = [Log(one.recorder, one.id, games()) for one in (plain, staged)]
    # the answer that is known is the last one, whatever follows it
    assert logs[1].on_top(logs[1].fold(TRUTH), TRUTH) == staged.state
    for seat in range(3):
        own = logs[1].on_top(logs[1].fold(seat), seat).answers[seat].sealed
        assert (own is not None) == (staged.state.answers[seat].sealed is not None)
        assert picture(logs[1], seat, None, "en").text
    plain.finish()
    staged.finish()
    assert staged.state.points == plain.state.points
    data = export(staged)
    assert audited(data).failures == ()
    assert [named(verdict) for verdict in verdicts(tmp_path, [data])] == [[]]
    assert validate(logs[1].store, staged.id, games()).kind is Kind.SAME
    without, having = (thoughts(log, Film(log, TRUTH)) for log in logs)
    assert without == having
