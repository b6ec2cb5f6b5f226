"""Transcripts: whole matches as text, every event in words and every viewer's table at every step.

What was chosen is read from the transcript itself, so that it says what the rules do whatever bots have learnt since.

    python -m tests.transcripts            says which differ
    python -m tests.transcripts --write    writes them again: read the difference before it is committed

A view is told once in full and then by its new lines, each after the seats that have it (t: somebody without a seat,
nothing: everybody); a digest of all views, whole, ends each step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import product, starmap
from pathlib import Path
from typing import Any

import msgspec

from domain import matches, play, telling
from domain.game import Game, Refusal, move_id
from tests.laws.rooms import SLUGS, known_of, room_of
from tests.laws.table import BOTS, Played, Step, Viewer, make, open_table, play_match
from tests.written import compare

GAMES = Path(__file__).parent / "games"
SEEDS = {"random": 2, "greedy": 12, "eager": 5}
"""A match of each kind of bot; short ones of Three Magic."""
HEAD = re.compile(r"pack (?P<pack>\S+), (?P<seats>\d) seats, secret (?P<secret>\w+)\noptions (?P<options>.*)\n")
CHOICE = re.compile(
    r"^> .*seat (?P<seat>\d): (?P<move>\S+)|^  0 seat:(?P<sat>\d) SeatTaken ?(?P<nonce>\w*)$", re.MULTILINE
)


def path_of(slug: str, kind: str) -> Path:
    return GAMES / slug.replace("-", "_") / "transcripts" / f"{kind}.txt"


def transcript(played: Played) -> str:
    opened = played.opened.event
    lines = [
        played.game.title["en"],
        f"pack {played.pack.name}, {opened.seats} seats, secret {opened.secret}",
        f"options {msgspec.json.encode(opened.options).decode()}",
        "",
    ]
    drawn: dict[Viewer, list[str]] = {viewer: [] for viewer in played.viewers}
    after = [*((step.truth, step.seen) for step in played.steps[1:]), (played.truth, played.seen)]
    for step, (truth, seen) in zip(played.steps, after, strict=True):
        lines += told_of(played, step)
        if truth.status != matches.Status.OPEN:
            lines += views_of(played.game, seen, drawn)
        lines.append("")
    return "\n".join(lines)


def replay(slug: str, text: str) -> Played:
    """The match that a transcript tells of: its choices, made once more."""
    known_of(slug)  # brings the packs of its own that a room's tests play with
    room, head = room_of(slug), HEAD.search(text)
    assert head, "this transcript has no head"
    options = msgspec.json.decode(head["options"], type=room.game.Options)
    played = open_table(room, head["pack"], int(head["seats"]), options, bytes.fromhex(head["secret"]))
    for choice in CHOICE.finditer(text):
        if choice["sat"]:
            played.tell(play.take_seat(room.game, played.truth, int(choice["sat"]), choice["nonce"]))
        else:
            seat = int(choice["seat"])
            legal = {move_id(move): move for move in room.game.legal(played.truth.table, seat)}
            make(played, seat, legal[choice["move"]])
    return played


def told_of(played: Played, step: Step) -> Iterator[str]:
    """What was done, and what the log says of it."""
    if step.seat is not None:
        where = "under seal" if not step.told else f"move {step.told[0].move}"
        yield f"> {where}, seat {step.seat}: {move_id(step.move)}  {played.game.describe(step.move, 'en')}"
    for one in step.told:
        if isinstance(one.event, matches.SeatTaken):
            yield f"  {one.move} {one.actor} SeatTaken {one.event.nonce}".rstrip()
        elif type(one.event) in matches.EVENTS:
            yield f"  {one.move} {one.actor} {type(one.event).__name__}"
        else:
            yield f"  {one.move} {one.actor} {type(one.event).__name__}: {played.game.describe(one.event, 'en')}"


def views_of(game: Game[Any, Any, Any], seen: dict[Viewer, Any], drawn: dict[Viewer, list[str]]) -> Iterator[str]:
    """The lines that were not in a viewer's table before, by who has them, and a digest of all the tables."""
    news: dict[str, list[str]] = {}
    for viewer, known in seen.items():
        lines = telling.drawn(game, game.view(known.table, viewer), "en").split("\n")
        for line in lines:
            if line not in drawn[viewer]:
                news.setdefault(line, []).append("t" if viewer is None else str(viewer))
        drawn[viewer] = lines
    for line, viewers in news.items():
        yield f"  {''.join(viewers) if len(viewers) < len(seen) else ''}| {line}".rstrip()
    yield f"  = {sha256(repr(list(drawn.values())).encode()).hexdigest()[:8]}"


def current(slug: str, kind: str) -> tuple[Path, str]:
    """Where a transcript lies, and what it says now. One that can't be replayed any more is played anew."""
    path = path_of(slug, kind)
    try:
        return path, transcript(replay(slug, path.read_text(encoding="utf-8") if path.is_file() else ""))
    except (AssertionError, KeyError, Refusal):
        return path, transcript(play_match(slug, SEEDS[kind], kind))


if __name__ == "__main__":
    compare("the transcripts", lambda slugs: starmap(current, product(slugs, BOTS)), SLUGS)
