"""The table as it is drawn: what lies where, what is printed on it, and the whole of it told in both languages."""

from __future__ import annotations

import pytest

from domain.chance import Simulation
from domain.game import Lang, fold
from domain.games.terraformers import GAME, events, moves
from domain.games.terraformers.components import Box, Options
from domain.games.terraformers.moves import TerraformersMove
from domain.scene import Fact, Kind, Look, Mark, Piece, Scene, Zone, ZoneKind, pieces_of
from domain.telling import tell
from tests.games.terraformers.table import PACK, Play, given, name, odd

LANGS = ("en", "ja")

ENGLISH = """\
Round 1 of 6: seat 0 chooses an action.
Species on the table: Giants (cost 3), Space Traders (cost 4), Gardeners (cost 4), Mob (cost 3)
Power boxes: Provocation (cost 3), Dark Matter (cost 4), Ore Vein (cost 4): tip ×4

→ Seat 0: −3 points, tip in hand ×4, star ×2, power 3 + tips, start player marker
  Sheet
    city 12 (full) | green 3 (next at 1) | science 0 (next at 2) | cosmo 1 (next at 2)
    oxygen 7 of 12: tip | war 5: tip ×2 | carnival 3
  Species: Librarians (cost 4, with the ability of Giants): tip ×5

Seat 1: 0 points, power 0 + tips, has passed
  Sheet
    city 4 (next at 2) | green 3 (next at 1) | science 0 (next at 2) | cosmo 1 (next at 2)
    oxygen 3 of 4 | war | carnival 0
  Species: none"""
JAPANESE = """\
第1ラウンド（全6ラウンド）：席0がアクションを選ぶ。
場の宇宙種族：巨人族（コスト3）、宇宙貿易商（コスト4）、ガーデニング族（コスト4）、モブ族（コスト3）
パワーボックス：挑発（コスト3）、ダークマター（コスト4）、鉱脈（コスト4）にコマ×4

→ 席0：−3点、手元のコマ×4、星×2、パワー3＋コマ、スタートプレイヤーマーカー
  シート
    都市12（最大） | 緑化3（次はパワー1） | 科学0（次はパワー2） | コスモ1（次はパワー2）
    酸素7／12にコマ | 戦争5にコマ×2 | カーニバル3
  宇宙種族：ライブラリ族（コスト4、「巨人族」の能力あり）にコマ×5

席1：0点、パワー0＋コマ、パス済み
  シート
    都市4（次はパワー2） | 緑化3（次はパワー1） | 科学0（次はパワー2） | コスモ1（次はパワー2）
    酸素3／4 | 戦争 | カーニバル0
  宇宙種族：なし"""


def busy() -> Play:
    """Given a table of two on which nearly everything lies somewhere."""
    play = given("Librarians", "Giants", "Provocation", "Dark Matter", "Ore Vein", seats=2)
    play.with_species(0, "Librarians").with_copy("Librarians", "Giants").with_tips("Librarians", 5)
    play.with_levels(0, city=12).with_player(0, points=-3, stars=2).with_boxes(0, war=2, oxygen=1)
    return play.with_player(1, has_passed=True, hand=0).with_tips("Ore Vein", 4)


def shown(play: Play, lang: Lang = "en") -> Scene:
    """The scene of the table."""
    scene: Scene = GAME.scene(GAME.view(play.table, None), lang)
    return scene


def pieces(play: Play, lang: Lang = "en") -> dict[str, Piece]:
    """Its pieces by their places."""
    return {piece.id: piece for piece in pieces_of(shown(play, lang))}


def zones(play: Play) -> dict[str, Zone]:
    """Its zones by their places."""
    return {zone.id: zone for zone in shown(play).zones}


@pytest.mark.parametrize(("lang", "text"), [("en", ENGLISH), ("ja", JAPANESE)])
def test_the_whole_table_is_told(lang: Lang, text: str) -> None:
    assert tell(shown(busy(), lang), lang) == text


def test_zones_are_the_planet_and_then_each_seats_own() -> None:
    own = [(f"seat.{seat}/{part}", (seat,)) for seat in range(3) for part in ("state", "sheet", "species")]
    assert [(zone.id, zone.seat) for zone in shown(given("Mob")).zones] == [("species", ()), ("cards", ()), *own]


def test_tf_1_planet_cards_lie_by_kind_and_are_numbered_in_table_order() -> None:
    play = given("Mob", "Ore Vein", "Giants", "World Expo")
    rows = zones(play)
    assert [(card.id, card.title) for card in rows["species"].pieces][:2] == [
        ("species/0", "Mob"),
        ("species/2", "Giants"),
    ]
    assert [(card.id, card.title) for card in rows["cards"].pieces] == [
        ("cards/1", "Ore Vein"),
        ("cards/3", "World Expo"),
    ]
    assert rows["cards"].kind is ZoneKind.ROW


