"""Prints everything, safely: files may come from anybody, and a terminal obeys control characters."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

import click
import msgspec

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


def say_json(value: object) -> None:
    """Print a value as a line of JSON."""
    # only strings of JSON contain what is escaped, so it stays the same value
    click.echo(plain(msgspec.json.encode(value).decode()))


def pour(lines: Iterable[bytes]) -> None:
    """Print the lines of a file, to the byte; on a terminal escaped."""
    is_shown = sys.stdout is not None and sys.stdout.isatty()
    for line in lines:
        click.echo(plain(line.decode().removesuffix("\n")) if is_shown else line, nl=is_shown)
