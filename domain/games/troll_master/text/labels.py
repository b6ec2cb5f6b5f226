"""Each legal move in its position, as a line for the seat that may make it."""

from __future__ import annotations

from functools import reduce
from typing import assert_never

from domain.game import Lang, Seat
from domain.games.troll_master import moves
from domain.games.troll_master.abilities import Chain, Reduce, Strengthen, Timing
from domain.games.troll_master.components import CARD_MANA, HOME, PASS_MANA, SUCCESS_CHIPS, Kind
from domain.games.troll_master.events import FamiliarCharged
from domain.games.troll_master.evolve import evolve
from domain.games.troll_master.printed import Space
from domain.games.troll_master.rules.abilities import fire, payable
from domain.games.troll_master.rules.actions import act, count, targets
from domain.games.troll_master.rules.attacking import ask
from domain.games.troll_master.rules.summoning import acquisition, uncovered
from domain.games.troll_master.state import Place, Stage, Step, Table, points, power
from domain.games.troll_master.text.describe import (
    WORDS,
    abilities_in_short,
    amount,
    card_name,
    does,
    effect,
    magic_names,
    needs,
)
from domain.secrecy import known
from domain.texts import Words, figure, listed, seat_name


def label(seen: Table, seat: Seat, move: moves.TrollMasterMove, lang: Lang) -> str:
    """Return the legal move as a line without a full stop: what it takes, what it costs, what it brings."""
    words = WORDS[lang]
    match move:
        case moves.Draw():
            return words["label-draw"]
        case moves.Discard():
            return _discard(words, seen.places[seat], move)
        case moves.Reveal():
            return _reveal(words, seen, seen.places[seat], move)
        case moves.Pass():
            return _pass(words, seen, seen.places[seat])
        case moves.Act():
            return _act(words, seen, seat)
        case moves.Use():
            return _use(words, seen, seat, move)
        case moves.Summon() | moves.Train():
            return _acquire(words, seen, seat, move)
        case moves.Charge():
            return _charge(words, seen, seat, move)
        case moves.Attack():
            return _attack(words, seen, seat)
        case moves.Answer():
            return _answer(words, seen, seat)
        case moves.ChainTo():
            return _chain_to(words, seen, move)
        case moves.Done():
            return _done(words, seen.stage, seen.places[seat])
        case _:
            assert_never(move)


def _does(words: Words, space: Space) -> str:
    return does(words, space.kind, space.value)


def _paid(words: Words, price: int, mana: int) -> str:
    """Return a price in mana, beside the mana that the seat has."""
    if not price:
        return amount(words, "mana", 0)
    return amount(words, "all-mana", mana) if price == mana else words["label-of-mana"].format(price=price, mana=mana)


def _discard(words: Words, place: Place, move: moves.Discard) -> str:
    kept = list(known(place.hand))
    is_drawn = kept[-1] is move.card
    kept.remove(move.card)
    text = words["label-discard-drawn" if is_drawn else "label-discard"]
    return text.format(card=words[f"magic-{move.card}"], hand=magic_names(words, kept))


def _reveal(words: Words, seen: Table, place: Place, move: moves.Reveal) -> str:
    space = seen.terms.printed.row[move.action]
    found = count((*seen.cards.open, move.card), space.icon)
    return words["label-place" if place.pawn == HOME else "label-move"].format(
        card=words[f"magic-{move.card}"],
        pawn=place.pawn,
        action=move.action,
        does=_does(words, space),
        cards=amount(words, space.icon.value, space.cost),
        found=found,
    )


def _pass(words: Words, seen: Table, place: Place) -> str:
    mana = amount(words, "mana", PASS_MANA)
    if seen.stage.step is Step.BROOM:
        return words["label-leave-broom"].format(hand=magic_names(words, place.hand))
    if place.pawn == HOME:
        return words["label-out"].format(mana=mana)
    text = words["label-pass-action" if seen.stage.step is Step.ACT else "label-pass"]
    return text.format(action=place.pawn, does=_does(words, seen.terms.printed.row[place.pawn]), mana=mana)


def _act(words: Words, seen: Table, seat: Seat) -> str:
    stage, place = seen.stage, seen.places[seat]
    space = seen.terms.printed.row[stage.action]
    fired = [
        words["label-fires"].format(
            familiar=card_name(words, event.familiar), ability=effect(words, event.ability, is_short=True)
        )
        for event in fire(place, seat, space.timing)
    ]
    text = words["label-act-for-mana" if stage.price else "label-act"].format(
        action=stage.action,
        does=_does(words, space),
        paid=_paid(words, stage.price, place.mana),
        missing=stage.price // CARD_MANA,
        cards=amount(words, space.icon.value, space.cost),
    )
    return text + "".join(fired) + (_attacks(words, seen, seat) if space.kind is Kind.ATTACK else "")


def _attacks(words: Words, seen: Table, seat: Seat) -> str:
    """Return the strength of the attack by itself, whether the seat could pay for more, and the defences that it meets.

    Rule:    TM-27.
    """
    begun = reduce(evolve, act(seen, seat), seen)
    text = words["label-attacks-or-more" if _can_strengthen(begun, seat, Timing.ATTACK) else "label-attacks"]
    return text.format(strength=power(begun.places[seat]) + begun.stage.bonus, defences=_defences(words, begun, seat))


def _can_strengthen(table: Table, seat: Seat, at: Timing) -> bool:
    return any(isinstance(use.ability, Strengthen) for use in payable(table.places[seat], at))


