"""A private log may hold more than answers: what stands among them is passed over, by everybody."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

from domain import matches
from events import chain
from events.chain import Draft
from events.store import Write
from replays.checking.rules import Kind, validate
from replays.film import Film, thoughts
from replays.log import TRUTH, Log, private_stream
from replays.printing import picture
from tests.replays.checking.second import named, needs_node, verdicts
from tests.replays.exported import audited, export, games, stage
from tests.replays.staged import AT, SECRET, Stage

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
