"""The print of the pack, laid out to be looked at: magic cards, the workshop row, the black cat and the familiars."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.game import Lang
from domain.games.troll_master.components import COPIES, FAMILIAR_COPIES, MAGICS
from domain.games.troll_master.pack import BySeats, Pack, actions_by_seats, for_seats
from domain.games.troll_master.printed import Card, Space, printed
from domain.games.troll_master.scene import pieces
from domain.games.troll_master.text.describe import WORDS
from domain.games.troll_master.view import ActionView
from domain.scene import Piece, Zone, ZoneKind


def showcase(pack: Pack, lang: Lang) -> tuple[Zone, ...]:
    """Return the magic cards, the actions from left to right, the black cat, and all 22 familiars. Rule: TM-1, TM-3."""
    cards, words = printed(pack), WORDS[lang]
    magics = tuple(replace(pieces.magic(lang, f"printed/magics/{card.value}", card), count=COPIES) for card in MAGICS)
    row = tuple(_action(lang, space) for space in cards.row[1:])
    familiars = tuple(_familiar(lang, card, FAMILIAR_COPIES) for card in cards.familiars)
    return (
        Zone("printed/magics", ZoneKind.ROW, words["showcase-magics"], magics),
        Zone("printed/row", ZoneKind.TRACK, words["scene-row"], row),
        Zone("printed/cat", ZoneKind.ROW, words["showcase-cat"], (_familiar(lang, cards.black_cat, 1),)),
        Zone("printed/familiars", ZoneKind.ROW, words["scene-familiars"], familiars),
        *(zone for one in pack.by_seats for zone in _by_seats(pack, one, lang)),
    )


def _by_seats(pack: Pack, one: BySeats, lang: Lang) -> Iterator[Zone]:
    """Yield the actions and familiars that differ with a number of seats. Rule: TM-50."""
    found, at = printed(for_seats(pack, one.seats)), f"printed/by-seats-{one.seats}"
    if numbers := [number for number, _ in actions_by_seats(pack, one.seats)]:
        row = (replace(_action(lang, found.row[number]), id=f"{at}/row/{number}") for number in numbers)
        title = WORDS[lang]["showcase-row-by"]
        yield Zone(f"{at}/row", ZoneKind.ROW, title.format(seats=one.seats), tuple(row))
    if names := {card.name for card in one.familiars}:
        cards = (_familiar(lang, card, FAMILIAR_COPIES) for card in found.familiars if card.name.en in names)
        row = (replace(piece, id=f"{at}/familiars/{number}") for number, piece in enumerate(cards))
        title = WORDS[lang]["showcase-familiars-by"]
        yield Zone(f"{at}/familiars", ZoneKind.ROW, title.format(seats=one.seats), tuple(row))


def _action(lang: Lang, space: Space) -> Piece:
    shown = ActionView(
        number=space.number, kind=space.kind, value=space.value, cost=space.cost, icon=space.icon, pawn=()
    )
    return replace(pieces.action(lang, shown, is_done_now=False), id=f"printed/row/{space.number}")


def _familiar(lang: Lang, card: Card, count: int) -> Piece:
    """Return the card, with the charges with which it comes into play. Rule: TM-25."""
    return pieces.familiar(lang, f"printed/familiars/{card.number}", card.face, card.charges, count=count)
