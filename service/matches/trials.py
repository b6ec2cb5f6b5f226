"""Trials: moves on what their seat sees, before they are made. Nothing is written, and nobody else learns of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from domain import refusals
from domain.chance import Scripted
from domain.game import Lang, Refusal, move_id
from domain.trying import tried
from replays import words
from service.matches import scenes
from service.matches.answers import TouchRefusal, Trial
from service.matches.look import Look
from service.matches.shown import choice, names_of
from service.problems import Conflict


def shown(look: Look, ids: Sequence[str], lang: Lang) -> Trial:
    """Return the moves after these moves, each with whether it would be final, and how the table looks then.

    Raises:  Conflict if one of them can't be made there, or is final.
    """
    seat, decision = look.seat, look.decision
    if seat is None or decision is None:
        return Trial(game=look.log.game.slug)
    game, names = look.log.game, names_of(look.entry, lang)
    table = after(look, ids)
    return Trial(
        decision=decision,
        game=game.slug,
        moves=[
            choice(game, table, seat, move, lang, names, then is None)
            for move, then in tried(game, table, seat, game.legal(table, seat))
        ],
        tried=tuple(ids),
        scene=scenes.drawn(game, table, seat, lang, names),
    )


def after(look: Look, ids: Sequence[str]) -> Any:
    """Return the table after these moves, as far as the asker can know it. Raises Conflict."""
    game, seat, table = look.log.game, look.seat, look.state.table
    if seat is None:
        return table
    for id in ids:
        move = next((each for each in game.legal(table, seat) if move_id(each) == id), None)
        if move is None:
            raise Conflict("not-to-try", id=id)
        ((_, then),) = tried(game, table, seat, (move,))
        if then is None:
            raise Conflict("for-good", id=id)
        table = then
    return table


def why_not(look: Look, touched: str, ids: Sequence[str], lang: Lang) -> TouchRefusal | None:
    """Return why a touch begins no move: the refusal of the move that was probably meant. None if none was.

    Raises:  Conflict, as `after` does.
    """
    game, seat = look.log.game, look.seat
    if seat is None or look.decision is None:
        return None
    table = after(look, ids)
    legal = game.legal(table, seat)
    for move in game.meant(table, seat, touched):
        if move in legal:
            continue
        try:
            game.decide(table, seat, move, Scripted())
        except Refusal as refusal:
            sentence = words.named(refusals.say(game, refusal, lang), names_of(look.entry, lang))
            return TouchRefusal(refusal.code, refusal.clause, sentence)
    return None
