"""A match run through, as everybody saw it."""

from __future__ import annotations

import pytest

from domain import matches, play
from domain.matches import AnswersClosed
from domain.secrecy import redact
from events.memory import MemoryRecorder
from replays import words
from replays.film import Film, thoughts, viewers
from replays.log import TRUTH, Log
from replays.printing import picture
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.staged import SECRET
from tests.replays.timed import Timed, stage


@pytest.fixture(scope="module")
def stages() -> dict[str, Timed]:
    """A match of each room that is over, and one that runs."""
    recorder = MemoryRecorder()
    return {
        name: stage(recorder, slug, name, steps)
        for slug in SLUGS
        for name, steps in ((f"o_{slug}", None), (f"r_{slug}", 5))
    }


@pytest.fixture(scope="module")
def logs(stages: dict[str, Timed]) -> dict[str, Log]:
    return {name: Log(staged.recorder, name, CATALOGUE) for name, staged in stages.items()}


@pytest.mark.parametrize("slug", SLUGS)
def test_at_each_version_a_film_is_the_fold_of_what_its_viewer_was_told(logs: dict[str, Log], slug: str) -> None:
    for log in (logs[f"o_{slug}"], logs[f"r_{slug}"]):
        for viewer in viewers(log):
            film = Film(log, viewer)
            for version in {1, 2, 3, 7, film.head // 2, film.head - 1, film.head}:
                state, frame = log.fold(viewer, at=version), film.frame(version)
                if version == film.head:
                    state = log.on_top(state, viewer)
                if frame.table is not None:
                    assert frame.table == state.table
                    assert frame.points == log.game.standing(state.table).points
                assert (frame.version, frame.move) == (version, state.moves)
                assert frame.to_act == matches.to_act(log.game, state)


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_film_shows_what_show_shows(logs: dict[str, Log], slug: str, lang: str) -> None:
    over, running = logs[f"o_{slug}"], logs[f"r_{slug}"]
    for log, viewer, seat in ((over, TRUTH, None), (over, 1, 1), (running, None, None), (running, 0, 0)):
        film = Film(log, viewer)
        for version in (1, film.head // 2, film.head):
            shown = picture(log, seat, version, lang)
            # below it stands there what is printed on the cards
            assert shown.text.startswith(film.drawn(lang)[version - 1])
            assert film.told(lang)[:version][-len(shown.events) :] == tuple(one.text for one in shown.events)


def test_who_may_look_is_everybody_only_when_the_match_is_over(logs: dict[str, Log]) -> None:
    assert viewers(logs["o_three-magic"]) == (TRUTH, None, 0, 1, 2)
    assert viewers(logs["r_three-magic"]) == (None, 0, 1, 2)


def test_a_match_that_was_broken_off_before_its_start_has_no_table() -> None:
    recorder = MemoryRecorder()
    staged = Timed(recorder, CATALOGUE.rooms["three-magic"], "m_off", ["greedy"] * 3)
    staged.tell(play.abort(staged.state, "operator"))
    film = Film(Log(recorder, "m_off", CATALOGUE), TRUTH)
    assert [frame.table for frame in film.frames] == [None, None]
    assert film.drawn("en") == ("", "")
    assert [frame.points for frame in film.frames] == [(), ()]


def test_a_seat_is_told_its_own_events_and_not_the_secret(logs: dict[str, Log]) -> None:
    log = logs["r_three-magic"]
    truth = log.events(TRUTH)
    for viewer in viewers(log):
        film = Film(log, viewer)
        assert [frame.event for frame in film.frames] == [redact(event, viewer) for event in truth]
        assert film.told("ja") == tuple(words.describe(log.game, redact(event, viewer), "ja") for event in truth)
        assert SECRET not in repr(film.frames)


@pytest.mark.parametrize("slug", SLUGS)
def test_thinking_lasts_from_the_question_to_the_answer(stages: dict[str, Timed], slug: str) -> None:
    staged = stages[f"o_{slug}"]
    log = Log(staged.recorder, staged.id, CATALOGUE)
    found = thoughts(log, Film(log, TRUTH))
    assert sorted((one.seat, one.asked, one.milliseconds // 1000) for one in found) == sorted(staged.thought)
    assert all(one.milliseconds > 0 and not one.is_late for one in found)


def test_who_answered_under_seal_is_told_to_itself_and_after_the_end(logs: dict[str, Log]) -> None:
    log = logs["o_three-magic"]
    closed = {event.decision for frame in Film(log, TRUTH).frames if isinstance(event := frame.event, AnswersClosed)}
    seen = {
        viewer: {(one.seat, one.asked) for one in thoughts(log, Film(log, viewer)) if one.asked in closed}
        for viewer in viewers(log)
    }
    assert seen[None] == set()
    assert all(seen[seat] == {one for one in seen[TRUTH] if one[0] == seat} != set() for seat in (0, 1, 2))


@pytest.mark.parametrize("slug", SLUGS)
def test_with_all_cards_open_each_seat_lies_as_it_saw_itself(logs: dict[str, Log], slug: str) -> None:
    log = logs[f"o_{slug}"]
    film = Film(log, TRUTH)
    for frame in film.frames[::3]:
        if frame.table is None:
            continue
        shown = log.game.view(frame.table, TRUTH)
        if slug == "terraformers":
            # nobody has a hand
            assert shown == log.game.view(frame.table, None)
            continue
        assert shown.places == tuple(log.game.view(frame.table, seat).places[seat] for seat in range(len(shown.places)))
