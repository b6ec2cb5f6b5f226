"""What a seat and a spectator are shown."""

from __future__ import annotations

from msgspec.structs import replace

from domain.game import ALL
from domain.games.troll_master import GAME
from domain.games.troll_master.moves import Act
from tests.games.troll_master.table import PACK, acting, at, magics, named, opened, planning, use


def test_tm_6_a_seat_is_shown_its_own_hand_and_how_many_cards_the_others_hold() -> None:
    play = planning("TFW", "FF", "CCC")
    for viewer in (0, 1, 2, None):
        hands = [place.hand for place in GAME.view(play.table, viewer).places]
        truth = [magics("TFW"), magics("FF"), magics("CCC")]
        assert hands == [hand if seat == viewer else (None,) * len(hand) for seat, hand in enumerate(truth)]


def test_after_the_end_nothing_is_hidden() -> None:
    play = planning("TFW", "FF", "CCC")
    assert [place.hand for place in GAME.view(play.table, ALL).places] == [magics("TFW"), magics("FF"), magics("CCC")]


def test_a_view_shows_the_row_with_its_pawns_the_supply_and_every_place() -> None:
    play = acting(
        at(12, "Black Cat", ("Salamander", 2), mana=7, chips=3),
        at(3, "Troll"),
        at(0, "Raven"),
        open="FFFFTTWWCC",
        supply=("Gnome", "Griffin"),
    )
    view = GAME.view(play.table, None)
    assert [(action.number, action.pawn) for action in view.row if action.pawn] == [(3, (1,)), (12, (0,))]
    assert (view.row[11].kind, view.row[11].value, view.row[11].cost) == ("brew", 6, 6)
    assert [place.seat for place in view.places] == [0, 1, 2]
    assert [(pile.card.name.en, pile.left, pile.card.cost) for pile in view.supply] == [
        ("Gnome", 2, 3),
        ("Griffin", 2, 7),
    ]
    own = view.places[0]
    assert (own.mana, own.chips, own.points, own.pawn) == (7, 3, 4, (12,))
    assert [(owned.card.name.en, owned.charges) for owned in own.familiars] == [("Black Cat", 0), ("Salamander", 2)]
    assert (view.turn, view.action, view.price, view.step) == ((0,), (12,), 0, "act")
    assert (view.deck, view.open) == (14, magics("FFFFTTWWCC"))
    assert view.supply[0].card.abilities == PACK.familiars[5].abilities


def test_a_view_shows_what_is_added_and_the_strength_of_an_attack() -> None:
    play = acting(at(10, "Peryton"), at(0, ("Gargoyle", 1)), at(0, "Raven"), open="WWWWWWTTTT").move(0, Act())
    view = GAME.view(play.table, 2)
    assert (view.step, view.turn, view.strength, view.bonus) == ("defence", (1,), (4,), 0)
    play.move(1, use("Gargoyle"))


def test_a_view_shows_who_has_passed_who_is_out_and_the_covered() -> None:
    table = opened()
    places = (
        replace(table.places[0], has_passed=True),
        replace(table.places[1], has_passed=True, is_out=True),
        replace(
            table.places[2],
            familiars=(replace(table.places[2].familiars[0], covered=(named("Raven"), named("Gnome"))),),
        ),
    )
    view = GAME.view(replace(table, places=places), 0)
    assert [(place.has_passed, place.is_out) for place in view.places] == [(True, False), (True, True), (False, False)]
    assert view.places[2].familiars[0].covered == (named("Raven"), named("Gnome"))
