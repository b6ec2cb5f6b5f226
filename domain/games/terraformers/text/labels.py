"""Each legal move in its position, for the seat that may make it and sees only this line."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from domain.game import EventBuffer, Lang, Seat
from domain.games.terraformers import moves
from domain.games.terraformers.abilities import Amount, AnyEffect, Clings, Copies, Happens, MarkStars, Of, When
from domain.games.terraformers.components import Name
from domain.games.terraformers.events import AbilityCopied, CardChosen, SpeciesChosen, SpeciesPutBack
from domain.games.terraformers.evolve import evolve
from domain.games.terraformers.moves import TerraformersMove
from domain.games.terraformers.pack import Card
from domain.games.terraformers.rules.actions import PUT_BACK_PRICE, take_species, use_card
from domain.games.terraformers.rules.cards import Buffer
from domain.games.terraformers.rules.choosing import least_tips
from domain.games.terraformers.rules.scoring import oxygen_of
from domain.games.terraformers.state import BOX_TIPS, CARD_TIPS, Table, ability_of, holder_of, spot_of
from domain.games.terraformers.text.boxes import base_for, choose_box, place_on_box
from domain.games.terraformers.text.cards import card_text, compare_text
from domain.games.terraformers.text.describe import WORDS, card_name, counted, or_more, out_of_hand
from domain.games.terraformers.text.outcomes import outcome
from domain.texts import Words, listed, seat_name


def label(seen: Table, seat: Seat, move: TerraformersMove, lang: Lang) -> str:
    """Return what the move costs, brings and rules out, as one line in the language."""
    words = WORDS[lang]
    match move:
        case moves.UseBox(box=box):
            return choose_box(words, seen, seat, box)
        case moves.UseCard(card=card):
            return _use_card(words, seen, seat, card, ())
        case moves.UseCardOn(card=card, other=other):
            return _use_card(words, seen, seat, card, (other,))
        case moves.Acquire(card=card):
            return _acquire(words, seen, seat, card)
        case moves.Guard(card=card):
            price = _price(words, _species_chosen(seen, seat, card), seat)
            return words["label-guard"].format(card=card_name(words, card), price=price)
        case moves.Place(tips=tips):
            return _place(words, seen, seat, tips)
        case moves.PutBack():
            return _put_back(words, seen, seat)
        case moves.Copy(card=card):
            return _copy(words, seen, seat, card)
        case moves.Pass():
            return _pass(words, seen, seat)
        case _:
            assert_never(move)


def _own(table: Table, seat: Seat) -> Name:
    """Return the seat's species."""
    return table.planet[table.players[seat].species[0]].name


def _card(table: Table, name: Name) -> Card:
    """Return the card as the pack prints it."""
    return next(card for card in table.terms.pack.cards if card.name == name.name)


def _text(words: Words, card: Card, effects: tuple[AnyEffect, ...]) -> str:
    """Return the print in short, as it comes after a colon."""
    text = card_text(card.kind, effects, words.lang, is_brief=True).rstrip(".。")
    return text[:1].lower() + text[1:]


def _species_chosen(table: Table, seat: Seat, card: Name) -> Table:
    """Return the table after the seat has chosen the species, to acquire or guard it."""
    return evolve(table, SpeciesChosen(seat, card, holder_of(table, spot_of(table, card))))


def _price(words: Words, table: Table, seat: Seat) -> str:
    """Return the tips that the choice costs. Rule: TF-10, TF-19, TF-20."""
    player = table.players[seat]
    return or_more(words, least_tips(table, player), player.hand)