def _use(words: Words, seen: Table, seat: Seat, move: moves.Use) -> str:
    stage, ability, place = seen.stage, move.ability, seen.places[seat]
    done = effect(words, ability)
    match ability:
        case Reduce(mana=more):
            done += words["label-less-in-all"].format(number=stage.bonus + more)
        case Strengthen(power=more):
            text = words["label-defend-with" if stage.step is Step.DEFENCE else "label-attack-with"]
            done += text.format(power=power(place) + stage.bonus + more, strength=stage.strength)
        case Chain(to=to):
            numbers = [str(target.action) for target in targets(seen, to)]
            done += words["label-chain-on"].format(actions=listed(words, numbers, "or"))
        case _:
            pass
    if stage.is_charging and not stage.is_charged and stage.step is Step.BREW:
        done += words["label-no-more-charges"]
    charges = uncovered(place, move.familiar).charges
    if not ability.cost:
        text = words["label-use"]
    else:
        text = words["label-use-all" if ability.cost == charges else "label-use-some"]
    return text.format(
        familiar=card_name(words, move.familiar),
        cost=ability.cost,
        charges=charges,
        all=amount(words, "all-charges", charges),
        ability=done,
    )


def _acquire(words: Words, seen: Table, seat: Seat, move: moves.Summon | moves.Train) -> str:
    place, acquired = seen.places[seat], acquisition(seen, seat, move)
    after = evolve(seen, acquired).places[seat]
    card = uncovered(after, move.familiar).card
    own = card_name(words, move.own) if isinstance(move, moves.Train) else ""
    text = words["label-train" if own else "label-summon"].format(
        own=own,
        familiar=card_name(words, move.familiar),
        paid=_paid(words, acquired.mana, place.mana),
    )
    brings = [
        _more(words, what, change)
        for what, change in (
            ("more-points", points(after) - points(place)),
            ("more-power", power(after) - power(place)),
        )
        if change
    ]
    if acquired.charges:
        brings.append(amount(words, "charges-on-it", acquired.charges))
    if isinstance(move, moves.Train) and (lost := uncovered(place, move.own).charges):
        brings.append(amount(words, "also-lost" if acquired.charges else "charges-lost", lost))
    parts = [words["comma"].join(brings), abilities_in_short(words, card.face.abilities)]
    text = words["label-brings"].join([text, words["label-can"].join(filter(None, parts))]) if any(parts) else text
    return text + _lost(words, place, move)


def _lost(words: Words, place: Place, move: moves.Summon | moves.Train) -> str:
    """Return the abilities that are lost when their card is covered. Rule: TM-25."""
    if not isinstance(move, moves.Train):
        return ""
    abilities = uncovered(place, move.own).card.face.abilities
    return words["label-loses"].format(abilities=abilities_in_short(words, abilities)) if abilities else ""


def _more(words: Words, what: str, change: int) -> str:
    """Return the change of points or power, with its sign."""
    return words[f"label-{what}"].format(change=("+" if change > 0 else "") + figure(change))


def _charge(words: Words, seen: Table, seat: Seat, move: moves.Charge) -> str:
    place = seen.places[seat]
    after = evolve(seen, FamiliarCharged(seat, move.familiar)).places[seat]
    owned = uncovered(after, move.familiar)
    text = words["label-charge"].format(
        familiar=card_name(words, move.familiar),
        paid=_paid(words, 1, place.mana),
        charges=words["count-of-ribbons"].format(charges=owned.charges, number=owned.card.ribbons),
    )
    more = points(after) - points(place)
    return text + words["comma"] + _more(words, "more-points", more) if more else text


def _attack(words: Words, seen: Table, seat: Seat) -> str:
    return words["label-attack"].format(
        strength=power(seen.places[seat]) + seen.stage.bonus, defences=_defences(words, seen, seat)
    )


def _defences(words: Words, seen: Table, attacker: Seat) -> str:
    """Return the power of all other seats, clockwise from the attacker."""
    seats = len(seen.places)
    return listed(words, [_defence(words, seen, attacker, (attacker + step) % seats) for step in range(1, seats)])


def _defence(words: Words, seen: Table, attacker: Seat, seat: Seat) -> str:
    """Return the power with which the seat will defend by itself, and whether it could pay for more.

    Rule:    TM-27, TM-37.
    """
    asked = reduce(evolve, ask(seen, seat, attacker), seen)
    place = asked.places[seat]
    text = words["label-defence-or-more" if _can_strengthen(asked, seat, Timing.DEFENCE) else "label-defence"]
    return text.format(seat=seat_name(words, seat), power=power(place) + asked.stage.bonus)


def _answer(words: Words, seen: Table, seat: Seat) -> str:
    stage = seen.stage
    defence = power(seen.places[seat]) + stage.bonus
    return words["label-lose" if stage.strength > defence else "label-hold"].format(
        defence=defence,
        strength=stage.strength,
        attacker=seat_name(words, stage.actor),
        chips=amount(words, "chips", SUCCESS_CHIPS),
    )


def _chain_to(words: Words, seen: Table, move: moves.ChainTo) -> str:
    space = seen.terms.printed.row[move.action]
    return words["label-chain"].format(
        pawn=seen.stage.action,
        action=move.action,
        does=_does(words, space),
        needs=needs(words, space.icon, space.cost, count(seen.cards.open, space.icon)),
    )


def _done(words: Words, stage: Stage, place: Place) -> str:
    name = {Step.BREW: "brewed", Step.CHAIN: "no-chain"}.get(stage.step, "done")
    if stage.step is Step.SUMMON and not stage.has_acquired:
        name = "acquire-nothing"
    return words[f"label-{name}"].format(action=stage.action, mana=amount(words, "mana", place.mana))