def test_a_planet_card_has_its_cost_and_what_is_printed_on_it() -> None:
    card = pieces(given("Mob"))["species/0"]
    assert card == Piece(
        "species/0",
        Kind.CARD,
        "3",
        "Mob",
        text="For power, 3 counts instead of science.",
        tone="card-species",
        facts=(Fact("cost", "3"),),
    )
    assert (
        pieces(given("Ore Vein"), "ja")["cards/0"].text == "ストックから「コスモレベル＋1」と同じ数のコマを受けとる。"
    )
    assert pieces(given("Ore Vein"))["cards/0"].tone == "card-box"


def test_tf_21_a_species_lies_before_its_holder_with_the_tips_on_it() -> None:
    laid = pieces(busy())
    assert "species/0" not in laid
    card = laid["seat.0/species/0"]
    assert [(on.id, on.kind, on.count, on.tone) for on in card.on] == [("seat.0/species/0/tips", Kind.CHIP, 5, "tip")]
    assert card.marks == (Mark(Look.NOTED, "with the ability of Giants"),)


def test_tf_13_a_sheet_has_levels_above_and_what_is_resolved_at_the_rounds_end_below() -> None:
    sheet = zones(busy())["seat.0/sheet"]
    assert (sheet.kind, sheet.columns) == (ZoneKind.GRID, 4)
    assert [piece.id.rpartition("/")[2] for piece in sheet.pieces] == [box.value for box in Box]
    assert [piece.tone for piece in sheet.pieces] == [box.value for box in Box]
    assert [piece.kind for piece in sheet.pieces] == [*[Kind.TILE] * 4, *[Kind.SPACE] * 3]
    assert [piece.label for piece in sheet.pieces] == ["12", "3", "0", "1", "7/12", "5", "3"]
    assert all(piece.text for piece in sheet.pieces)


def test_tf_15_a_level_says_what_all_further_ones_take() -> None:
    laid = pieces(busy())
    assert laid["seat.0/sheet/science"].text.endswith("further level, the next one first: 2, 5, 8, 11, 14.")
    assert laid["seat.0/sheet/science"].facts == (Fact("next at", "2"),)
    assert laid["seat.0/sheet/city"].facts == ()
    assert laid["seat.0/sheet/city"].text == "Full: it rises no further."


@pytest.mark.parametrize(("tips", "label"), [(0, "3/8"), (1, "6/8"), (3, "8/8")])
def test_tf_16_oxygen_counts_green_and_the_boxes_power_where_tips_lie(tips: int, label: str) -> None:
    play = given("Mob").with_levels(0, city=8, science=2).with_boxes(0, oxygen=tips)
    assert pieces(play)["seat.0/sheet/oxygen"].label == label
    assert pieces(play)["seat.0/sheet/oxygen"].title == f"oxygen {label.replace('/', ' of ')}"


@pytest.mark.parametrize(
    ("species", "tips", "label", "title"),
    [
        ("Mob", 0, "", "war"),
        ("Mob", 2, "5", "war 5"),
        ("Berserkers", 1, "5", "war 5"),
        ("Lord of War", 0, "1", "war 1"),
    ],
)
def test_tf_17_war_has_the_power_that_would_count_there(species: str, tips: int, label: str, title: str) -> None:
    war = pieces(given(species).with_species(0, species).with_boxes(0, war=tips))["seat.0/sheet/war"]
    assert (war.label, war.title, war.marks) == (label, title, ())


def test_tf_18_tf_44_carnival_has_its_points_unless_a_species_closes_it() -> None:
    play = odd("Ga").with_species(0, "Ga").with_boxes(0, carnival=3).with_boxes(1, carnival=2)
    closed, open_ = pieces(play)["seat.0/sheet/carnival"], pieces(play)["seat.1/sheet/carnival"]
    assert (closed.label, closed.title, closed.marks) == ("", "carnival", (Mark(Look.BLOCKED, "gives no points"),))
    assert (open_.label, open_.title, open_.marks) == ("3", "carnival 3", ())
    assert pieces(play, "ja")["seat.0/sheet/carnival"].marks == (Mark(Look.BLOCKED, "得点にならない"),)


def test_what_a_seat_has_is_counted_in_its_head() -> None:
    heads = zones(busy())
    assert [(one.id, one.kind, one.label, one.count) for one in heads["seat.0/state"].pieces] == [
        ("seat.0/state/hand", Kind.CHIP, "", 4),
        ("seat.0/state/stars", Kind.TOKEN, "★", 2),
        ("seat.0/state/power", Kind.MARKER, "", 1),
        ("seat.0/state/marker", Kind.MARKER, "", 1),
    ]
    assert [one.id for one in heads["seat.1/state"].pieces] == ["seat.1/state/power", "seat.1/state/passed"]
    assert [(score.seat, score.value, score.title) for score in shown(busy()).scores] == [
        (0, -3, "−3 points"),
        (1, 0, "0 points"),
    ]


