"""Laws of scenes: any renderer can draw them, nothing of the view is missing, and every move has a path of its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, get_args

from domain import matches
from domain.game import ALL, Spoken
from domain.scene import EMBLEM, Face, Kind, Piece, Scene, SceneId, Shade, ids_of, pieces_of, style_of
from domain.secrecy import redact
from domain.texts import LANGS
from replays.log import is_seen
from tests.laws.log import check_value
from tests.laws.moves import refusal
from tests.laws.rooms import known_of
from tests.laws.table import Played, Step, imagined
from tests.laws.views import shown

LONGEST = 7
"""Letters of a label, in two lines on a narrow card: what has more is a title."""
MOST = 150
"""Views of a match that are drawn, and positions of which the touches are tried."""
LETTERS = Shade("#4d5a52", "#b3c0b8")
"""The palest letters on a board: `--soft` in table.css."""
COLOUR = re.compile(r"#[0-9a-f]{6}")
ID = re.compile(get_args(SceneId)[1].pattern)
DRAWN = (Kind.CARD, Kind.DIE, Kind.PAWN)
"""What a scene may never leave out."""


@lru_cache(maxsize=1)
def scenes(played: Played) -> tuple[tuple[Any, tuple[Scene, ...]], ...]:
    """Views of all parts of the match, with their scenes in each language; of one match alone, since they are large."""
    game, views = played.game, [view for _, view in shown(played)]
    chosen = dict.fromkeys(views[:: 1 + len(views) // MOST])
    return tuple((view, tuple(game.scene(view, lang) for lang in LANGS)) for view in chosen)


def a_scene_is_of_values_and_its_ids_are_places_that_occur_once(played: Played) -> None:
    """Of zones, pieces and buttons together; a button's begins with `do/`."""
    met: set[int] = set()
    for _, told in scenes(played):
        for scene in told:
            assert type(scene) is Scene
            check_value(scene, met)
            ids = Counter(ids_of(scene))
            assert not [one for one in ids if not ID.fullmatch(one)]
            assert not [one for one, count in ids.items() if count > 1]
            assert all(button.id.startswith("do/") for button in scene.buttons)


def a_scene_differs_between_languages_in_its_words_alone(played: Played) -> None:
    """The same ids, kinds, faces, tones, counts and looks in the same order."""
    for _, (english, japanese) in scenes(played):
        assert [_bones(piece) for piece in pieces_of(english)] == [_bones(piece) for piece in pieces_of(japanese)]
        assert [(one.id, one.kind, one.seat, one.columns) for one in english.zones] == [
            (one.id, one.kind, one.seat, one.columns) for one in japanese.zones
        ]
        assert (english.turn, [one.id for one in english.buttons]) == (
            japanese.turn,
            [one.id for one in japanese.buttons],
        )
        assert [(one.seat, one.value) for one in english.scores] == [(one.seat, one.value) for one in japanese.scores]


def _bones(piece: Piece) -> tuple[object, ...]:
    looks = tuple(mark.look for mark in piece.marks)
    tones = tuple(fact.tone for fact in piece.facts)
    return piece.id, piece.kind, piece.face, piece.tone, piece.count, looks, tones, len(piece.on)


def everything_in_a_scene_can_be_read_and_drawn(played: Played) -> None:
    """Words everywhere, labels that fit on a card, tones of the palette, pips of a die."""
    tones = {"", *(tone.name for tone in played.game.palette)}
    for _, told in scenes(played):
        for scene in told:
            assert all(button.title.strip() for button in scene.buttons)
            assert all(score.title.strip() for score in scene.scores)
            assert scene.line.strip()
            for piece in pieces_of(scene):
                assert piece.title.strip(), piece
                assert piece.count >= 0
                assert len(piece.label) <= LONGEST, piece
                assert {piece.tone, *(fact.tone for fact in piece.facts)} <= tones, piece
                assert len(piece.facts) <= 3
                assert all(fact.title.strip() and fact.value.strip() for fact in piece.facts), piece
                assert all(mark.title.strip() for mark in piece.marks), piece
                assert EMBLEM.fullmatch(piece.emblem), piece
                assert piece.kind is not Kind.DIE or piece.face is Face.DOWN or piece.label.isdecimal(), piece


