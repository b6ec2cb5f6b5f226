"""A scene as a simple picture for previews of links, drawn in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from threading import Lock

from domain.game import Lang
from domain.scene import Face, Kind, Piece, Scene, Tone, Zone

WIDTH, HEIGHT = 1200, 630
EDGE, HEAD, GAP = 30, 112, 8
INNER = WIDTH - 2 * EDGE
MOST = 14
"""The most pieces of a zone that are drawn."""

PAPER, CARD, INK, SOFT, PLAIN, BACK = "#e6eadf", "#fffdf8", "#22201b", "#5f594e", "#5c6861", "#3f5a6b"

FONTS = "DejaVu Sans, Noto Sans CJK JP, Noto Sans JP, IPAexGothic, sans-serif"

ROUND = frozenset({Kind.TOKEN, Kind.STONE, Kind.CHIP, Kind.PAWN})
WIDE, TALL, LINE = 46, 60, 20
"""Width and height of a piece, and height of a zone's title, before scaling."""

SCALES = (1.7, 1.5, 1.3, 1.15, 1.0, 0.88, 0.76, 0.66, 0.56, 0.48, 0.4, 0.33)


def picture(scene: Scene | None, title: str, names: Sequence[str], palette: Sequence[Tone], lang: Lang) -> str:
    """Return the scene as SVG; without a scene, the title and the names."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
        f' font-family="{FONTS}" xml:lang="{lang}"><rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
        _text(EDGE, 52, title, 40, INK, INNER - 200, weight=700),
        _text(WIDTH - EDGE - 170, 50, "foldtable", 32, SOFT, 200, weight=700),
    ]
    if scene is None:
        parts.append(_text(EDGE, HEIGHT / 2, ", ".join(filter(None, names)), 36, SOFT, INNER))
    else:
        parts.append(_text(EDGE, 94, scene.line, 26, SOFT, INNER))
        parts.extend(_Board(scene, names, {tone.name: tone.light for tone in palette}).drawn())
    return "".join((*parts, "</svg>"))


def _width(text: str, size: float) -> float:
    return sum(1.0 if unicodedata.east_asian_width(sign) in "WF" else 0.62 for sign in text) * size


def _fitted(text: str, size: float, width: float) -> str:
    if _width(text, size) <= width:
        return text
    while text and _width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text}…"


def _text(
    x: float, y: float, text: str, size: float, colour: str, width: float, *, weight: int = 400, anchor: str = "start"
) -> str:
    escaped = escape("".join(sign for sign in _fitted(text, size, width) if sign.isprintable()))
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" font-weight="{weight}" fill="{colour}"'
        f' text-anchor="{anchor}">{escaped}</text>'
    )


class _Board:
    """The layout of the zones: those without a seat above, and below a column for each seat."""

    def __init__(self, scene: Scene, names: Sequence[str], tones: dict[str, str]) -> None:
        self._scene, self._tones = scene, tones
        self._middle = [zone for zone in scene.zones if not zone.seat]
        seats = sorted({zone.seat[0] for zone in scene.zones if zone.seat})
        self._seats = [(seat, [zone for zone in scene.zones if zone.seat == (seat,)]) for seat in seats]
        self._column = (INNER - GAP * (len(seats) - 1)) / max(1, len(seats))
        self._names = names

    def drawn(self) -> Iterator[str]:
        """Yield the elements of all zones, in the largest scale that fits."""
        room = HEIGHT - HEAD - GAP
        scale = next((each for each in SCALES if self._height(each) <= room), SCALES[-1])
        yield f'<clipPath id="all"><rect y="{HEAD}" width="{WIDTH}" height="{room}"/></clipPath>'
        yield '<g clip-path="url(#all)">'
        top: float = HEAD
        height, parts = self._flow(self._middle, EDGE, top, INNER, scale)
        yield from parts
        top += height
        for place, (seat, zones) in enumerate(self._seats):
            yield from self._seat(seat, zones, EDGE + place * (self._column + GAP), top, self._column, scale)
        yield "</g>"

    def _height(self, scale: float) -> float:
        middle = self._flow(self._middle, 0, 0, INNER, scale)[0]
        seats = [self._flow(zones, 0, 0, self._column - 2 * GAP, scale)[0] for _, zones in self._seats]
        return middle + max(seats, default=0) + 34 + GAP

    def _seat(self, seat: int, zones: list[Zone], x: float, top: float, width: float, scale: float) -> Iterator[str]:
        is_turn = seat in self._scene.turn
        border = ' stroke="#b25e00" stroke-width="4"' if is_turn else ""
        box = f'x="{x:.1f}" y="{top:.1f}" width="{width:.1f}" height="{HEIGHT - top - GAP:.1f}" rx="12"'
        yield f'<rect {box} fill="#f5f7f1"{border}/>'
        name = (self._names[seat] if seat < len(self._names) else "") or f"#{seat}"
        score = next((entry.title for entry in self._scene.scores if entry.seat == seat), "")
        yield _text(x + GAP, top + 26, name, 22, INK, width * 0.58, weight=700)
        yield _text(x + width - GAP, top + 26, score, 20, INK, width * 0.38, anchor="end")
        yield from self._flow(zones, x + GAP, top + 34, width - 2 * GAP, scale)[1]

    def _flow(self, zones: list[Zone], x: float, top: float, width: float, scale: float) -> tuple[float, list[str]]:
        """Lay zones out in lines. Returns their height together, and their elements."""
        parts: list[str] = []
        left, y = 0.0, top
        wide, tall, line = WIDE * scale, TALL * scale, LINE * scale
        for zone in zones:
            a_row = max(1, int(width // wide))
            shown = [each for each in zone.pieces if each.label or each.kind is not Kind.MARKER][:MOST]
            if not shown:
                continue
            rows = max(1, -(-len(shown) // a_row))
            size = line * 0.62
            own = max(min(len(shown), a_row) * wide, min(_width(zone.title, size), width)) + GAP
            if left and left + own > width:
                left, y = 0.0, y + tall + line
            parts.append(_text(x + left, y + line * 0.75, zone.title, size, SOFT, own))
            for at, piece in enumerate(shown):
                row, column = divmod(at, a_row)
                parts.append(self._piece(piece, x + left + column * wide, y + line + row * tall, scale))
            if rows > 1:
                left, y = 0.0, y + (rows * tall + line)
            else:
                left += own
        return y - top + (tall + line if left else 0), parts

    def _piece(self, piece: Piece, x: float, y: float, scale: float) -> str:
        width, height = (WIDE - 6) * scale, (TALL - 8) * scale
        area = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        colour = self._tones.get(piece.tone, BACK if piece.face is Face.DOWN else PLAIN)
        if piece.kind is Kind.SPACE:
            box = f'<rect {area} rx="5" fill="none" stroke="{SOFT}" stroke-dasharray="4 3"/>'
            on = "".join(self._piece(top_piece, x, y, scale) for top_piece in piece.on[:1])
            return box + (on or self._label(piece, x, y, width, height, scale, SOFT))
        if piece.kind in ROUND:
            radius = min(width, height) / 2
            box = f'<circle cx="{x + width / 2:.1f}" cy="{y + height / 2:.1f}" r="{radius:.1f}" fill="{colour}"/>'
        else:
            box = f'<rect {area} rx="6" fill="{colour}" stroke="{CARD}" stroke-width="2"/>'
        return box + self._label(piece, x, y, width, height, scale, "#ffffff")

    def _label(self, piece: Piece, x: float, y: float, width: float, height: float, scale: float, colour: str) -> str:
        label = piece.label if piece.count == 1 else f"{piece.label}×{piece.count}"
        if not label:
            return ""
        size = max(9 * scale, min(22 * scale, width / max(1.0, _width(label, 1)) * 0.82))
        middle = y + height / 2 + size * 0.36
        return _text(x + width / 2, middle, label, size, colour, width, weight=700, anchor="middle")


PATIENCE = 20.0
"""Seconds within which a picture must be drawn."""

DRAW = "import sys, resvg_py; sys.stdout.buffer.write(bytes(resvg_py.svg_to_bytes(svg_string=sys.stdin.read())))"
PROGRAM: tuple[str, ...] = (sys.executable, "-I", "-X", "utf8", "-c", DRAW)
"""Reads an SVG and writes the PNG. It is a process of its own, since drawing blocks everything else in a process."""
SAID = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "XDG_DATA_HOME", "FONTCONFIG_PATH", "FONTCONFIG_FILE")
"""The environment variables that the process gets: it needs no secrets."""

LETTERS: Mapping[Lang, str] = {"en": "A", "ja": "字"}
NO_LETTER = "\U0010fffd"
"""A character that no font has: its picture is what fonts show for missing letters."""


class NotDrawn(RuntimeError):
    """There is no picture: the library is missing, has failed, or took too long."""


class Easel:
    """Draws one picture after the other. Any thread or greenlet may use it."""

    def __init__(self) -> None:
        self.is_at_hand = find_spec("resvg_py") is not None
        """Whether the library for drawing is installed."""
        self._lock = Lock()

    def drawn(self, svg: str) -> bytes:
        """Return the SVG as PNG. Raises NotDrawn."""
        if not self.is_at_hand:
            raise NotDrawn("resvg-py is not installed")
        environment = {name: os.environ[name] for name in SAID if name in os.environ}
        with self._lock:
            try:
                done = subprocess.run(
                    PROGRAM, input=svg.encode(), capture_output=True, env=environment, timeout=PATIENCE, check=True
                )
            except subprocess.TimeoutExpired as error:
                raise NotDrawn(f"it was not drawn within {PATIENCE:.0f} s") from error
            except (OSError, subprocess.SubprocessError) as error:
                raise NotDrawn("it can't be drawn") from error
        return done.stdout


def letters_missing(easel: Easel) -> tuple[Lang, ...]:
    """Return the languages whose letters no installed font has. Raises NotDrawn."""
    none = easel.drawn(_letter(NO_LETTER)), easel.drawn(_letter(""))
    return tuple(lang for lang, letter in LETTERS.items() if easel.drawn(_letter(letter)) in none)


def _letter(letter: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">'
        f'<text x="8" y="48" font-size="40" font-family="{FONTS}">{letter}</text></svg>'
    )
