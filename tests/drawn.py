"""What lies on a table and what can be touched there, as lines of text that a test can compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from domain.chance import Scripted
from domain.game import Game, Refusal, move_id
from domain.scene import Face, Piece, Scene, Zone

LANGS = ("en", "ja")
Record = Game[Any, Any, Any]
Key = str
"""`line`, `scores`, `buttons`, `zones`, `palette`, `touches`, `zone <id>` or `touch <id>`."""
WHOLE = ("line", "scores", "buttons", "zones", "palette", "touches")


def is_drawn(key: Key) -> bool:
    """Return whether a key asks for what lies on the table or can be touched there."""
    return key in WHOLE or key.startswith(("zone ", "touch "))


def drawn(game: Record, table: Any, seat: Any, key: Key) -> list[str]:
    """Return the lines that a key asks for, at a position, as a seat sees it or somebody without one (None)."""
    scenes = [game.scene(game.view(table, seat), lang) for lang in LANGS]
    what, _, place = key.partition(" ")
    if what == "zone":
        return zone(scenes[0], scenes[1], place)
    if what == "touch":
        return touched(game, table, seat, place)
    if what == "touches":
        legal = game.legal(table, seat)
        return [f"{move_id(move)}: {' > '.join(game.touches(table, seat, move))}" for move in legal]
    if what == "palette":
        return [f"{tone.name}: {said(tone.title.en, tone.title.ja)}" for tone in game.palette]
    english, japanese = scenes
    if what == "zones":
        return [zone.id for zone in english.zones]
    if what == "scores":
        both = zip(english.scores, japanese.scores, strict=True)
        return [f"{score.seat}: {said(score.title, other.title)}" for score, other in both]
    if what == "buttons":
        pairs = zip(english.buttons, japanese.buttons, strict=True)
        return [f"{button.id}: {said(button.title, other.title)}" for button, other in pairs]
    return [scene.line for scene in scenes]


def touched(game: Record, table: Any, seat: Any, place: str) -> list[str]:
    """Return the moves that a touch may mean, and of the first its refusal: clause and code, and both sentences."""
    meant = game.meant(table, seat, place)
    names = ", ".join(map(move_id, meant)) or "nothing"
    if not meant or meant[0] in game.legal(table, seat):
        return [names]
    try:
        game.decide(table, seat, meant[0], Scripted())
    except Refusal as refusal:
        return [names, f"{refusal.clause} {refusal.code}", *(game.explain(refusal, lang) for lang in LANGS)]
    raise AssertionError(f"{meant[0]} is not listed and not refused")


def zone(english: Scene, japanese: Scene, place: str) -> list[str]:
    """Return a zone in a line and each of its pieces in one; nothing where there is no such zone."""
    found = [[zone for zone in scene.zones if zone.id == place] for scene in (english, japanese)]
    return [line for one, other in zip(*found, strict=True) for line in (heading(one, other), *lying(one, other))]


def heading(one: Zone, other: Zone) -> str:
    parts = [one.kind, said(one.title, other.title), *(f"of seat {seat}" for seat in one.seat)]
    parts += [f"{one.columns} columns"] if one.columns else []
    return ", ".join([*parts, *texts(one.text, other.text)])


def lying(one: Zone, other: Zone) -> Iterator[str]:
    """Yield a line for each piece of a zone."""
    for piece, translated in zip(one.pieces, other.pieces, strict=True):
        yield f"{piece.id.removeprefix(f'{one.id}/')}: {described(piece, translated)}"


def described(piece: Piece, other: Piece) -> str:
    parts = [f"{piece.kind}{' face down' if piece.face is Face.DOWN else ''} {piece.label!r}".replace("'", "`")]
    parts += [said(piece.title, other.title), *([f"×{piece.count}"] if piece.count != 1 else [])]
    parts += [f"<{piece.tone}>"] if piece.tone else []
    for fact, there in zip(piece.facts, other.facts, strict=True):
        parts.append(f"({said(fact.title, there.title)} {said(fact.value, there.value)} <{fact.tone}>)")
    for mark, there_mark in zip(piece.marks, other.marks, strict=True):
        parts.append(f"[{mark.look}: {said(mark.title, there_mark.title)}]")
    parts += texts(piece.text, other.text)
    for on, there_on in zip(piece.on, other.on, strict=True):
        parts.append(f"under {on.id.removeprefix(piece.id)} {described(on, there_on)}")
    return ", ".join(parts)


def texts(english: str, japanese: str) -> list[str]:
    """Return a text in both languages; none where there is none."""
    return [f'"{said(english, japanese)}"'] if english or japanese else []


def said(english: str, japanese: str) -> str:
    """Return what is said in English, and in Japanese where that is written otherwise."""
    return english if english == japanese else f"{english} / {japanese}"
