"""The three sages' artefacts, in their steps. Rule: MG-15."""

from __future__ import annotations

from domain.chance import Chance
from domain.game import Refusal, Seat
from domain.games.magicative import events
from domain.games.magicative.components import FATE, PAST, Artefact, Card
from domain.games.magicative.events import Events
from domain.games.magicative.moves import Arrange, ArrangeLast, Take, Use
from domain.games.magicative.rules.drawing import discards, rebuild, turn_drawn
from domain.games.magicative.rules.holding import holds, imitates, may_imitate
from domain.games.magicative.rules.steps import check_step
from domain.games.magicative.state import ARRANGE, IMITATE, PUT, START, TAKE, TURN, Table, held, points, size_of

USES = {artefact: Use(artefact) for artefact in Artefact}
ARRANGE_LAST = ArrangeLast()
COST_AT = {artefact: at for at, artefact in enumerate(Artefact)}


def uses(table: Table, seat: Seat) -> tuple[Use, ...]:
    """Return the artefacts that the seat in turn may use. Rule: MG-15."""
    if table.places[seat].won.artefact:
        return ()
    return tuple([USES[artefact] for artefact in table.middle.artefacts if _may_use(table, seat, artefact)])


def _may_use(table: Table, seat: Seat, artefact: Artefact) -> bool:
    """Return whether the deck and the seat's hand allow the use of the artefact now. Rule: MG-15."""
    hand = table.places[seat].hand
    if artefact is FATE:
        return bool(table.deck or discards(table))
    if artefact is PAST:
        return size_of(hand) >= table.terms.past
    return may_imitate(held(hand), size_of(hand))


def use(table: Table, seat: Seat, artefact: Artefact, chance: Chance) -> Events:
    """Take the artefact and begin to use it. Rule: MG-15. Raises Refusal."""
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
    """Look at the top of the deck. If the deck is empty, it is rebuilt first. Rule: MG-15, MG-19."""
    if table.deck:
        return (events.FateLooked(seat, table.deck[: table.terms.fate]),)
    rebuilt = rebuild(discards(table), chance)
    return rebuilt, events.FateLooked(seat, rebuilt.cards[: table.terms.fate])


def arrangements(table: Table) -> tuple[Arrange | ArrangeLast, ...]:
    """Return the cards that may be put next from the top, equal ones once; none if they are not known."""
    work = table.stage.work
    if work.of - work.done == 1:
        return (ARRANGE_LAST,)
    left = table.deck[work.done : work.of]
    return () if None in left else tuple(map(Arrange, sorted(set(left))))  # type: ignore[type-var]  # no None by now


def arrange(table: Table, seat: Seat, card: Card | None) -> Events:
    """Put one of the cards that were looked at next from the top. Raises Refusal."""
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
    """Put the last card below the others; then a turn that has not drawn yet goes on with the draw. Raises Refusal."""
    check_step(table, seat, ARRANGE)
    work = table.stage.work
    if (left := work.of - work.done) > 1:
        raise Refusal("MG-15", "not-last", left=left)
    done: Events = (events.FateArranged(seat, table.deck[work.done]), events.ArtefactDone(seat, FATE))
    return turn_drawn(table, seat, done, chance) if work.before_draw else done


# Past


def put(table: Table, seat: Seat, card: Card) -> Events:
    """Put a hand card at the left end of the row, right of those put before. Raises Refusal."""
    check_step(table, seat, PUT)
    if not holds(table.places[seat].hand, card):
        raise Refusal("MG-15", "not-in-hand", card=card)
    done = table.stage.work.done
    left = table.terms.past - done - 1
    placed = (events.PastPut(seat, card, left),)
    is_done = not left and len(table.places[seat].row) == done
    return (*placed, events.ArtefactDone(seat, PAST)) if is_done else placed


def takes(table: Table) -> tuple[Take, ...]:
    """Return the cards of the row that may be taken: those that were not put there."""
    stage = table.stage
    return tuple(map(Take, range(stage.work.done, len(table.places[stage.seat].row))))


def take(table: Table, seat: Seat, at: int) -> Events:
    """Take a card of the row into the hand. The turn goes on once enough are taken or none is left. Raises Refusal."""
    check_step(table, seat, TAKE)
    work, row = table.stage.work, table.places[seat].row
    if not work.done <= at < len(row):
        raise Refusal("MG-15", "not-another", least=work.done, most=len(row) - 1, at=at)
    taken = (events.PastTaken(seat, at, row[at]),)
    is_done = work.of + 1 == work.done or len(row) == work.done + 1
    return (*taken, events.ArtefactDone(seat, PAST)) if is_done else taken


def only_take(table: Table) -> Take | None:
    """Return the move that takes the next card if the row has no more than must be taken; else None."""
    stage = table.stage
    others = len(table.places[stage.seat].row) - stage.work.done
    return Take(stage.work.done) if others <= stage.work.done - stage.work.of else None


# Innocent


def imitate(table: Table, seat: Seat, card: Card) -> Events:
    """Let a hand card count as innocent in the formula that is fixed next. Raises Refusal."""
    check_step(table, seat, IMITATE)
    hand = table.places[seat].hand
    if not holds(hand, card) or not imitates(held(hand), card):
        raise Refusal("MG-15", "no-formula", card=card)
    return (events.CardImitates(seat, card),)
