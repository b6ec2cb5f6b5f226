"""The table as it is drawn."""

from __future__ import annotations

import pytest

from domain.chance import Simulation
from domain.game import ALL, Lang, Seat
from domain.games.three_magic import GAME
from domain.games.three_magic.components import Options
from domain.games.three_magic.moves import Discard, Insert, Pledge, Tsumo
from domain.games.three_magic.text.phrases import WORDS
from domain.scene import Face, Kind, Look, Piece, Scene, Zone, ids_of, pieces_of
from domain.telling import tell
from tests.games.three_magic.table import (
    NOTHING,
    NOTHING_A,
    NOTHING_B,
    PACK,
    READY,
    Play,
    at_deal,
    cards,
    given,
    manager_wins,
    reach,
    seen_by,
    water_2_is_claimed,
)

LANGS = ("en", "ja")


def scene_of(play: Play, viewer: Seat | None, lang: Lang = "en") -> Scene:
    """What the viewer sees drawn."""
    scene: Scene = GAME.scene(GAME.view(play.table, viewer), lang)
    return scene


def zone_of(scene: Scene, place: str) -> Zone:
    (zone,) = (zone for zone in scene.zones if zone.id == place)
    return zone


def piece_of(scene: Scene, place: str) -> Piece:
    (piece,) = (piece for piece in pieces_of(scene) if piece.id == place)
    return piece


def marks_of(scene: Scene, place: str) -> dict[str, Look]:
    """What is so of a piece: by its title, how it is drawn."""
    return {mark.title: mark.look for mark in piece_of(scene, place).marks}


def drawn() -> Play:
    return given(NOTHING_A, NOTHING_B, NOTHING, wall="水3* 火2*")


def test_a_whole_table_is_told_to_the_seat_in_turn() -> None:
    assert tell(scene_of(drawn(), 0), "en").split("\n") == [
        "Deal 1, lap 1 of 2. Seat 0 has drawn a card and is to insert it, unless it wins.",
        "Wall: a card face down ×29",
        "Indicators: wood 4 (catalyst 0)",
        "Ley line: 0 od",
        "",
        "→ Seat 0: 270 od, fire, manager",
        "  Hand: fire 0, wood 1★, water 0, fire 3★, wood 4★, water 2★, fire 1★, wood 0 (catalyst), the right end, "
        "water 3★ (drawn)",
        "  Discards: none",
        "",
        "Seat 1: 270 od, wood",
        "  Hand: a card face down ×8",
        "  Discards: none",
        "",
        "Seat 2: 270 od, water",
        "  Hand: a card face down ×8",
        "  Discards: none",
    ]


