"""Each legal move in its position: what it costs, what it brings and what it rules out.

A label reads only what its seat may see: what is open, and the seat's own cards and stones.
"""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang, Seat
from domain.games.ttmp import events, moves
from domain.games.ttmp.components import ROUNDS, STONE, TURNS, Card, Dice, is_triple, without
from domain.games.ttmp.evolve import evolve
from domain.games.ttmp.moves import TtmpMove
from domain.games.ttmp.rules.drawing import drawable, may_draw_card, may_draw_stone
from domain.games.ttmp.state import ACTION, LIMIT, A, Table, changed, held, is_full, next_in
from domain.games.ttmp.text.cards import effect_text
from domain.games.ttmp.text.describe import WORDS, card_name, counted, dice_names, dice_shown
from domain.texts import Words, seat_name

Said = tuple[str, ...]
"""A line, and notes on it; those that do not apply are empty."""


def label(table: Table, seat: Seat, move: TtmpMove, lang: Lang) -> str:
    """Return a legal move of the seat as one line, for that seat."""
    words = WORDS[lang]
    return words["semicolon"].join(filter(None, _say(words, table, seat, move)))


def _say(words: Words, table: Table, seat: Seat, move: TtmpMove) -> Said:
    match move:
        case moves.Use():
            return _use(words, table, move)
        case moves.Roll(dice=dice):
            return _roll(words, table, seat, dice)
        case moves.KeepDice():
            return _keep(words, table, seat)
        case moves.DrawCard(level=level):
            return _draw_card(words, table, seat, level)
        case moves.DrawStone() | moves.TakeStone():
            return _draw_stone(words, table, seat, move)
        case moves.Discard(card=card):
            return (_discard(words, table, seat, card),)
        case moves.Reroll(die=die):
            return _end_turn(words, table, die)
        case moves.LeaveDice():
            return _end_turn(words, table, None)
        case moves.Stock(card=card):
            assert card is not None, "a seat is offered its own cards only, which it knows"
            return (words[_stock(table, seat)].format(**_card(words, table, card)),)
        case moves.StockNothing():
            return (words["label-stock-nothing"],)
        case moves.MixWith(seat=other):
            count = len(table.places[other].stones)
            stones = counted(words, "stones", count)
            return (words["label-mix"].format(seat=seat_name(words, other), stones=stones, all=count + 1),)
        case moves.MixWithDeck():
            count = len(table.stones)
            return (words["label-mix-deck"].format(stones=counted(words, "stones", count), all=count + 1),)
        case _:
            assert_never(move)


def _card(words: Words, table: Table, card: Card) -> dict[str, str]:
    """Return a magic card by its name, and what it does."""
    effect = effect_text(table.terms.printed.kinds[card.number].effect, words).rstrip(".。")
    return {"card": card_name(words, card), "effect": effect[:1].lower() + effect[1:]}


def _use(words: Words, table: Table, move: moves.Use) -> Said:
    """Return the use of a card. After a roll under A, no magic card may be drawn once one was used.

    Rule:    TT-7 to TT-9.
    """
    card, old = card_name(words, move.card), dice_names(words, move.dice)
    bars = table.stage.action is A and may_draw_card(table)
    if not move.to:
        kept = without(table.dice, move.dice)
        line = words["label-use-to-roll" if kept else "label-use-to-roll-all"]
        return line.format(card=card, old=old, kept=dice_names(words, kept)), words["label-no-card"] if bars else ""
    dice = changed(table.dice, move.dice, move.to)
    line = words["label-use" if len(move.dice) == 1 else "label-use-on-all"]
    text = line.format(card=card, old=old, new=dice_names(words, move.to), shown=dice_shown(words, dice))
    if is_triple(dice):
        note = "stone-later" if table.stage.step is ACTION else "stone-only" if bars else "stone"
        return text, words[f"label-{note}"]
    return text, words["label-no-card"] if bars else ""


def _roll(words: Words, table: Table, seat: Seat, some: Dice) -> Said:
    """Return dice action A or B. Rule: TT-8."""
    kept = without(table.dice, some)
    text = words[f"label-roll-{len(some)}"].format(some=dice_names(words, some), kept=dice_names(words, kept))
    action = "a" if len(some) > 1 else "b"
    return text, words[f"label-after-{action}" if held(table.places[seat]) else f"label-after-{action}-none"]