@pytest.mark.parametrize(
    ("move", "place", "english", "japanese"),
    [
        (moves.UseBox(Box.WAR), "seat.0/sheet/war", "the war box", "シートの「戦争」"),
        (
            moves.UseCardOn(name("Provocation"), 1),
            "cards/1",
            "Provocation against seat 1",
            "「挑発」（対象は席1）",
        ),
        (moves.Acquire(name("Mob")), "species/0", "Mob", "「モブ族」"),
    ],
)
def test_tf_8_where_tips_are_to_be_placed_is_raised_and_said(
    move: TerraformersMove, place: str, english: str, japanese: str
) -> None:
    play = given("Mob", "Provocation").move(0, move)
    assert shown(play).line == f"Round 1 of 6: seat 0 places tips on {english}."
    assert shown(play, "ja").line == f"第1ラウンド（全6ラウンド）：席0が{japanese}にコマを置く。"
    assert [piece.id for piece in pieces(play).values() if piece.marks] == [place]
    assert pieces(play)[place].marks == (Mark(Look.RAISED, "tips go here"),)


def test_tf_19_who_is_named_with_a_card_is_told_so() -> None:
    play = given("Provocation").move(0, moves.UseCardOn(name("Provocation"), 2))
    assert pieces(play)["seat.2/state/named"].title == "named with Provocation"
    assert pieces(play, "ja")["seat.2/state/named"].title == "「挑発」の対象"
    assert "seat.1/state/named" not in pieces(play)


def test_buttons_are_those_of_the_step() -> None:
    play = given("Mob", "Giants")
    assert [(one.id, one.title) for one in shown(play).buttons] == [("do/pass", "Pass")]
    play.with_species(0, "Mob")
    assert [one.id for one in shown(play).buttons] == ["do/guard", "do/put-back", "do/pass"]
    assert [one.title for one in shown(play, "ja").buttons] == ["守る", "場に戻す", "パス"]
    play.move(0, moves.UseBox(Box.WAR))
    assert [(one.id, one.title) for one in shown(play).buttons] == [
        ("do/tips-1", "1 tip"),
        ("do/tips-2", "2 tips"),
        ("do/tips-3", "3 tips"),
        ("do/tips-4", "4 tips"),
    ]


def test_tf_26_who_has_won_is_told_as_the_standing_has_it() -> None:
    play = given("Mob", marker=1).with_player(0, points=7).with_player(2, points=7)
    over = GAME.evolve(play.table, events.MatchEnded((7, 0, 7), GAME.standing(play.table).ranking))
    assert GAME.standing(over).ranking == (2, 3, 1)
    view = GAME.view(over, None)
    assert GAME.scene(view, "en").line == "Round 1 of 6: the match is over, seat 2 wins with 7 points."
    assert GAME.scene(view, "ja").line == "第1ラウンド（全6ラウンド）：対局終了、7点で席2の勝ち。"
    assert (GAME.scene(view, "en").turn, GAME.scene(view, "en").buttons) == ((), ())


@pytest.mark.parametrize("lang", LANGS)
def test_a_table_without_a_planet_shows_nothing_but_a_line(lang: Lang) -> None:
    table = GAME.initial(Options(), 2, PACK)
    assert len(tell(GAME.scene(GAME.view(table, None), lang), lang).splitlines()) == 1
    table = fold(GAME, table, GAME.setup(table, Simulation(1))[:-1])
    assert GAME.scene(GAME.view(table, None), lang).buttons == ()


def test_the_view_shows_the_whole_table() -> None:
    play = given("Librarians", "Giants", "Ore Vein").with_species(0, "Librarians").with_copy("Librarians", "Giants")
    play.with_tips("Ore Vein", 2).with_levels(0, city=12, science=4).with_player(0, points=-3, stars=2)
    play.with_boxes(0, war=2).with_player(1, has_passed=True)
    shown = GAME.view(play.table, 1)
    assert (shown.round, shown.rounds, shown.marker, shown.turn, shown.step) == (1, 6, 0, (0,), "action")
    card = shown.planet[0]
    assert (card.name.en, card.kind, card.cost, card.holder) == ("Librarians", "species", 4, (0,))
    assert [copied.en for copied in card.copies] == ["Giants"]
    assert (shown.planet[2].tips, shown.planet[2].holder, shown.planet[2].copies) == (2, (), ())
    assert "鉱脈" in shown.planet[2].name.ja
    assert "コスモ" in shown.planet[2].text.ja
    sheet = shown.places[0]
    assert (sheet.points, sheet.stars, sheet.hand, sheet.base, sheet.has_passed) == (-3, 2, 4, 3, False)
    assert [level.value for level in sheet.levels] == [12, 3, 4, 1]
    assert [level.prices[:1] for level in sheet.levels] == [(), (1,), (14,), (2,)]
    assert sheet.boxes.war == 2
    assert [species.en for species in sheet.species] == ["Librarians"]
    assert shown.places[1].has_passed
