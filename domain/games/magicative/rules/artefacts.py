"""The three sages' artefacts, in their steps. Rule: MG-15."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative import events
from domain.games.magicative.components import FATE, PAST, Artefact, Card
from domain.games.magicative.events import MagicativeEvent
from domain.games.magicative.moves import Arrange, ArrangeLast, Take, Use
from domain.games.magicative.rules.drawing import discards, rebuild, turn_drawn
from domain.games.magicative.rules.holding import holds, imitates, may_imitate
from domain.games.magicative.rules.steps import check_step
from domain.games.magicative.state import ARRANGE, IMITATE, PUT, START, TAKE, TURN, Table, held, points, size_of

Events = tuple[MagicativeEvent, ...]

USES = {artefact: Use(artefact) for artefact in Artefact}
ARRANGE_LAST = ArrangeLast()
COST_AT = {artefact: at for at, artefact in enumerate(Artefact)}


def uses(table: Table, seat: Seat) -> tuple[Use, ...]:
    """The artefacts that the seat, which is in turn, may use. Rule: MG-15."""
    if table.places[seat].won.artefact:
        return ()
    return tuple([USES[artefact] for artefact in table.middle.artefacts if _may_use(table, seat, artefact)])


def _may_use(table: Table, seat: Seat, artefact: Artefact) -> bool:
    """Whether the deck, or the seat's hand, is such that the artefact can be used now. Rule: MG-15."""
    hand = table.places[seat].hand
    if artefact is FATE:
        return bool(table.deck or discards(table))
    if artefact is PAST:
        return size_of(hand) >= table.terms.past
    return may_imitate(held(hand), size_of(hand))


def use(table: Table, seat: Seat, artefact: Artefact, chance: Chance) -> Events:
    """The seat takes the artefact and begins to use it. Rule: MG-15."""
    step = check_step(table, seat, START, TURN)
    won = table.places[seat].won
    if won.artefact:
        raise Refusal("MG-15", "used-one", artefact=won.artefact[0].value)
    if artefact not in table.middle.artefacts:
        raise Refusal("MG-15", "taken", artefact=artefact.value)
    if step is START and artefact is not FATE:
        raise Refusal("MG-15", "draw-first", artefact=artefact.value)
    if not _may_use(table, seat, artefact):
        raise _unusable(table, seat, artefact)
    cost = table.terms.costs[COST_AT[artefact]]
    used = events.ArtefactUsed(seat, artefact, cost, points(won) + cost)
    return (used, *_looked(table, seat, chance)) if artefact is FATE else (used,)


def _unusable(table: Table, seat: Seat, artefact: Artefact) -> Refusal:
    if artefact is FATE:
        return Refusal("MG-15", "no-deck")
    if artefact is PAST:
        return Refusal("MG-15", "too-few-cards", wanted=table.terms.past, held=size_of(table.places[seat].hand))
    return Refusal("MG-15", "nothing-to-imitate")


# Fate


def _looked(table: Table, seat: Seat, chance: Chance) -> Events:
    """The top of the deck is looked at, which is rebuilt first when it is exhausted. Rule: MG-15, MG-19."""
    if table.deck:
        return (events.FateLooked(seat, table.deck[: table.terms.fate]),)
    rebuilt = rebuild(discards(table), chance)
    return rebuilt, events.FateLooked(seat, rebuilt.cards[: table.terms.fate])


def arrangements(table: Table) -> tuple[Arrange | ArrangeLast, ...]:
    """The cards that may lie next from the top, equal ones once; of somebody who does not know them, none."""
    work = table.stage.work
    if work.of - work.done == 1:
        return (ARRANGE_LAST,)
    left = table.deck[work.done : work.of]
    return () if None in left else tuple(map(Arrange, sorted(set(left))))  # type: ignore[type-var]  # no None by now


def arrange(table: Table, seat: Seat, card: Card | None) -> Events:
    """One of the cards looked at lies next from the top."""
    check_step(table, seat, ARRANGE)
    work = table.stage.work
    if work.of - work.done == 1:
        raise Refusal("MG-15", "last-card")
    if card is None:
        raise Refusal("MG-15", "no-such-card")
    if card not in table.deck[work.done : work.of]:
        raise Refusal("MG-15", "not-looked-at", card=card)
    return (events.FateArranged(seat, card),)


def arrange_last(table: Table, seat: Seat, chance: Chance) -> Events:
    """The last of them lies below the others; a turn that has not drawn yet goes on with the draw."""
    check_step(table, seat, ARRANGE)
    work = table.stage.work
    if (left := work.of - work.done) > 1:
        raise Refusal("MG-15", "not-last", left=left)
    told: Events = (events.FateArranged(seat, table.deck[work.done]), events.ArtefactDone(seat, FATE))
    return turn_drawn(table, seat, told, chance) if work.before_draw else told


# Past


def put(table: Table, seat: Seat, card: Card) -> Events:
    """A hand card goes to the left end of the row, right of those put before."""
    check_step(table, seat, PUT)
    if not holds(table.places[seat].hand, card):
        raise Refusal("MG-15", "not-in-hand", card=card)
    done = table.stage.work.done
    left = table.terms.past - done - 1
    told = (events.PastPut(seat, card, left),)
    is_done = not left and len(table.places[seat].row) == done
    return (*told, events.ArtefactDone(seat, PAST)) if is_done else told


def takes(table: Table) -> tuple[Take, ...]:
    """The cards of the row that may be taken: those that were not put there."""
    stage = table.stage
    return tuple(map(Take, range(stage.work.done, len(table.places[stage.seat].row))))


def take(table: Table, seat: Seat, at: int) -> Events:
    """A card of the row goes into the hand; when enough are taken, or none is left, the turn goes on."""
    check_step(table, seat, TAKE)
    work, row = table.stage.work, table.places[seat].row
    if not work.done <= at < len(row):
        raise Refusal("MG-15", "not-another", least=work.done, most=len(row) - 1, at=at)
    told = (events.PastTaken(seat, at, row[at]),)
    is_done = work.of + 1 == work.done or len(row) == work.done + 1
    return (*told, events.ArtefactDone(seat, PAST)) if is_done else told


def only_take(table: Table) -> Take | None:
    """The move that takes the next card where the row holds no more others than must be taken; else None."""
    stage = table.stage
    others = len(table.places[stage.seat].row) - stage.work.done
    return Take(stage.work.done) if others <= stage.work.done - stage.work.of else None


# Innocent


def imitate(table: Table, seat: Seat, card: Card) -> Events:
    """A hand card counts as innocent in the formula that is fixed at once."""
    check_step(table, seat, IMITATE)
    hand = table.places[seat].hand
    if not holds(hand, card) or not imitates(held(hand), card):
        raise Refusal("MG-15", "no-formula", card=card)
    return (events.CardImitates(seat, card),)
