"""A match run through, as everybody saw it."""

from __future__ import annotations

import msgspec
import pytest

from domain import matches, play
from domain.game import Lang
from domain.matches import AnswersClosed, Status
from domain.scene import Scene, said_by
from domain.secrecy import redact
from events.memory import MemoryRecorder
from replays import words
from replays.film import Film, ahead_since, gains, namer, reel, thoughts, viewers
from replays.log import TRUTH, Log
from replays.printing import draw, picture
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.reels import scene_of
from tests.replays.staged import SECRET
from tests.replays.timed import Timed, log_of, stage, stages

SOAK = pytest.mark.soak
NAMES = ("Aki <b>", "", "Çe", "Dee")


@pytest.mark.parametrize("slug", SLUGS)
def test_at_each_version_a_film_is_the_fold_of_what_its_viewer_was_told_and_shows_what_show_shows(slug: str) -> None:
    for log in (log_of(f"o_{slug}"), log_of(f"r_{slug}")):
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
            seat = viewer if isinstance(viewer, int) else None
            if log.is_over and viewer is None:
                continue  # who asks for no seat is shown everything
            for lang, version in (("en", 1), ("ja", film.head // 2), ("en", film.head)):
                shown = picture(log, seat, version, lang)
                # below it stands there what is printed on the cards
                assert shown.text.startswith(film.drawn(lang)[version - 1])
                assert film.told(lang)[:version][-len(shown.events) :] == tuple(one.text for one in shown.events)


@pytest.mark.parametrize("slug", SLUGS)
def test_the_points_of_a_match_are_those_of_its_start_and_all_gains_and_who_won_stays_in_front(slug: str) -> None:
    film = Film(log_of(f"o_{slug}"), TRUTH)
    start, last = next(frame for frame in film.frames if frame.points), film.frames[-1]
    for seat, own in enumerate(gains(film)):
        assert start.points[seat] + sum(gain.points for gain in own) == last.points[seat]
        assert all(gain.points for gain in own)
        for gain in own:
            before, after = film.frame(gain.version - 1), film.frame(gain.version)
            assert after.points[seat] - before.points[seat] == gain.points
    since = ahead_since(film)
    winners = [seat for seat, place in enumerate(last.ranking) if place == 1]
    for frame in film.frames:
        first = [seat for seat, place in enumerate(frame.ranking) if place == 1]
        if frame.version >= since:
            assert first == winners
        elif frame.version == since - 1:
            assert first != winners


def test_a_match_that_was_broken_off_before_its_start_has_no_table() -> None:
    recorder = MemoryRecorder()
    staged = Timed(recorder, CATALOGUE.rooms["three-magic"], "m_off", ["greedy"] * 3)
    staged.tell(play.abort(staged.state, "operator"))
    film = Film(Log(recorder, "m_off", CATALOGUE), TRUTH)
    assert [frame.table for frame in film.frames] == [None, None]
    assert film.drawn("en") == ("", "")
    assert [frame.points for frame in film.frames] == [(), ()]


def test_everybody_may_look_when_the_match_is_over_and_until_then_a_seat_is_told_its_own_events() -> None:
    assert viewers(log_of("o_three-magic")) == (TRUTH, None, 0, 1, 2)
    log = log_of("r_three-magic")
    assert viewers(log) == (None, 0, 1, 2)
    truth = log.events(TRUTH)
    for viewer in viewers(log):
        film = Film(log, viewer)
        assert [frame.event for frame in film.frames] == [redact(event, viewer) for event in truth]
        assert film.told("ja") == tuple(words.describe(log.game, redact(event, viewer), "ja") for event in truth)
        assert SECRET not in repr(film.frames) + msgspec.json.encode(reel(film, "en")).decode()


@pytest.mark.parametrize("slug", SLUGS)
def test_thinking_lasts_from_the_question_to_the_answer(slug: str) -> None:
    staged = stages()[f"o_{slug}"]
    log = log_of(staged.id)
    found = thoughts(log, Film(log, TRUTH))
    assert sorted((one.seat, one.asked, one.milliseconds // 1000) for one in found) == sorted(staged.thought)
    assert all(one.milliseconds > 0 and not one.is_late for one in found)


def test_who_answered_under_seal_is_told_to_itself_and_after_the_end() -> None:
    log = log_of("o_three-magic")
    closed = {event.decision for frame in Film(log, TRUTH).frames if isinstance(event := frame.event, AnswersClosed)}
    seen = {
        viewer: {(one.seat, one.asked) for one in thoughts(log, Film(log, viewer)) if one.asked in closed}
        for viewer in viewers(log)
    }
    assert seen[None] == set()
    assert all(seen[seat] == {one for one in seen[TRUTH] if one[0] == seat} != set() for seat in (0, 1, 2))
    staged = stage(MemoryRecorder(), "three-magic", "r_sealed", 0)
    staged.step_until_sealed()
    answered = {seat for seat, answer in enumerate(staged.state.answers) if answer.sealed}
    log, asked = Log(staged.recorder, staged.id, CATALOGUE), staged.state.version
    for seat in range(3):
        timed = {one.seat for viewer in (None, seat) for one in thoughts(log, Film(log, viewer)) if one.asked == asked}
        assert timed == answered & {seat}


@pytest.mark.parametrize("slug", SLUGS)
def test_with_all_cards_open_each_seat_lies_as_it_saw_itself(slug: str) -> None:
    log = log_of(f"o_{slug}")
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


# As data: every scene of a match, with nothing told twice


@pytest.mark.parametrize(
    ("slug", "lang"), [*((slug, "en") for slug in SLUGS), *(pytest.param(slug, "ja", marks=SOAK) for slug in SLUGS)]
)
def test_put_together_again_a_film_shows_the_scene_of_every_version(slug: str, lang: str) -> None:
    for log in (log_of(f"o_{slug}"), log_of(f"r_{slug}")):
        for viewer in viewers(log):
            film = Film(log, viewer)
            cut = reel(film, lang, NAMES)
            last: Scene | None = None
            table = None
            for frame in film.frames:
                if frame.table is not table:
                    table = frame.table
                    drawn = log.game.scene(log.game.view(table, viewer), lang)
                    last = msgspec.structs.replace(said_by(drawn, namer(NAMES)), buttons=())
                if last and frame.status == Status.ABORTED:
                    over = {"en": "The match is over.", "ja": "対局は終わった。"}[lang]
                    last = msgspec.structs.replace(last, line=over, turn=())
                assert scene_of(cut, frame.version) == last
            assert len(cut.frames) == film.head
            # a part is read without the rest
            part = reel(film, lang, NAMES, film.frames[20:40])
            for version in range(21, min(40, film.head) + 1):
                assert scene_of(part, version) == scene_of(cut, version)


@pytest.mark.parametrize(("slug", "first"), [("three-magic", "Lap 1, deal 1"), ("ttmp", "Round 1"), ("magicative", "")])
def test_chapters_are_rounds_or_deals_where_a_game_has_them(slug: str, first: str) -> None:
    for lang in ("en", "ja"):
        found = [frame.chapter for frame in reel(Film(log_of(f"o_{slug}"), None), lang).frames if frame.chapter]
        assert len(set(found)) == len(found)
        assert bool(found) == bool(first)
        assert lang == "ja" or not first or found[0] == first


def test_names_stand_for_seats_and_are_no_more_than_text() -> None:
    cut = reel(Film(log_of("o_ttmp"), None), "en", ("\x1b[31mAnn", "", ""))
    texts = "\n".join(frame.text for frame in cut.frames)
    assert "Ann" in texts
    assert "\x1b" not in texts
    assert "Seat 1" in texts or "seat 1" in texts
    assert "Seat 0 is taken." in texts


@pytest.mark.parametrize(
    ("lang", "eyes", "to_act"),
    [("en", "as seat 1 sees it", "to act: seat {}, seat {}"), ("ja", "席1から見た卓", "手番：席{}、席{}")],
)
def test_seats_are_written_as_in_all_other_texts(lang: Lang, eyes: str, to_act: str) -> None:
    log = log_of("o_three-magic")
    shown = (picture(log, None, at, lang) for at in range(1, log.store.head(log.id).version + 1))
    several = next(one for one in shown if len(one.to_act) == 2)
    assert draw(log, several, lang)[-1] == to_act.format(*several.to_act)
    assert eyes in draw(log, picture(log, 1, 9, lang), lang)
