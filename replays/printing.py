"""Prints everything safely, and a match at a moment as text."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any

import click
import msgspec

from domain import matches, play, texts
from domain.game import Lang, Standing
from domain.matches import Status
from domain.telling import explained, scene_of
from replays import words
from replays.log import TRUTH, Log, Viewer

_OBEYED = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters, with those that begin a terminal's commands
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction in which text is read
    "\u2028\u2029"  # lines and paragraphs
    "\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # invisible characters
    "\ud800-\udfff"
    "]"
)
"""A list of our own, since the content of Unicode's classes changes with its versions."""


def plain(text: str) -> str:
    """Return one line of text with all such characters escaped as in JSON."""
    return _OBEYED.sub(_escaped, text)


def plain_lines(text: str) -> str:
    """Return lines of text with all such characters but the line breaks escaped, see `plain`."""
    return "\n".join(map(plain, text.split("\n")))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def say(lines: Iterable[str], *, is_error: bool = False) -> None:
    """Print lines, each as one line."""
    for line in lines:
        click.echo(plain(line), err=is_error)


def say_either(value: object, lines: Iterable[str], *, as_json: bool) -> None:
    """Print a command's result: as a line of JSON, or else in words."""
    if not as_json:
        say(lines)
        return
    # the name of a file may hold bytes that are not text, which `msgspec.json` refuses
    line = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
    # only strings of JSON contain what is escaped, so it stays the same value
    pour([f"{plain(line)}\n".encode()])


def pour(lines: Iterable[bytes]) -> None:
    """Print the lines of a file, to the byte, so as UTF-8 whatever else is printed as; on a terminal escaped."""
    is_shown = sys.stdout is not None and sys.stdout.isatty()
    for line in lines:
        click.echo(plain(line.decode().removesuffix("\n")) if is_shown else line, nl=is_shown)


RECENT = 10
"""The number of events below the table."""

WORDS = texts.read("replays", "printing")


class Line(msgspec.Struct, frozen=True):
    """An event in words."""

    version: int
    type: str
    text: str


class Picture(msgspec.Struct, frozen=True):
    """The data that is shown."""

    match: str
    game: str
    status: Status
    version: int
    head: int
    """The version of the match's last event."""
    moves: int
    seat: int | None
    to_act: tuple[int, ...]
    """The seats that owe an answer, as far as the viewer knows."""
    view: Any
    """The table; null before it was set up."""
    text: str
    """The table, drawn."""
    standing: Standing | None
    events: tuple[Line, ...]


class NoSuchVersion(LookupError):
    """The log has no event of that version."""


def picture(log: Log, seat: int | None, at: int | None, lang: Lang) -> Picture:
    """Return what the seat, or anybody, saw at a version; by default what it sees now, with its sealed answers.

    Before the start a seat sees no more than anybody. Once the match is over, everything is shown if no seat is given.
    Raises:  NoSuchVersion.
    """
    head = log.store.head(log.id).version
    version = head if at is None else at
    if not 1 <= version <= head:
        raise NoSuchVersion(f"{log.id} has versions 1 to {head}, not {version}.")
    viewer = TRUTH if seat is None and log.is_over else seat
    state = log.fold(viewer, at=version)
    if version == head:
        state = log.on_top(state, viewer)
    is_set_up = state.status != Status.OPEN
    view = log.game.view(state.table, viewer) if is_set_up else None
    return Picture(
        match=log.id,
        game=log.game.slug,
        status=state.status,
        version=version,
        head=head,
        moves=state.moves,
        seat=seat,
        to_act=matches.to_act(log.game, state),
        view=view,
        text=explained(scene_of(log.game, view, lang, is_over=state.is_over), lang) if is_set_up else "",
        standing=play.standing(log.game, state) if is_set_up else None,
        events=_recent(log, viewer if is_set_up or viewer == TRUTH else None, version, lang),
    )


def _recent(log: Log, viewer: Viewer, version: int, lang: Lang) -> tuple[Line, ...]:
    after = max(0, version - RECENT)
    pairs = zip(log.store.read(log.id, after, version - after), log.events(viewer, after), strict=False)
    return tuple(
        Line(version=stored.version, type=stored.type, text=words.describe(log.game, event, lang))
        for stored, event in pairs
    )


def draw(log: Log, shown: Picture, lang: Lang) -> list[str]:
    """Return the picture as lines of text."""
    say = WORDS[lang]
    title = log.game.title.get(lang, log.game.title["en"])
    lines = [
        shown.match,
        say["status"].format(
            title=title, status=say[shown.status], version=shown.version, head=shown.head, moves=shown.moves
        ),
        say["seat"].format(seat=shown.seat) if shown.seat is not None else say["all" if log.is_over else "none"],
        "",
    ]
    if shown.text:
        lines += [*shown.text.rstrip("\n").split("\n"), ""]
    width = len(str(shown.version))
    lines += [f"{event.version:>{width}}  {event.text}" for event in shown.events]
    if shown.to_act:
        seats = say["comma"].join(say["acts"].format(seat=seat) for seat in shown.to_act)
        lines += ["", say["to_act"].format(seats=seats)]
    return lines