def _keep(words: Words, table: Table, seat: Seat) -> Said:
    """Return dice action C, with what the dice allow to draw. Rule: TT-8, TT-10."""
    after = evolve(table, events.DiceKept(seat, table.dice))
    draws = [_drawn(words, level) for level in drawable(after)]
    if may_draw_stone(after):
        draws.insert(0, _drawn(words, STONE))
    if draws:
        note = words["label-may-only-draw" if held(table.places[seat]) else "label-may-draw"]
    else:
        note = words["label-no-draw-no-use" if held(table.places[seat]) else "label-no-draw"]
    return words["label-keep"].format(shown=dice_shown(words, table.dice)), note.format(
        draws=words["print-or"].join(draws)
    )


def _drawn(words: Words, level: int) -> str:
    """Return what is drawn, by its level."""
    return words["label-a-stone"] if level == STONE else words["level"].format(level=level)


def _draw_card(words: Words, table: Table, seat: Seat, level: int) -> Said:
    """Return what the dice are, and whether a card is discarded or the deck is refilled for the draw.

    Rule:    TT-2, TT-10, TT-14.
    """
    return (
        words["label-draw"].format(level=level, shown=dice_shown(words, table.dice)),
        words["label-full"] if is_full(table, table.places[seat]) else "",
        words["label-refill"] if not table.decks[level - 1].cards else "",
    )


def _draw_stone(words: Words, table: Table, seat: Seat, move: moves.DrawStone | moves.TakeStone) -> Said:
    """Return where the stone comes from, whether a card is discarded for it, and what follows.

    Rule:    TT-2, TT-9, TT-10, TT-23.
    """
    shown = dice_shown(words, table.dice)
    if isinstance(move, moves.TakeStone):
        count = len(table.places[move.seat].stones)
        stones = counted(words, "stones", count)
        text = words["label-take-stone" if count > 1 else "label-take-only-stone"].format(
            seat=seat_name(words, move.seat), stones=stones, shown=shown
        )
    else:
        text = words["label-draw-stone"].format(shown=shown)
    return text, words["label-full"] if is_full(table, table.places[seat]) else "", _after_stone(words, table, seat)


def _after_stone(words: Words, table: Table, seat: Seat) -> str:
    """Return what follows when the seat draws a stone. Rule: TT-3, TT-12 to TT-14, TT-21, TT-23."""
    terms, own = table.terms, table.places[seat].stones
    if terms.goal:
        points = counted(words, "points", sum(filter(None, own)))
        line = words["label-towards-goal-last" if table.round == ROUNDS else "label-towards-goal"]
        return line.format(points=points, goal=terms.goal)
    leaves = len(own) + 1 == terms.limit
    if len(table.stones) == 1 or table.round == ROUNDS or (leaves and len(table.places) == 2):
        return words["label-final"]
    if leaves:
        return words["label-exam-left"]
    return words["label-round-ends-kindly" if terms.is_kind else "label-round-ends"]


def _discard(words: Words, table: Table, seat: Seat, card: Card) -> str:
    """Return what the card is, and for what it is discarded. Rule: TT-2, TT-12."""
    named = _card(words, table, card)
    if table.stage.step is not LIMIT:
        return words["label-discard-for"].format(**named, draws=_drawn(words, table.stage.level))
    place, limit = table.places[seat], table.terms.limit
    return words["label-discard"].format(**named, over=len(place.stones) + held(place) - limit, limit=limit)


def _stock(table: Table, seat: Seat) -> str:
    """Return the key of the line that says when a stocked card comes back. Rule: TT-3, TT-11, TT-13, TT-14, TT-23."""
    if table.round == ROUNDS:
        return "label-stock-in-vain"
    if len(table.stones) == 1 and not table.terms.goal:
        return "label-stock-last-stone"
    leaving = [len(place.stones) + 1 == table.terms.limit for place in table.places]
    may_end = table.terms.goal or leaving[seat] or (len(leaving) == 2 and any(leaving))
    return "label-stock-unless" if may_end else "label-stock"


def _end_turn(words: Words, table: Table, die: int | None) -> Said:
    """Return the turn change, with a die rolled again or none, the draw that is given up, and the end of all rounds.

    Rule:    TT-9 to TT-11, TT-14, TT-23.
    """
    dice, stage = table.dice, table.stage
    way = "leave" if die is None else "reroll"
    text = words[f"label-{way}" if stage.turn < TURNS else f"label-{way}-last"].format(
        die=die,
        kept="" if die is None else dice_names(words, without(dice, (die,))),
        shown=dice_shown(words, dice),
        next=seat_name(words, next_in(table, stage.seat)),
    )
    is_last = stage.turn == TURNS and table.round == ROUNDS
    end = words["label-match-ends" if table.terms.goal else "label-final"] if is_last else ""
    if may_draw_stone(table):
        return text, words["label-forgo-stone"], end
    return text, words["label-forgo-card"] if drawable(table) else "", end
