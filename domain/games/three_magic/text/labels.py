"""Each legal move in its position, as a line for the seat that may make it."""

from __future__ import annotations

from typing import assert_never

from domain.game import Lang, Seat
from domain.games.three_magic import moves
from domain.games.three_magic.components import KINDS, SEATS
from domain.games.three_magic.rules.claims import discard_claimed, is_won_with, pledged, waits
from domain.games.three_magic.rules.scoring import Measure, best_win, counted_on_ron, counted_on_tsumo
from domain.games.three_magic.state import NEXT_SEAT, Table
from domain.games.three_magic.text.describe import WORDS, card_name, faces_waited_for, spell_name
from domain.secrecy import known
from domain.texts import Words, seat_name, seat_names, sentence


def label(seen: Table, seat: Seat, move: moves.ThreeMagicMove, lang: Lang) -> str:
    """Return the move as a line that is enough by itself: which card, what it costs, what it brings, what it rules out.

    Shape:   `seen` has the hand of the seat, and the move is legal for it.
    """
    words = WORDS[lang]
    match move:
        case moves.Insert(at=at):
            return sentence(_insert(words, seen, seat, at))
        case moves.Discard():
            return _discard(words, seen, seat, move)
        case moves.DiscardDrawn():
            return words["label-discard-drawn"].format(card=_drawn(words, seen))
        case moves.Tsumo():
            return _tsumo(words, seen, seat)
        case moves.Ron() | moves.Pledge() | moves.Pass():
            return sentence(_claim(words, seen, seat, move))
        case _:
            assert_never(move)


def _drawn(words: Words, seen: Table) -> str:
    return card_name(words, seen.deal.drawn[0])


def _insert(words: Words, seen: Table, seat: Seat, at: int) -> str:
    """Return where the drawn card goes: by its number from 1 or the end of the hand, with its neighbours there.

    Rule:    3M-6.
    """
    hand = seen.deal.places[seat].hand
    left, right = (card_name(words, hand[i]) if 0 <= i < len(hand) else "" for i in (at - 1, at))
    place = "between" if left and right else "left" if right else "right"
    return words[f"label-insert-{place}"].format(card=_drawn(words, seen), at=at + 1, left=left, right=right)


def _discard(words: Words, seen: Table, seat: Seat, move: moves.Discard) -> str:
    """Return the card, and what the hand that is left waits for, if it is ready. Rule: 3M-9, 3M-19, 3M-20."""
    deal = seen.deal
    hand = known(deal.places[seat].hand)
    text = words["label-discard-inserted" if deal.inserted == (move.at,) else "label-discard"]
    line = text.format(card=card_name(words, hand[move.at]), at=move.at + 1)
    waiting = waits(hand[: move.at] + hand[move.at + 1 :])
    if not waiting:
        return line + words["label-plain"]
    faces = faces_waited_for(words, (face for face in range(KINDS // 2) if waiting >> face & 1))
    more = words["label-reach" if move.reach else "label-ready"]
    return line + more.format(waits=faces, od=seen.terms.pack.prices.reach)


def _tsumo(words: Words, seen: Table, seat: Seat) -> str:
    """Return the card that was drawn, and what the others pay. Rule: 3M-10, 3M-27."""
    card = known(seen.deal.drawn)[0]
    measure = best_win(seen, seat, card, counted_on_tsumo(seen, seat)).measure
    payers = seat_names(words, (other for other in range(SEATS) if other != seat))
    pay = words["label-halves"].format(payers=payers, half=measure.total // 2)
    return words["label-tsumo"].format(card=card_name(words, card)) + _gains(words, seen, seat, measure, pay)


def _gains(words: Words, seen: Table, seat: Seat, measure: Measure, pay: str) -> str:
    """Return what a win brings: the pay, the od before the players, the ley line. Rule: 3M-22, 3M-28, 3M-31."""
    if not measure.base:
        return words["label-pays-nothing"]
    place = seen.deal.places[seat]
    laid = sum(other.laid for other in seen.deal.places) if place.in_reach else 0
    ley_line = 0 if place.pledges else seen.ley_line
    more = ((laid, words["label-laid"]), (ley_line, words["label-ley-line"]))
    return pay + "".join(text.format(od=od) for od, text in more if od)


def _claim(words: Words, seen: Table, seat: Seat, move: moves.Ron | moves.Pledge | moves.Pass) -> str:
    """Return an answer to the discard. Rule: 3M-11, 3M-12."""
    discarder, card = discard_claimed(seen)
    whose = {"discarder": seat_name(words, discarder), "card": card_name(words, card)}
    match move:
        case moves.Ron():
            measure = best_win(seen, seat, card, counted_on_ron(seen, discarder)).measure
            pay = words["label-whole"].format(payers=whose["discarder"], od=measure.total)
            first = NEXT_SEAT[discarder]
            outranked = "" if first == seat else words["label-outranked"].format(seat=seat_name(words, first))
            return words["label-ron"].format(**whose) + _gains(words, seen, seat, measure, pay) + outranked
        case moves.Pledge():
            return _pledge(words, seen, seat, move, whose)
        case moves.Pass():
            wins = is_won_with(known(seen.deal.places[seat].hand), card)
            return words["label-pass-ron" if wins else "label-pass"].format(**whose)
        case _:
            assert_never(move)


def _pledge(words: Words, seen: Table, seat: Seat, move: moves.Pledge, whose: dict[str, str]) -> str:
    """Return the two cards with their numbers from 1, the call, the price, and what the pledge rules out.

    Rule:    3M-13 to 3M-17.
    """
    event = pledged(seen, seat, move)
    text = words["label-pledge"].format(
        pair=spell_name(words, event.pair),
        first=event.first + 1,
        second=event.second + 1,
        call=words[f"call-{event.call}"],
        od=event.od,
        **whose,
    )
    made = seen.deal.places[seat].pledges
    return text + words["label-second-pledge" if made else "label-first-pledge"]
