"""Moments of whole played matches, as a page of the table gets them: scenes, and the moves that can be made there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec

from domain import matches
from domain.game import Lang, Seat
from domain.scene import style_of
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.laws.table import Played, Step, Viewer, play_match

Json = dict[str, Any]

DRAWN = SLUGS
"""The games that have scenes."""


def game_of(slug: str) -> Json:
    """What the renderer is to know of a game."""
    game = CATALOGUE.rooms[slug].game
    return {"slug": slug, "title": game.title, "palette": plain(game.palette), "style": plain(style_of(game))}


def plain(value: object) -> Any:
    """As JSON has it."""
    return msgspec.json.decode(msgspec.json.encode(value))


def scene_of(played: Played, step: Step, viewer: Viewer, lang: Lang = "en") -> Json:
    """What the viewer's table shows before a step."""
    game = played.game
    shown: Json = plain(game.scene(game.view(step.seen[viewer].table, viewer), lang))
    return shown


def moves_of(played: Played, step: Step, seat: Seat, lang: Lang = "en") -> list[Json]:
    game, seen = played.game, step.seen[seat].table
    return [
        {"id": str(at), "text": game.label(seen, seat, move, lang), "touches": list(game.touches(seen, seat, move))}
        for at, move in enumerate(game.legal(seen, seat))
    ]


def decisions(played: Played) -> Iterator[tuple[Step, Seat]]:
    """Every decision of a match: the step, and a seat that owes an answer."""
    for step in played.positions:
        for seat in matches.to_act(played.game, step.truth):
            yield step, seat


@lru_cache(maxsize=8)
def match_of(slug: str, seed: int = 1) -> Played:
    return play_match(slug, seed)
