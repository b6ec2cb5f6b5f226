"""Exports that somebody has tampered with: carelessly, or as an operator who hashes, commits and signs all anew."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Iterator
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events import chain
from tests.replays.checking.by_hand import commit_to, rehash, salt_of

Json = Any
Path = tuple[str | int, ...]


class Forger:
    """The lines of an export, to be changed."""

    def __init__(self, data: bytes) -> None:
        self.header, *rest = [json.loads(line) for line in data.splitlines()]
        self.events: list[Json] = [one for one in rest if "domain" not in one]
        self.receipts: list[Json] = [one for one in rest if "domain" in one]

    def copy(self) -> Forger:
        return copy.deepcopy(self)

    @property
    def lines(self) -> list[Json]:
        return [self.header, *self.events, *self.receipts]

    @property
    def data(self) -> bytes:
        return b"".join(chain.encode_canonical(line) + b"\n" for line in self.lines)

    def stream(self, stream: str | None = None) -> list[Json]:
        """The events of a stream, by default the match's."""
        return [event for event in self.events if event["stream"] == (stream or self.header["match"])]

    def renumber(self) -> None:
        """Versions and moves as if nothing had been added or taken away."""
        for name in dict.fromkeys(event["stream"] for event in self.events):
            for version, event in enumerate(self.stream(name), 1):
                event["version"] = version
        self.header["version"] = len(self.stream())

    def reseal(self, private: Ed25519PrivateKey, secret: str | None = None) -> Forger:
        """Commit, hash and sign all of it anew, as the formulas of docs/log.md say: a parent with its own secret."""
        known: dict[str, bytes] = {}
        for event in self.events:
            if (match := event["stream"].partition("/seat:")[0]) not in known:
                known[match] = bytes.fromhex(secret or self.stream(match)[0]["secret"]["secret"]["value"])
            for path, told in event["secret"].items():
                told["salt"] = salt_of(known[match], event["stream"], event["version"], path)
                event["commits"][path] = {"readers": told["readers"], "commit": commit_to(told["salt"], told["value"])}
        rehash(self.events)
        self.resign(private)
        return self

    def resign(self, private: Ed25519PrivateKey) -> None:
        """Receipts for the events as they are now, by the last key."""
        key = self.header["keys"][-1]
        self.receipts = []
        for name in dict.fromkeys(event["stream"] for event in self.events):
            last = self.stream(name)[-1]
            receipt = {name: last[name] for name in ("stream", "version", "hash")}
            receipt |= {"domain": "foldtable-receipt-1", "key": key["key"], "at": max(last["at"], key["since"])}
            signature = private.sign(chain.encode_canonical(receipt)).hex()
            self.receipts.append({**receipt, "signature": signature})


def leaves(value: Json, path: Path = ()) -> Iterator[Path]:
    """The paths of everything in the value that has no parts."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        for i, inner in enumerate(value):
            yield from leaves(inner, (*path, i))
    else:
        yield path


def one_of_each_kind(lines: list[Json], chance: random.Random) -> list[tuple[int, Path]]:
    """A leaf of each kind, with its line: the same member of events, whichever they are, whose and where in a row."""
    kinds: dict[tuple[str, str], list[tuple[int, Path]]] = {}
    for number, line in enumerate(lines):
        what = str(line.get("domain", "event" if "stream" in line else "header"))
        for path in leaves(line):
            kinds.setdefault((what, re.sub(r"\d+", "0", repr(path))), []).append((number, path))
    return [chance.choice(found) for found in kinds.values()]


def objects(value: Json, path: Path = ()) -> Iterator[Path]:
    """The paths of all objects in the value, itself among them."""
    if isinstance(value, dict):
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in inside:
        yield from objects(inner, (*path, key))


def at(value: Json, path: Path) -> Json:
    for key in path:
        value = value[key]
    return value


def put(value: Json, path: Path, new: Json) -> None:
    at(value, path[:-1])[path[-1]] = new


def another(value: Json) -> Json:
    """A value of the same kind that is not this one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if len(value) >= 64 or (len(value) == 16 and value.isalnum()):
            return ("0" if value[0] != "0" else "1") + value[1:]
        case str() if value.endswith("Z") and value.startswith("20"):
            return f"{int(value[:4]) + 1}{value[4:]}"
        case str():
            return f"{value}x"
        case None:
            return 7
        case []:
            return [1]
        case _:
            return {"more": 1}
