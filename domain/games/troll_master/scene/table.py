"""The drawn table: the magic cards, the workshop row, the supply, then each seat's zones."""

from __future__ import annotations

from domain.game import Lang, rank
from domain.games.troll_master.components import GOAL, MAGICS, PASS_MANA, ROUNDS, Kind
from domain.games.troll_master.rules.actions import count
from domain.games.troll_master.scene import ids, pieces, places
from domain.games.troll_master.scene.abilities import usable
from domain.games.troll_master.state import Step
from domain.games.troll_master.text.describe import WORDS, ability_text, amount, card_name, does, needs, won
from domain.games.troll_master.view import ActionView, PileView, TableView
from domain.scene import Button, Piece, Scene, Score, Zone, ZoneKind
from domain.scene import Kind as Sort
from domain.texts import Words, seat_name, sentence

SAID = {
    Step.BROOM: (ids.DRAW, ids.PASS),
    Step.PLANNING: (ids.PASS,),
    Step.ACT: (ids.ACT, ids.PASS),
    Step.SUMMON: (ids.DONE,),
    Step.BREW: (ids.DONE,),
    Step.ATTACK: (ids.ATTACK,),
    Step.DEFENCE: (ids.ANSWER,),
    Step.DIVINATION: (ids.DONE,),
    Step.CHAIN: (ids.DONE,),
}
"""For each step: the buttons of moves that touch no piece."""


def scene(view: TableView, lang: Lang) -> Scene:
    """Return the whole table as the viewer sees it."""
    words = WORDS[lang]
    return Scene(
        line=sentence(_line(words, view)),
        turn=view.turn,
        zones=(
            *_doing(words, view),
            *_magics(words, view),
            _row(words, view),
            Zone(ids.SUPPLY, ZoneKind.ROW, words["scene-supply"], tuple(_pile(words, pile) for pile in view.supply)),
            *(zone for place in view.places for zone in places.zones(words, view, place)),
        ),
        scores=tuple(Score(place.seat, place.points, amount(words, "points", place.points)) for place in view.places),
        buttons=(*_buttons(words, view), *_uses(words, view)),
    )


def _line(words: Words, view: TableView) -> str:
    """Return whose turn it is and for what, or who has won."""
    if view.step is Step.OVER:
        points, mana = [place.points for place in view.places], [place.mana for place in view.places]
        ranking = rank(tuple(zip(points, mana, strict=True)))
        return words["over"].format(round=view.round, result=won(words, points, mana, ranking))
    step = words[f"step-{view.step}"]
    if view.turn:
        if _is_placing(view):
            step = words["step-placing"]
        step = words["turn"].format(seat=seat_name(words, view.turn[0]), step=step)
    head = words["last-head"] if view.round == ROUNDS else words["head"]
    return head.format(round=view.round, goal=amount(words, "points", GOAL), step=step)


def _is_placing(view: TableView) -> bool:
    """Return whether it is the planning turn of a seat whose pawn is at home. Rule: TM-14."""
    return view.step is Step.PLANNING and not any(view.places[seat].pawn for seat in view.turn)


def _at_work(words: Words, view: TableView) -> tuple[ActionView, ...]:
    """Return the action that is being done."""
    return tuple(view.row[number - 1] for number in view.action) if f"doing-{view.step}" in words else ()


def _doing(words: Words, view: TableView) -> tuple[Zone, ...]:
    """Return the zone with the state of the action that is being done; once its pawn has left, it is done."""
    return tuple(
        Zone(
            ids.DOING,
            ZoneKind.COUNTERS,
            "",
            (
                Piece(
                    f"{ids.DOING}/action",
                    Sort.MARKER,
                    str(action.number),
                    _how_it_stands(words, view, action),
                    tone=action.icon.value,
                ),
            ),
        )
        for action in _at_work(words, view)
    )


