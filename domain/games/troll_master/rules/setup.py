"""The beginning of a match: options, the supply, the broom."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import EventBuffer, Refusal
from domain.games.troll_master.components import DECK, HAND, SUPPLY, Options
from domain.games.troll_master.events import BroomTaken, Events, FamiliarsLaidOut, Shuffled
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.pack import Pack
from domain.games.troll_master.printed import Card
from domain.games.troll_master.rules.preparation import Buffer, start_round
from domain.games.troll_master.state import Table


def check_options(options: Options, seats: int, pack: Pack) -> None:
    """Check that a match can be played with these options and that number of seats.

    Rule:    TM-2, TM-5.
    Raises:  Refusal when the number of seats or the chosen familiars are wrong.
    """
    if seats not in HAND:
        raise Refusal("TM-5", "seats", seats=seats, wanted=tuple(HAND))
    if options.familiars == "random":
        return
    names = {familiar.name for familiar in pack.familiars}
    chosen = options.familiars
    if unknown := [name for name in chosen if name not in names]:
        raise Refusal("TM-2", "no-such-familiar", familiar=unknown[0])
    if len(chosen) != SUPPLY:
        raise Refusal("TM-2", "familiars", familiars=len(chosen), wanted=SUPPLY)
    if twice := [name for name in chosen if chosen.count(name) > 1]:
        raise Refusal("TM-2", "twice", familiar=twice[0])


def setup(table: Table, chance: Chance) -> Events:
    """Lay out ten kinds of familiars, give the broom to the first start player, and start the first round.

    Rule:    TM-2, TM-4.
    """
    buffer: Buffer = EventBuffer(evolve, table)
    buffer.tell(FamiliarsLaidOut(tuple(card.name for card in _laid_out(table, chance))))
    buffer.tell(BroomTaken(chance.below(len(table.places))))
    buffer.tell(Shuffled(chance.shuffle(DECK)))
    start_round(buffer, chance)
    return tuple(buffer.events)


def _laid_out(table: Table, chance: Chance) -> list[Card]:
    """Return the supply, sorted by cost; cards of equal cost are in the pack's order. Rule: TM-2."""
    cards, chosen = table.terms.printed.familiars, table.terms.familiars
    if chosen:
        drawn = [card for card in cards if card.name.en in chosen]
    else:
        numbers = chance.shuffle(tuple(range(len(cards))))[:SUPPLY]
        drawn = [cards[number] for number in sorted(numbers)]
    return sorted(drawn, key=lambda card: card.cost)
