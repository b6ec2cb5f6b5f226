"""A match at a moment as lines of text."""

from __future__ import annotations

import pytest

from domain.game import Lang
from events.memory import MemoryRecorder
from replays.log import Log
from replays.printing import draw, picture
from tests.laws.rooms import CATALOGUE
from tests.replays.timed import stage


@pytest.fixture(scope="module")
def log() -> Log:
    """A match of Three Magic that is over."""
    recorder = MemoryRecorder()
    stage(recorder, "three-magic", "m")
    return Log(recorder, "m", CATALOGUE)


@pytest.mark.parametrize(
    ("lang", "eyes", "to_act"),
    [
        ("en", "as seat 1 sees it", "to act: seat {}, seat {}"),
        ("ja", "席1から見た卓", "手番：席{}、席{}"),
    ],
)
def test_seats_are_written_as_in_all_other_texts(log: Log, lang: Lang, eyes: str, to_act: str) -> None:
    shown = (picture(log, None, at, lang) for at in range(1, log.store.head("m").version + 1))
    several = next(one for one in shown if len(one.to_act) == 2)
    assert draw(log, several, lang)[-1] == to_act.format(*several.to_act)
    assert eyes in draw(log, picture(log, 1, 9, lang), lang)