def _how_it_stands(words: Words, view: TableView, action: ActionView) -> str:
    if not action.pawn:
        return words["doing-chain"].format(action=action.number)
    acting = view.places[view.turn[0]]
    added = view.bonus if action.kind is Kind.SUMMON and view.step is Step.SUMMON else action.value
    return words[f"doing-{view.step}"].format(
        action=action.number,
        does=does(words, action.kind, added),
        needs=needs(words, action.icon, action.cost, count(view.open, action.icon)),
        seat=seat_name(words, acting.seat),
        attacker=seat_name(words, action.pawn[0]),
        strength=sum(view.strength),
        power=places.power(acting) + view.bonus,
    )


def _magics(words: Words, view: TableView) -> tuple[Zone, ...]:
    """Return the face-up cards, which count for everybody, the deck, and the discards, of which the top one is shown.

    Rule:    TM-9, TM-19.
    """
    counted = {magic.value: count(view.open, magic) for magic in MAGICS}
    top = tuple(pieces.magic(words.lang, f"{ids.DISCARDS}/top", card) for card in view.top)
    below = view.discards - len(top)
    return (
        Zone(
            ids.OPEN,
            ZoneKind.ROW,
            words["scene-open"],
            tuple(pieces.magic(words.lang, f"{ids.OPEN}/{at}", card) for at, card in enumerate(view.open)),
            text=words["scene-counted"].format(**counted) if view.open else "",
        ),
        Zone(ids.DECK, ZoneKind.PILE, words["scene-deck"], _backs(words, ids.DECK, view.deck, "back")),
        Zone(
            ids.DISCARDS,
            ZoneKind.PILE,
            words["scene-discards"],
            (*top, *_backs(words, ids.DISCARDS, below, "below")),
        ),
    )


def _backs(words: Words, at: str, number: int, name: str) -> tuple[Piece, ...]:
    return (pieces.back(words, f"{at}/{name}", number, name),) if number else ()


def _row(words: Words, view: TableView) -> Zone:
    """Return the actions from left to right. Pawns move right, and actions are done from the right.

    Rule:    TM-12, TM-20.
    """
    doing = _at_work(words, view)
    return Zone(
        ids.ROW,
        ZoneKind.TRACK,
        words["scene-row"],
        tuple(
            pieces.action(words.lang, action, is_done_now=action in doing and bool(action.pawn)) for action in view.row
        ),
    )


def _pile(words: Words, pile: PileView) -> Piece:
    """Return the copies of a familiar; an empty space if none is left."""
    name = pile.card.name
    if pile.left:
        return pieces.familiar(words.lang, ids.pile(name), pile.card, pile.card.charges, count=pile.left)
    title = words["scene-none-left"].format(familiar=card_name(words, name))
    return Piece(ids.pile(name), Sort.SPACE, "", title)


def _buttons(words: Words, view: TableView) -> tuple[Button, ...]:
    titles = {
        (Step.BROOM, ids.PASS): words["scene-leave-broom"],
        (Step.ACT, ids.PASS): words["scene-pass-action"].format(mana=amount(words, "mana", PASS_MANA)),
        (Step.CHAIN, ids.DONE): words["scene-no-chain"],
    }
    if _is_placing(view):
        titles[Step.PLANNING, ids.PASS] = words["scene-be-out"]
    return tuple(
        Button(at, titles.get((view.step, at)) or words[f"scene-{at.replace('/', '-')}"])
        for at in SAID.get(view.step, ())
    )


def _uses(words: Words, view: TableView) -> tuple[Button, ...]:
    """Return a button for each ability of a card with several at this step. A card with one is touched itself."""
    kind = view.row[sum(view.action) - 1].kind
    return tuple(
        Button(
            ids.ability(owned.card.name, number),
            words["scene-use"].format(familiar=card_name(words, owned.card.name), ability=ability_text(words, ability)),
        )
        for seat in view.turn
        for owned in view.places[seat].familiars
        if len(abilities := usable(owned.card, view.step, kind)) > 1
        for number, ability in enumerate(abilities)
    )
