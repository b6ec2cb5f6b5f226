"""The door through which everything is printed: files come from anywhere, and a terminal obeys what it is sent."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

import click
import msgspec

_OBEYED = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # control characters, among them those that begin the terminal's own commands
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # the direction in which text is read
    "\u2028\u2029"  # lines and paragraphs
    "\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # what nobody sees
    "\ud800-\udfff"
    "]"
)
"""A list of its own, and no class of Unicode's: what it holds doesn't change with a version."""


def plain(text: str) -> str:
    """One line of text in which nothing is obeyed: what would be is told as JSON escapes it."""
    return _OBEYED.sub(_escaped, text)


def plain_lines(text: str) -> str:
    """Lines of text in which nothing is obeyed, see `plain`."""
    return "\n".join(map(plain, text.split("\n")))


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def say(lines: Iterable[str], *, is_error: bool = False) -> None:
    """Print lines: each stays one."""
    for line in lines:
        click.echo(plain(line), err=is_error)


def say_json(value: object) -> None:
    """Print a value as a line of JSON."""
    # outside of its strings JSON has nothing that is escaped
    click.echo(plain(msgspec.json.encode(value).decode()))


def pour(lines: Iterable[bytes]) -> None:
    """Hand out the lines of a file as they are, to the byte; a terminal is shown them escaped."""
    is_shown = sys.stdout is not None and sys.stdout.isatty()
    for line in lines:
        click.echo(plain(line.decode().removesuffix("\n")) if is_shown else line, nl=is_shown)