def the_table_can_be_drawn_after_every_event(played: Played) -> None:
    """Also between two events that are told together, where replays and audits stop: for one after the other."""
    game, told, viewers = played.game, [one.event for one in played.told], (ALL, *played.viewers)
    for number, viewer in enumerate(viewers):
        state, drawn = matches.begin(game, played.pack.pack, redact(told[0], viewer)), None
        for turn, event in enumerate(told[1:]):
            state = matches.evolve(game, state, redact(event, viewer))
            if is_seen(state, viewer) and state.table is not drawn:
                drawn = state.table
                if turn % len(viewers) == number:
                    assert game.scene(game.view(drawn, viewer), "en").line.strip(), event


def the_palette_can_be_drawn_light_and_dark_and_without_colours(played: Played) -> None:
    """White letters are legible on every tone (WCAG AA for large ones), and no two have one sign.

    What is written on the board and on the places of seats is legible too, and the renderer has three colours for it.
    """
    board = style_of(played.game).board
    for colour, letters in ((board.light, LETTERS.light), (board.dark, LETTERS.dark)):
        bright, below = sorted(map(_luminance, (colour, letters)), reverse=True)
        assert (bright + 0.05) / (below + 0.05) >= 4.5, f"what is written on a board of {colour}"
    for tone in played.game.palette:
        assert isinstance(tone.title, Spoken)
        for colour in (tone.light, tone.dark):
            assert COLOUR.fullmatch(colour)
            assert 1.05 / (_luminance(colour) + 0.05) >= 3, f"{tone.name} {colour} is too bright below white letters"
    for part in ("name", "sign"):
        assert len({getattr(tone, part) for tone in played.game.palette}) == len(played.game.palette), part


def _luminance(colour: str) -> float:
    """Relative luminance, as WCAG has it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def every_card_die_and_pawn_of_the_view_is_in_the_scene(played: Played) -> None:
    """As many as the room's tests count in the view."""
    things = known_of(played.game.slug).things
    for view, (scene, _) in scenes(played):
        found: Counter[Kind] = Counter()
        for piece in pieces_of(scene):
            if piece.kind in DRAWN:
                found[piece.kind] += piece.count
        assert +found == +things(view), f"{view}"


def choices(played: Played) -> Iterator[tuple[Step, int, tuple[Any, ...]]]:
    """Decisions of all parts of the match: the seat, and what it may choose."""
    game = played.game
    for step in played.positions[:: 1 + len(played.positions) // MOST]:
        for seat in matches.to_act(game, step.truth):
            yield step, seat, game.legal(step.seen[seat].table, seat)


def paths_of(game: Any, seen: Any, seat: int, move: Any) -> tuple[tuple[str, ...], ...]:
    return (game.touches(seen, seat, move), *game.ways(seen, seat, move))


def every_move_has_a_path_of_its_own_through_what_its_seat_sees(played: Played) -> None:
    """Each id is in the seat's scene, and no path is another one's beginning."""
    game = played.game
    for step, seat, legal in choices(played):
        seen = step.seen[seat].table
        ids = {*ids_of(game.scene(game.view(seen, seat), "en"))}
        paths = [(move, path) for move in legal for path in paths_of(game, seen, seat, move)]
        for move, path in paths:
            assert path, f"{move} is made by no touch"
            assert not (missing := [one for one in path if one not in ids]), f"{missing} of {move} is not in the scene"
        begun = [path[:length] for _, path in paths for length in range(1, len(path))]
        ends = Counter(path for _, path in paths)
        assert not [path for path, count in ends.items() if count > 1], ends
        assert not {*begun} & ends.keys(), {*begun} & ends.keys()


def a_path_tells_nothing_that_its_seat_does_not_know(played: Played) -> None:
    """Where cards that the seat can't know lie otherwise, scene and paths are the same."""
    game = played.game
    for step, seat, legal in choices(played):
        seen = step.seen[seat].table
        other = imagined(played, step.seen[seat], seat)
        for move in legal:
            assert paths_of(game, other, seat, move) == paths_of(game, seen, seat, move)


def a_touch_that_begins_no_move_is_said_why(played: Played) -> None:
    """What may have been meant by it is a move that the rules refuse in words, or one that is legal."""
    game = played.game
    for step, seat, legal in islice(choices(played), 0, None, 4):
        seen = step.seen[seat].table
        for touched in ids_of(game.scene(game.view(seen, seat), "en")):
            for move in game.meant(seen, seat, touched):
                if move not in legal:
                    clause, _, _, *said = refusal(played, seen, seat, move)
                    assert clause
                    assert all(sentence.strip() for sentence in said)
