"""Draws pictures in a process of its own, which is started when there is something to draw."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

from domain.game import Lang
from replays.table import drawing
from replays.table.picture import FONTS

PATIENCE = 20.0
"""Seconds within which a picture must be drawn."""

TWICE = 2
"""How often a picture is tried, since the process may just have ended for lack of requests."""

PROGRAM: tuple[str, ...] = (sys.executable, "-P", str(Path(drawing.__file__)))
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
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None

    def drawn(self, svg: str) -> bytes:
        """Return the SVG as PNG. Raises NotDrawn."""
        if not self.is_at_hand:
            raise NotDrawn("resvg-py is not installed")
        with self._lock:
            for _ in range(TWICE):
                try:
                    png = self._ask(svg)
                except OSError as error:
                    self._stop()
                    if isinstance(error, TimeoutError):
                        raise NotDrawn(f"it was not drawn within {PATIENCE:.0f} s") from error
                    continue
                if png is None:
                    self._stop()
                    continue
                if not png:
                    raise NotDrawn("it can't be drawn")
                return png
        raise NotDrawn("the process that draws has ended")

    def _ask(self, svg: str) -> bytes | None:
        if self._line is None:
            self._line = self._start()
        drawing.send(self._line, svg.encode())
        return drawing.receive(self._line)

    def _start(self) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(PATIENCE)
        environment = {name: os.environ[name] for name in SAID if name in os.environ}
        with ExitStack() as unless_it_starts:
            unless_it_starts.enter_context(ours)
            with theirs:
                number = theirs.fileno()
                self._process = subprocess.Popen(
                    [*PROGRAM, str(number)], pass_fds=[number], stdin=subprocess.DEVNULL, env=environment
                )
            unless_it_starts.pop_all()
        return ours

    def _stop(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._stop()


def letters_missing(easel: Easel) -> tuple[Lang, ...]:
    """Return the languages whose letters no installed font has. Raises NotDrawn."""
    none = easel.drawn(_letter(NO_LETTER)), easel.drawn(_letter(""))
    return tuple(lang for lang, letter in LETTERS.items() if easel.drawn(_letter(letter)) in none)


def _letter(letter: str) -> str:
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">'
        f'<text x="8" y="48" font-size="40" font-family="{FONTS}">{letter}</text></svg>'
    )