def test_a_whole_table_is_told_in_japanese_to_a_spectator() -> None:
    play = reach(wall="火0 木4* 水4* 火4 木4*").with_ley_line(40).with_place(1, pledges=(cards("水2 水3* 水4"),))
    assert tell(scene_of(play, None, "ja"), "ja").split("\n") == [
        "第1試合（1/2周目）。席1は引いた札を差すか、それで上がる番。",
        "山札：伏せた札×28",
        "触媒表示：木4（触媒0）、水3★（触媒4、リーチ中に上がったときだけ）",
        "霊脈：40オド",
        "",
        "席0：260オド、火、管理者、場に10オド、リーチ",
        "  手札：伏せた札×8",
        "  捨て札：火0（リーチ）",
        "",
        "→ 席1：270オド、木",
        "  手札：伏せた札×8、伏せた札（引いた札）",
        "  チー：水2、水3★、水4",
        "  捨て札：なし",
        "",
        "席2：270オド、水",
        "  手札：伏せた札×8",
        "  捨て札：なし",
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_a_table_is_drawn_at_every_time(lang: Lang) -> None:
    table = GAME.initial(Options(), 3, PACK)
    assert GAME.scene(GAME.view(table, 0), lang) == Scene(WORDS[lang].table.nothing_dealt, (), ())
    for event in GAME.setup(table, Simulation(3)):
        table = GAME.evolve(table, event)
        text = tell(GAME.scene(GAME.view(table, 0), lang), lang)
        assert "{" not in text
        assert "None" not in text


def test_a_card_says_its_number_and_star_and_is_coloured_by_its_attribute() -> None:
    scene = scene_of(drawn(), 0)
    known = [piece_of(scene, f"seat.0/hand/{at}") for at in range(3)]
    assert [(piece.kind, piece.label, piece.title, piece.tone, piece.face) for piece in known] == [
        (Kind.CARD, "0", "fire 0", "fire", Face.UP),
        (Kind.CARD, "1★", "wood 1★", "wood", Face.UP),
        (Kind.CARD, "0", "water 0", "water", Face.UP),
    ]
    unknown = piece_of(scene, "seat.1/hand/0")
    assert (unknown.label, unknown.tone, unknown.face) == ("", "", Face.DOWN)
    assert piece_of(scene_of(drawn(), 0, "ja"), "seat.0/hand/1").title == "木1★"


def test_each_seats_zones_stand_together_behind_the_middle() -> None:
    scene = scene_of(water_2_is_claimed().answer({2: Pledge(6, 7)}), None)
    assert [zone.id for zone in scene.zones] == [
        *("wall", "indicators", "ley-line"),
        *("seat.0/counters", "seat.0/hand", "seat.0/discards"),
        *("seat.1/counters", "seat.1/hand", "seat.1/discards"),
        *("seat.2/counters", "seat.2/hand", "seat.2/pledge-0", "seat.2/discards"),
    ]
    assert [zone.seat for zone in scene.zones] == [()] * 3 + [(0,)] * 3 + [(1,)] * 3 + [(2,)] * 4


def test_3m_2_a_player_is_shown_with_the_attribute_and_what_it_is_weak_to() -> None:
    attributes = [piece_of(scene_of(drawn(), None), f"seat.{seat}/counters/attribute") for seat in range(3)]
    assert [(piece.label, piece.tone, piece.text) for piece in attributes] == [
        ("Fire", "fire", "Weak to water"),
        ("Wood", "wood", "Weak to fire"),
        ("Water", "water", "Weak to wood"),
    ]
    assert piece_of(scene_of(drawn(), None, "ja"), "seat.0/counters/attribute").text == "水に弱い"


def test_3m_5_an_empty_wall_has_no_card() -> None:
    play = drawn().with_wall(0)
    assert zone_of(scene_of(play, None), "wall").pieces == ()
    assert piece_of(scene_of(drawn(), None), "wall/0").count == 29


def test_3m_6_where_a_card_was_inserted_is_shown_to_all_and_the_card_to_its_seat() -> None:
    play = drawn().move(0, Insert(3))
    for viewer, title in ((0, "water 3★"), (1, "a card face down"), (None, "a card face down")):
        scene = scene_of(play, viewer)
        hand = zone_of(scene, "seat.0/hand").pieces
        assert [bool(piece.marks) for piece in hand][:8] == [False] * 3 + [True] + [False] * 4
        assert hand[3].title == title
        assert marks_of(scene, "seat.0/hand/3") == {"just inserted": Look.NEW}


def test_3m_7_the_drawn_card_lies_beside_the_hand_and_only_its_seat_sees_a_place_for_it() -> None:
    own, other = (zone_of(scene_of(drawn(), viewer), "seat.0/hand").pieces for viewer in (0, 1))
    assert [(piece.id, piece.kind, piece.label) for piece in own[-2:]] == [
        ("seat.0/hand/end", Kind.SPACE, ""),
        ("seat.0/hand/drawn", Kind.CARD, "3★"),
    ]
    assert [(piece.id, piece.face) for piece in other[-2:]] == [
        ("seat.0/hand/7", Face.DOWN),
        ("seat.0/hand/drawn", Face.DOWN),
    ]
    assert marks_of(scene_of(drawn(), 1), "seat.0/hand/drawn") == {"drawn": Look.NEW}


def test_3m_20_in_reach_there_is_no_place_for_the_drawn_card() -> None:
    play = reach(wall="火0 木4* 水4* 火4 木4*")
    for seat in (1, 2):
        play.insert_and_discard(seat).pass_all()
    scene = scene_of(play, 0)
    assert [piece.id for piece in zone_of(scene, "seat.0/hand").pieces][-2:] == ["seat.0/hand/7", "seat.0/hand/drawn"]
    assert [scene_of(play, None, lang).line for lang in LANGS] == [
        "Deal 1, lap 1 of 2. Seat 0, in reach, has drawn a card and is to discard it, unless it wins.",
        "第1試合（1/2周目）。リーチ中の席0は引いた札を捨てるか、それで上がる番。",
    ]


def test_3m_12_a_claimed_discard_is_put_forward() -> None:
    play = water_2_is_claimed()
    for viewer in (0, 1, 2, None):
        scene = scene_of(play, viewer)
        assert scene.line == "Deal 1, lap 1 of 2. Seat 0 has discarded water 2★, which may be claimed."
        assert marks_of(scene, "seat.0/discards/0") == {"may be claimed": Look.RAISED}
    later = drawn().insert_and_discard(0, 0).pass_all().insert_and_discard(1, 0).pass_all()
    assert [piece.marks for piece in pieces_of(scene_of(later, None)) if "/discards/" in piece.id] == [(), ()]


@pytest.mark.parametrize("lang", LANGS)
def test_3m_12_who_is_asked_is_shown_to_nobody_else(lang: Lang) -> None:
    one, both = water_2_is_claimed(next_hand=NOTHING_A), water_2_is_claimed()
    for viewer in (0, 2, None):
        assert scene_of(one, viewer, lang) == scene_of(both, viewer, lang)
    asked = {viewer: [one for one in ids_of(scene_of(both, viewer, lang)) if one.endswith("/asked")] for viewer in
             (0, 1, 2, None)}  # fmt: skip
    assert asked == {0: [], 1: ["seat.1/counters/asked"], 2: ["seat.2/counters/asked"], None: []}
    assert not [piece for piece in pieces_of(scene_of(one, 1, lang)) if piece.id.endswith("/asked")]


@pytest.mark.parametrize("lang", LANGS)
def test_3m_12_a_scene_of_what_a_seat_knows_is_that_of_the_truth(lang: Lang) -> None:
    for play in (drawn(), water_2_is_claimed()):
        for seat in range(3):
            seen = GAME.scene(GAME.view(seen_by(seat, play.table), seat), lang)
            assert seen == scene_of(play, seat, lang)


def test_3m_14_a_pledge_is_called_what_it_was() -> None:
    pon, chi = (water_2_is_claimed().answer({seat: Pledge(6, 7)}) for seat in (2, 1))
    for play, seat, english, japanese, labels in ((pon, 2, "Pon", "ポン", ["2", "2★", "2★"]),
                                                  (chi, 1, "Chi", "チー", ["1", "2★", "3"])):  # fmt: skip
        zones = [zone_of(scene_of(play, None, lang), f"seat.{seat}/pledge-0") for lang in LANGS]
        assert [zone.title for zone in zones] == [english, japanese]
        assert [piece.label for piece in zones[0].pieces] == labels
    assert tell(scene_of(pon, None), "en").split("\n")[-5:-3] == ["", "→ Seat 2: 260 od, water, 10 od laid"]


def test_3m_18_a_pledged_discard_leaves_its_row_and_the_od_stay() -> None:
    scene = scene_of(water_2_is_claimed().answer({2: Pledge(6, 7)}), None)
    assert zone_of(scene, "seat.0/discards").pieces == ()
    assert piece_of(scene, "seat.2/counters/laid").label == "10"


def test_3m_19_the_discard_of_a_reach_lies_across() -> None:
    scene = scene_of(reach(), 1)
    assert marks_of(scene, "seat.0/discards/0") == {"reach": Look.ACROSS}
    assert piece_of(scene, "seat.0/counters/reach").title == "in reach"
    assert piece_of(scene, "seat.0/counters/laid").title == "10 od laid"


def test_3m_21_an_indicator_says_its_catalyst_and_for_whom_it_counts() -> None:
    scene = scene_of(reach(indicators="木4 水3*"), None)
    indicators = zone_of(scene, "indicators").pieces
    assert [(piece.title, piece.facts[0].value, piece.facts[0].tone) for piece in indicators] == [
        ("wood 4", "0", "wood"),
        ("water 3★", "4", "water"),
    ]
    assert [marks_of(scene, piece.id) for piece in indicators] == [{}, {"only for a winner in reach": Look.NOTED}]


def test_3m_26_catalysts_glow_as_far_as_the_indicators_count_for_their_seat() -> None:
    play = reach(indicators="木4 水2*")
    shown = {piece.id: piece.title for piece in pieces_of(scene_of(play, ALL))
             if any(mark.look is Look.BRIGHT for mark in piece.marks)}  # fmt: skip
    assert {place: title for place, title in shown.items() if place.startswith("seat.0")} == {
        "seat.0/hand/7": "water 3"
    }
    assert {*shown.values()} - {"water 3"} == {"wood 0"}, "without reach the first one counts alone"
    assert not [one for one in shown if "/discards/" in one]


def test_3m_26_a_catalyst_glows_when_drawn_and_when_pledged() -> None:
    drew = scene_of(given(NOTHING_A, NOTHING_B, wall="水3*", indicators="水2"), 0)
    assert marks_of(drew, "seat.0/hand/drawn") == {"drawn": Look.NEW, "catalyst": Look.BRIGHT}
    assert marks_of(scene_of(given(NOTHING_A, NOTHING_B, wall="水3*", indicators="水2"), 1), "seat.0/hand/drawn") == {
        "drawn": Look.NEW
    }
    play = drawn().with_place(1, pledges=(cards("木0 木1 木2"),))
    assert [marks_of(scene_of(play, None), f"seat.1/pledge-0/{at}") for at in range(2)] == [
        {"catalyst": Look.BRIGHT},
        {},
    ]


def test_3m_28_od_have_their_numbers_and_debt_a_sign() -> None:
    scene = scene_of(drawn().with_od(-20, 300, 270).with_ley_line(260), None)
    assert [(score.seat, score.value, score.title) for score in scene.scores] == [
        (0, -20, "−20 od"),
        (1, 300, "300 od"),
        (2, 270, "270 od"),
    ]
    assert piece_of(scene, "ley-line/od").label == "260"


@pytest.mark.parametrize(
    ("play", "buttons"),
    [
        (drawn(), {"do/tsumo": "ツモ"}),
        (drawn().move(0, Insert(0)), {"do/discard": "捨てる", "do/reach": "捨ててリーチ"}),
        (water_2_is_claimed(), {"do/ron": "ロン", "do/pass": "見送る"}),
        (at_deal(manager_wins(), 9, 2, 2).move(0, Tsumo()), {}),
    ],
)
def test_what_may_be_said_depends_on_the_step_alone(play: Play, buttons: dict[str, str]) -> None:
    for viewer in (0, 1, 2, None):
        assert {button.id: button.title for button in scene_of(play, viewer, "ja").buttons} == buttons


def test_3m_34_the_lap_and_the_deal_are_told() -> None:
    play = given(READY, NOTHING_A, NOTHING_B, wall="火0", options=Options(laps=1))
    assert scene_of(at_deal(play, 4, 1, 0), None).line.startswith("Deal 4, lap 1 of 1. ")


def test_3m_36_the_table_of_a_match_that_is_over_says_who_won() -> None:
    play = at_deal(manager_wins(), 9, 2, 2).move(0, Tsumo())
    assert [scene_of(play, None, lang).line for lang in LANGS] == [
        "Deal 9, lap 2 of 2. The match is over. Seat 0 wins with 340 od, seat 1 has 235 od, seat 2 has 235 od.",
        "第9試合（2/2周目）。対局終了。席0が340オドで勝ち、席1は235オド、席2は235オド。",
    ]
    assert Face.DOWN not in {piece.face for piece in pieces_of(scene_of(play, ALL)) if "/hand/" in piece.id}


def test_3m_32_the_seat_that_discards_is_marked_as_in_turn() -> None:
    play = drawn().move(0, Insert(0))
    assert (scene_of(play, 1).turn, scene_of(play, 1).line) == ((0,), "Deal 1, lap 1 of 2. Seat 0 is to discard.")
    assert [scene_of(water_2_is_claimed(), viewer).turn for viewer in (0, 1, None, ALL)] == [(), (1,), (), (1, 2)]
    assert scene_of(play.move(0, Discard(0)).pass_all(), None).turn == (1,)
