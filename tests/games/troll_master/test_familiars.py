"""The house's familiars, and how bots judge."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from domain.chance import Simulation
from domain.games.troll_master import GAME, events
from domain.games.troll_master.moves import Act, Answer, Attack, Discard, Pass, Reveal, Summon, Train
from tests.games.troll_master.table import (
    CRYSTAL,
    FLASK,
    ODD_PACK,
    PACK,
    TOME,
    WAND,
    Play,
    acting,
    at,
    magics,
    named,
    planning,
    refused,
    seen_by,
    use,
    with_fairy,
    with_pawns,
    with_stand,
)
from tests.rows import each

BREW, SUMMON, ATTACK, DIVINATION = "FFFFFFTTTT", "TTTTTTFFFF", "WWWWWWTTTT", "CCCCFFFTTT"


def acts(
    action: int, *familiars: str | tuple[str, int], mana: int = 0, open: str, supply: tuple[str, ...] = ()
) -> Play:
    """Seat 0 does the action against two Black Cats that stay at home."""
    play = acting(at(action, *familiars, mana=mana), at(0, "Black Cat"), at(0, "Black Cat"), open=open, supply=supply)
    return play.move(0, Act())


def defends(*familiars: str | tuple[str, int], by: tuple[str, ...]) -> Play:
    """Seat 1 is attacked from action 3, which adds nothing."""
    play = acting(at(3, *by), at(0, *familiars), at(0, "Black Cat"), open=ATTACK)
    return play.move(0, Act())


def test_tm_37_to_tm_41_what_each_familiar_of_the_house_gives_in_an_action() -> None:
    for action, lying, familiar, uses, gained in each(
        # the action, what lies open, the familiar and its charges, how often it is used: mana, chips and charges
        (4, BREW, ("Mana Bug", 0), 0, (6, 0, 0)),
        (4, BREW, ("Great Owl", 0), 0, (5, 0, 0)),
        (4, BREW, ("Mandrake", 2), 0, (4, 0, 3)),
        (4, BREW, ("Caladrius", 0), 0, (4, 0, 1)),
        (6, DIVINATION, ("Will-o'-the-Wisp", 0), 0, (2, 1, 0)),
        (6, DIVINATION, ("Great Owl", 0), 0, (1, 1, 0)),
        (6, DIVINATION, ("Raven", 0), 0, (0, 2, 0)),
        (6, DIVINATION, ("Brazen Head", 2), 2, (0, 3, 0)),
        (6, DIVINATION, ("Sphinx", 1), 1, (2, 1, 0)),
        (3, ATTACK, ("Peryton", 0), 0, (2, 2, 0)),
        (3, ATTACK, ("Troll", 0), 0, (0, 2, 0)),
        (3, ATTACK, ("Salamander", 1), 1, (0, 2, 0)),
        (7, ATTACK, ("Valkyrie", 1), 0, (0, 2, 1)),
        (2, SUMMON, ("Gnome", 0), 0, (1, 0, 0)),
    ):
        play = acts(action, familiar, open=lying)
        for _ in range(uses):
            play.move(0, use(familiar[0]))
        assert (play.place(0).mana, play.place(0).chips, play.owned(0, familiar[0]).charges) == gained


def test_tm_41_tm_44_what_each_takes_off_a_summon_and_adds_to_an_attack_or_a_defence() -> None:
    for familiar, mana, uses, summoned in each(
        ("Homunculus", 2, 0, "Gnome"), ("Gnome", 1, 0, "Homunculus"), ("Fairy Circle", 0, 3, "Gnome")
    ):
        play = acts(2, (familiar, uses), mana=mana, open=SUMMON, supply=(summoned,))
        for _ in range(uses):
            play.move(0, use(familiar))
        assert play.move(0, Summon(named(summoned))).place(0).mana == 0
    for familiars, strength in each((("Black Cat", "Raven"), 2), (("Griffin",), 5), (("Troll",), 6)):
        assert acts(3, *familiars, open=ATTACK).one(events.AttackDeclared).strength == strength
    for familiar, by, number, uses, defence in each(
        ("Caladrius", "Peryton", 1, 1, 3), ("Gargoyle", "Troll", 0, 2, 8), ("Griffin", "Troll", 0, 0, 6)
    ):
        play = defends((familiar, uses), by=(by,))
        for _ in range(uses):
            play.move(1, use(familiar, number))
        assert play.of(events.AttackFailed)[0].defence == defence


def test_tm_45_what_each_familiar_of_the_house_is_worth() -> None:
    for familiars, points in each(
        (("Black Cat",), 0),
        (("Homunculus",), 1),
        (("Troll",), 5),
        *(((("Mandrake", charges),), worth) for charges, worth in enumerate((1, 1, 2, 2, 3))),
        *(((("Dragon Egg", charges),), charges) for charges in range(7)),
        (("Unicorn",), 3),
        (("Unicorn", "Black Cat"), 4),
        (("Unicorn", "Black Cat", "Mana Bug"), 4),
        (("Unicorn", "Black Cat", "Mana Bug", "Will-o'-the-Wisp"), 5),
    ):
        assert GAME.standing(acting(at(1, *familiars), at(0), at(0)).table).points[0] == points


def test_an_ability_of_another_card_is_refused() -> None:
    play = defends(("Gargoyle", 1), by=("Troll",))
    stolen = type(use("Gargoyle"))(named("Gargoyle"), use("Caladrius").ability)
    assert refused(play.table, 1, stolen) == ("TM-35", "no-such-ability")
    assert refused(play.table, 1, Discard(WAND)) == ("TM-27", "wrong-step")
    assert refused(play.table, 0, Attack()) == ("TM-27", "not-your-turn")
    assert play.legal(1) == (use("Gargoyle"), Answer())


@pytest.mark.parametrize("own", [("Will-o'-the-Wisp", 0), ("Dragon Egg", 6), ("Valkyrie", 2)])
def test_tm_25_a_training_is_told_in_a_line_even_where_all_names_are_long(own: tuple[str, int]) -> None:
    for familiar in (card.name for card in PACK.familiars if card.name != own[0]):
        play = acting(at(2, own, mana=30), at(0), at(0), open="TTTFFFFFFC", supply=(familiar, "Raven")).move(0, Act())
        assert len(GAME.label(play.table, 0, Train(named(own[0]), named(familiar)), "en")) <= 200


def test_tm_16_a_seat_that_is_asked_to_place_its_pawn_is_imagined_with_a_card_for_it() -> None:
    play = with_pawns(planning("WW", "TT", "FF", "WC", "TF", pack=ODD_PACK), 0, 2, 6, 0, 14)
    table = play.table
    goldless = tuple(replace(place, familiars=()) for place in table.places)
    table = replace(table, places=goldless, stage=replace(table.stage, seat=3))
    found = set()
    for seed in range(40):
        other = GAME.imagine(seen_by(table, 0), 0, Simulation(seed))
        assert {TOME, CRYSTAL} & set(other.places[3].hand), "attack and brew are occupied"
        found.add(other.places[3].hand)
    assert len(found) > 2


def test_tm_16_a_seat_that_could_pay_for_another_card_may_hold_anything() -> None:
    play = with_fairy(with_pawns(planning("CC", "WW", "TT", "FF"), 0, 0, 3, 7), 1, 1).move(0, Reveal(CRYSTAL, 10))
    hands = {GAME.imagine(seen_by(play.table, 0), 0, Simulation(seed)).places[1].hand for seed in range(60)}
    assert any(set(hand) == {WAND} for hand in hands for WAND in [magics("W")[0]])


def test_tm_16_a_seat_that_has_just_paid_its_last_charges_is_not_asked_again_whether_it_can_place() -> None:
    play = with_stand(with_pawns(planning("CC", "WW", "TT", "FF", pack=ODD_PACK), 0, 0, 3, 7), 1, 2)
    play.move(0, Reveal(CRYSTAL, 2)).move(1, use("Umbrella Stand", pack=ODD_PACK))
    assert (play.table.stage.has_paid, play.legal(1)) == (True, (Pass(),)), "asked, though its wands place nothing"
    hands = {GAME.imagine(seen_by(play.table, 0), 0, Simulation(seed)).places[1].hand for seed in range(60)}
    assert (WAND, WAND) in hands
    play.move(1, Pass())
    assert (play.told[0], play.table.stage.has_paid) == (events.WentOut(1, (FLASK, CRYSTAL)), False)


def test_tm_16_who_is_asked_after_a_draw_that_was_paid_for_has_a_card_to_place() -> None:
    play = with_stand(with_pawns(planning("CC", "WW", "TT", "FF", pack=ODD_PACK), 0, 0, 3, 7), 1, 1)
    play.table = replace(play.table, cards=replace(play.table.cards, deck=magics("FTTTTFFFWWWC")))
    play.move(0, Reveal(CRYSTAL, 2)).move(1, use("Umbrella Stand", 1, ODD_PACK)).move(1, Discard(WAND))
    assert (play.table.stage.has_paid, GAME.to_act(play.table)) == (False, (1,))
    for seed in range(60):
        assert set(GAME.imagine(seen_by(play.table, 0), 0, Simulation(seed)).places[1].hand) != {WAND}


def test_the_winner_of_a_finished_match_is_best_off() -> None:
    play = acting(at(1, "Black Cat", chips=21), at(0, "Black Cat", chips=22), at(0, "Black Cat", chips=22, mana=9))
    play.move(0, Pass())
    worths = [GAME.evaluate(play.table, seat) for seat in range(3)]
    assert worths[2] > worths[1] > worths[0]


def test_a_match_is_measured_by_its_rounds_and_who_acquired_each_familiar_laid_out() -> None:
    play = acting(
        at(9, "Black Cat", mana=9), at(0, "Black Cat"), at(0, "Black Cat"), open="TTTTTTFFFF", supply=("Raven", "Gnome")
    ).move(0, Act())
    play.move(0, Summon(named("Raven")))
    laid_out = events.FamiliarsLaidOut((named("Raven"), named("Gnome")))
    ended = events.MatchEnded(points=(20, 20, 0), mana=(1, 1, 0), ranking=(1, 1, 3))
    told = GAME.measure((laid_out, *play.told, ended))
    assert told.first is None, "nobody began the first round in these events"
    assert (told.rounds, told.uses) == (1, (("Raven", (0,)), ("Gnome", ())))
