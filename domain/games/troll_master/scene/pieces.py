"""Cards and actions with all that is printed on them. Equal pieces are made once, for all tables."""

from __future__ import annotations

from functools import lru_cache

from domain.game import Lang, Seat
from domain.games.troll_master.components import CARD_MANA, Kind, Magic
from domain.games.troll_master.printed import Face
from domain.games.troll_master.scene import ids
from domain.games.troll_master.scene.palette import CHIP, MANA, emblem_of, tone_of, tone_of_seat
from domain.games.troll_master.text.describe import WORDS, abilities_text, amount, card_name, does
from domain.games.troll_master.view import ActionView
from domain.scene import Face as Side
from domain.scene import Fact, Look, Mark, Piece
from domain.scene import Kind as Sort
from domain.texts import Words, seat_name, sentence


@lru_cache(maxsize=4096)
def magic(lang: Lang, at: str, card: Magic, marks: tuple[Mark, ...] = ()) -> Piece:
    """Return a face-up magic card."""
    name = WORDS[lang][f"magic-{card}"]
    return Piece(at, Sort.CARD, name, name, tone=card.value, marks=marks)


def back(words: Words, at: str, count: int = 1, name: str = "back") -> Piece:
    """Return face-down magic cards."""
    return Piece(at, Sort.CARD, "", words[f"scene-{name}"], face=Side.DOWN, count=count)


@lru_cache(maxsize=4096)
def familiar(lang: Lang, at: str, card: Face, charges: int, count: int = 1) -> Piece:
    """Return a familiar's card, with the charges on it and the ribbons that hold them."""
    words = WORDS[lang]
    facts = (("cost", card.cost, MANA), ("power", card.power, Magic.WAND.value), ("points", card.points, CHIP))
    holds = amount(words, "of-ribbons", card.ribbons, charges=charges)
    token = Piece(f"{at}/charges", Sort.TOKEN, f"{charges}/{card.ribbons}", holds, tone=MANA)
    return Piece(
        at,
        Sort.CARD,
        str(card.cost),
        card_name(words, card.name),
        text=abilities_text(words, card.abilities),
        tone=tone_of(card),
        count=count,
        facts=tuple(Fact(words[f"scene-{name}"], str(number), tone) for name, number, tone in facts),
        on=(token,) if card.ribbons else (),
        emblem=emblem_of(card),
    )


@lru_cache(maxsize=4096)
def action(lang: Lang, shown: ActionView, *, is_done_now: bool) -> Piece:
    """Return an action of the workshop row, with the pawn on it."""
    words = WORDS[lang]
    cost = Fact(words[f"needed-{shown.icon}"], str(shown.cost), shown.icon.value)
    sign = "−" if shown.kind is Kind.SUMMON else "+"
    tone = {Kind.DIVINATION: CHIP, Kind.ATTACK: Magic.WAND.value}.get(shown.kind, MANA)
    added = Fact(words[f"added-{shown.kind}"], f"{sign}{shown.value}", tone)
    at = ids.action(shown.number)
    rule = sentence(words[f"rule-{shown.kind}"].format(does=does(words, shown.kind, shown.value)))
    cards, mana = amount(words, shown.icon.value, shown.cost), amount(words, "mana", CARD_MANA)
    return Piece(
        at,
        Sort.TILE,
        str(shown.number),
        words["scene-action"].format(number=shown.number, kind=words[f"kind-{shown.kind}"]),
        text=words["gap"].join((rule, words["scene-cost-of-it"].format(cards=cards, mana=mana))),
        tone=shown.icon.value,
        facts=(added, cost) if shown.value else (cost,),
        marks=(Mark(Look.BRIGHT, words["scene-doing"]),) if is_done_now else (),
        on=tuple(
            pawn(f"{at}/pawn", seat, words["scene-pawn"].format(seat=seat_name(words, seat))) for seat in shown.pawn
        ),
    )


def pawn(at: str, seat: Seat, title: str) -> Piece:
    """Return a seat's pawn."""
    return Piece(at, Sort.PAWN, str(seat), title, tone=tone_of_seat(seat))