def _use_card(words: Words, table: Table, seat: Seat, card: Name, against: tuple[Seat, ...]) -> str:
    """Return what the fewest tips bring, and what all of them bring if that differs. Rule: TF-19, TF-41."""
    chosen, player = evolve(table, CardChosen(seat, card, against)), table.players[seat]
    least, hand = least_tips(chosen, player), player.hand
    brings, brings_all = (_used(words, chosen, seat, tips) for tips in (least, hand))
    text = words["label-use-card-on" if against else "label-use-card"].format(
        card=card_name(words, card),
        other="".join(seat_name(words, other) for other in against),
        price=_price(words, chosen, seat),
        brings=brings,
    )
    if brings_all != brings:
        text += words["label-with-all"].format(tips=out_of_hand(words, hand, hand), brings=brings_all)
    return text + _stars(words, chosen)


def _buffered(table: Table) -> Buffer:
    return EventBuffer(evolve, table)


def _used(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Return what so many tips on the chosen box card bring."""
    buffer = _buffered(table)
    use_card(buffer, seat, tips, base_for(table, seat) + tips)
    return outcome(words, buffer.events, seat) or words["label-nothing"]


def _stars(words: Words, table: Table) -> str:
    """Return what stars are for at this table, if the chosen box card marks one. Rule: TF-25, TF-27."""
    if not any(isinstance(effect, MarkStars) for effect in table.planet[table.turn.at].used):
        return ""
    compared = (compare for laid in table.planet for compare in laid.compares if compare.of is Of.STARS)
    cards = (_card(table, laid.name) for laid in table.planet)
    counting = [card_name(words, Name(card.name, card.ja)) for card in cards if any(map(_counts_stars, card.effects))]
    text = "".join(words["label-stars-compared"].format(compare=compare_text(words, compare)) for compare in compared)
    return text + (words["label-stars-counted"].format(cards=listed(words, counting)) if counting else "")


def _counts_stars(effect: AnyEffect) -> bool:
    amount = getattr(effect, "amount", None)
    return isinstance(amount, Amount) and amount.of is Of.STARS


def _power(words: Words, before: Table, after: Table, seat: Seat) -> str:
    """Return that power before any tip falls, if it does when a species comes or goes. Rule: TF-10, TF-30, TF-31."""
    was, will_be = (base_for(table, seat) for table in (before, after))
    return words["label-power-falls"].format(before=was, after=will_be) if will_be < was else ""


def _taken(table: Table, seat: Seat, tips: int) -> Buffer:
    """Return the events of so many tips on the species that was chosen to be acquired. Rule: TF-20."""
    buffer = _buffered(table)
    take_species(buffer, seat, tips, base_for(table, seat) + tips)
    return buffer


def _put_back(words: Words, table: Table, seat: Seat) -> str:
    """Rule: TF-23."""
    card = _own(table, seat)
    text = words["label-put-back"].format(card=card_name(words, card), tips=counted(words["tips"], PUT_BACK_PRICE))
    return text + _power(words, table, evolve(table, SpeciesPutBack(seat, card, PUT_BACK_PRICE)), seat)


def _acquire(words: Words, table: Table, seat: Seat, name: Name) -> str:
    """Rule: TF-20, TF-21."""
    chosen, card = _species_chosen(table, seat, name), _card(table, name)
    holders = holder_of(table, spot_of(table, name))
    text = words["label-acquire-from" if holders else "label-acquire"].format(
        card=card_name(words, name),
        other="".join(seat_name(words, holder) for holder in holders),
        price=_price(words, chosen, seat),
        gives_up=_gives_up(words, table, seat),
        text=_text(words, card, card.effects),
    )
    least = least_tips(chosen, table.players[seat])
    return text + _power(words, table, _taken(chosen, seat, least).state, seat)


def _gives_up(words: Words, table: Table, seat: Seat) -> str:
    """Return the species that goes back to the table when another is acquired. Rule: TF-21."""
    if not table.players[seat].species:
        return ""
    return words["label-gives-up"].format(card=card_name(words, _own(table, seat)))


def _copy(words: Words, table: Table, seat: Seat, name: Name) -> str:
    """Return what is gained from the named species. If that takes the last tip, only passing is left.

    Rule:    TF-37, TF-38.
    """
    player, card = table.players[seat], _card(table, name)
    price = ability_of(table, player).copy_price
    gained = tuple(effect for effect in card.effects if _is_copied(effect))
    text = words["label-copy"].format(
        card=card_name(words, name),
        own=card_name(words, _own(table, seat)),
        tips=out_of_hand(words, price, player.hand),
        text=_text(words, card, gained) if gained else words["label-copies-nothing"],
    )
    after = evolve(table, AbilityCopied(seat, _own(table, seat), name, price))
    return text + _power(words, table, after, seat) + (words["label-only-pass"] if price == player.hand else "")


def _is_copied(effect: AnyEffect) -> bool:
    """Rule: TF-38."""
    if isinstance(effect, Happens):
        return effect.when is When.TURN_START
    return not isinstance(effect, Clings | Copies)


def _pass(words: Words, table: Table, seat: Seat) -> str:
    """Return what a pass leaves undone. Rule: TF-9, TF-16, TF-24."""
    player = table.players[seat]
    parts = []
    if player.hand:
        parts.append(counted(words["label-pass-tips"], player.hand))
    oxygen = oxygen_of(table, seat)
    if not oxygen.succeeds:
        parts.append(words["label-pass-oxygen"].format(points=counted(words["points"], -oxygen.points)))
    if all(rival.has_passed for other, rival in enumerate(table.players) if other != seat):
        parts.append(words["label-pass-last"])
    then = words["label-pass-then"].format(then=words["label-join"].join(parts)) if parts else ""
    return words["label-pass"].format(then=then)


def _place(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Rule: TF-10, TF-13, TF-19, TF-20, TF-22."""
    phase, player = table.turn.phase, table.players[seat]
    if phase is BOX_TIPS:
        return place_on_box(words, table, seat, tips)
    if phase is CARD_TIPS:
        return _place_on_card(words, table, seat, tips)
    placed = out_of_hand(words, tips, player.hand)
    spot = table.turn.at
    card = card_name(words, table.planet[spot].name)
    if spot in player.species:
        return words["label-place-guard"].format(card=card, tips=placed, spare=_spare(words, table, seat, tips))
    buffer = _taken(table, seat, tips)
    brings = outcome(words, buffer.events, seat)
    spare = _spare(words, table, seat, tips, lambda few: outcome(words, _taken(table, seat, few).events, seat))
    holders = holder_of(table, spot)
    text = words["label-place-acquire-from" if holders else "label-place-acquire"].format(
        card=card,
        other="".join(seat_name(words, holder) for holder in holders),
        tips=placed,
        spare=spare,
        gives_up=_gives_up(words, table, seat),
        brings=words["label-place-brings"].format(brings=brings) if brings else "",
    )
    return text + _power(words, table, buffer.state, seat)


def _spare(words: Words, table: Table, seat: Seat, tips: int, brings: Callable[[int], str] = lambda _: "") -> str:
    """Return how many of the tips could stay in hand, since fewer would bring the same."""
    least, wanted = least_tips(table, table.players[seat]), brings(tips)
    fewest = next(few for few in range(least, tips + 1) if brings(few) == wanted)
    return words["label-spare"].format(n=tips - fewest) if tips > fewest else ""


def _place_on_card(words: Words, table: Table, seat: Seat, tips: int) -> str:
    """Return what the tips bring. Rule: TF-19, TF-41."""
    player, against = table.players[seat], table.turn.against
    brings = _used(words, table, seat, tips)
    spare = _spare(words, table, seat, tips, lambda few: _used(words, table, seat, few))
    text = words["label-place-card-on" if against else "label-place-card"].format(
        card=card_name(words, table.planet[table.turn.at].name),
        tips=out_of_hand(words, tips, player.hand),
        spare="" if brings == words["label-nothing"] else spare,
        other="".join(seat_name(words, other) for other in against),
        brings=brings,
    )
    return text + _stars(words, table)
