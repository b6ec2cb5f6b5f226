"""Exports made from docs/log.md alone, without the code that makes them."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Line = dict[str, Any]
Hidden = Mapping[str, tuple[list[int], Any]]
"""Path -> readers and value."""

TEXT = '{"cards": ["鶴", "月"]}\n'
NOT_ASKED = {"answer": "not asked", "sealed": None}
SIGNERS = tuple(Ed25519PrivateKey.from_private_bytes(sha256(b"signer %d" % number).digest()) for number in range(3))
SINCE = ("2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z", "2024-06-01T00:00:00.000Z")


def canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def file_of(lines: Iterable[Line]) -> bytes:
    return b"".join(canonical(line) + b"\n" for line in lines)


def without(line: Line, *names: str) -> Line:
    return {name: value for name, value in line.items() if name not in names}


def digest(key: bytes, message: str | bytes) -> bytes:
    return hmac.digest(key, message.encode() if isinstance(message, str) else message, "sha256")


def public_of(signer: int) -> bytes:
    return SIGNERS[signer].public_key().public_bytes_raw()


def name_of(signer: int) -> str:
    return sha256(public_of(signer)).hexdigest()[:16]


def signature(message: Line, signer: int) -> str:
    return SIGNERS[signer].sign(canonical(message)).hex()


def key(number: int, **other: Any) -> Line:
    """One of the service's keys, by the one before it."""
    by = name_of(number - 1) if number else None
    told = {"by": by, "key": name_of(number), "public": public_of(number).hex(), "since": SINCE[number], **other}
    return {**told, "signature": signature({**told, "domain": "foldtable-key-1"}, max(number - 1, 0))}


def receipt(event: Line, signer: int = 1, **other: Any) -> Line:
    head = {name: event[name] for name in ("stream", "version", "hash", "at")}
    told = {**head, "domain": "foldtable-receipt-1", "key": name_of(signer), **other}
    return {**told, "signature": signature(told, signer)}


def salt_of(secret: bytes, stream: str, version: int, path: str) -> str:
    if "/" not in stream and (version, path) == (1, "secret"):
        return ""
    return digest(secret, f"salt:{stream}:{version}:{path}").hex()


def commit_to(salt: str, value: Any) -> str:
    return sha256(bytes.fromhex(salt) + canonical(value) if salt else bytes.fromhex(value)).hexdigest()


def rehash(lines: list[Line]) -> list[Line]:
    """The lines with the hashes that their events have now: what a forger does."""
    heads: dict[str, bytes] = {}
    for line in lines:
        if "actor" in line:
            previous = heads.get(line["stream"], bytes(32))
            line["hash"] = sha256(previous + canonical(without(line, "hash", "secret"))).hexdigest()
            heads[line["stream"]] = bytes.fromhex(line["hash"])
    return lines


def resign(lines: list[Line]) -> list[Line]:
    """The lines with receipts that fit: what a forger does who has the service's key."""
    lasts = {line["stream"]: line for line in lines if "actor" in line}
    return [line for line in lines if "domain" not in line] + [receipt(last) for last in lasts.values()]


@dataclass
class Table:
    """A match whose events are made one by one."""

    id: str
    seats: int = 2
    events: dict[str, list[Line]] = field(default_factory=dict)
    parents: tuple[Line, ...] = ()
    """The events of the parents, open."""
    secret_of: str = ""
    """Whose secret it has; "" for its own."""

    @property
    def secret(self) -> bytes:
        return sha256(f"the secret of {self.secret_of or self.id}".encode()).digest()

    def add(
        self,
        type: str,
        public: Line,
        hidden: Hidden | None = None,
        *,
        actor: str = "service",
        move: int = 0,
        on: str = "",
    ) -> Line:
        """One more event of the match, or `on` one of its private streams."""
        stream = self.id + on
        before = self.events.setdefault(stream, [])
        version = len(before) + 1
        secret = {
            path: {"readers": readers, "salt": salt_of(self.secret, stream, version, path), "value": value}
            for path, (readers, value) in (hidden or {}).items()
        }
        event: Line = {
            "stream": stream,
            "version": version,
            "type": type,
            "schema": 1,
            "at": f"2024-03-01T12:00:{version:02}.000Z",
            "actor": actor,
            "move": move,
            "public": public,
            "commits": {
                path: {"readers": one["readers"], "commit": commit_to(one["salt"], one["value"])}
                for path, one in secret.items()
            },
            "secret": secret,
            "hash": "",
        }
        before.append(event)
        rehash(before)
        return event

    def open(self) -> None:
        public = {
            "game": "toy",
            "version": 1,
            "pack": "plain",
            "pack_hash": sha256(TEXT.encode()).hexdigest(),
            "seats": self.seats,
            "options": {"rounds": 1},
            "secret": None,
        }
        self.add("match/Opened", public, {"secret": ([], self.secret.hex())})

    def sit(self, *nonces: str) -> None:
        for seat, nonce in enumerate(nonces):
            self.add("match/SeatTaken", {"seat": seat, "nonce": nonce}, actor=f"seat:{seat}")
        self.add("match/Started", {})

    def answer(self, seat: int, answer: Line, *, move: int) -> Line:
        return self.say(seat, "match/AnswerSealed", {"decision": 6, "answer": answer, "cause": "seat"}, move=move)

    def say(self, seat: int, type: str, public: Line, *, move: int = 0) -> Line:
        """Something else in a seat's private stream."""
        return self.add(type, public, actor=f"seat:{seat}", move=move, on=f"/seat:{seat}")

    def close(self, *sealed: Line | None, move: int) -> None:
        """The closing of these events of the private streams, None for a seat that was not asked."""
        hidden: Hidden = {
            f"answers.{seat}": (
                [seat],
                {"answer": event["public"]["answer"], "sealed": event["hash"]} if event else NOT_ASKED,
            )
            for seat, event in enumerate(sealed)
        }
        self.add("match/AnswersClosed", {"decision": 6, "answers": [None] * len(sealed)}, hidden, move=move)

    def finish(self) -> None:
        end = {"points": [1, 0], "ranking": [1, 2], "secret": self.secret.hex()}
        self.add("match/Finished", end, move=self.events[self.id][-1]["move"])

    def export(self, viewer: Any, status: str, keys: int = 2) -> list[Line]:
        """The lines of the export, which are the reader's to change."""
        main, is_open = self.events[self.id], viewer == "all"
        private = (f"{self.id}/seat:{seat}" for seat in range(self.seats) if is_open or seat == viewer)
        header = {
            "format": "foldtable-export-2",
            "match": self.id,
            "game": "toy",
            "rules": 1,
            "pack": {"name": "plain", "hash": sha256(TEXT.encode()).hexdigest(), "text": TEXT},
            "viewer": viewer,
            "status": status,
            "version": len(main),
            "keys": [key(number) for number in range(keys)],
        }
        shown = [
            {
                **event,
                "secret": {path: one for path, one in event["secret"].items() if is_open or viewer in one["readers"]},
            }
            for event in main
        ]
        shown += [event for stream in private for event in self.events.get(stream, ())]
        lines: list[Line] = json.loads(json.dumps([header, *shown, *self.parents]))
        return resign(lines)


def play(id: str = "m", *, is_over: bool = True) -> Table:
    """A match with all that is hidden: for nobody, for a seat, inside of a move, under seal.

    Seat 1 answers twice under seal; of a match that goes on a third answer waits for the others'.
    """
    table = Table(id)
    table.open()
    table.sit("ab" * 32, "")
    dealt = {"hand": [None, None], "rest": [None], "none": [], "shown": ["é"]}
    table.add("toy/Dealt", dealt, {"hand": ([1], ["鶴", "月"]), "rest": ([], [7]), "none": ([0], [])})
    made = {"seat": 0, "decision": 5, "move": {"type": "Play", "card": None}, "cause": "seat"}
    table.add("match/MoveMade", made, {"move.card": ([0], "桜")}, actor="seat:0", move=1)
    table.add("toy/Played", {"seat": 0, "card": None}, {"card": ([0], None)}, move=1)
    for move in (2, 3):
        table.close(None, table.answer(1, {"type": "Claim", "number": move}, move=move), move=move)
    if is_over:
        table.finish()
    else:
        table.answer(1, {"type": "Claim", "number": 4}, move=4)
    return table


def fork(parent: Table, version: int, id: str = "f", secret_of: str = "") -> Table:
    """A match that goes on from a parent after the event of the version, and is over at once."""
    kept = parent.events[parent.id][:version]
    table = Table(id, parents=(*kept, *parent.parents), secret_of=secret_of)
    table.open()
    table.add("match/Forked", {"parent": parent.id, "version": version, "hash": kept[-1]["hash"]})
    for event in kept:
        if not event["type"].startswith("match/"):
            hidden = {path: (one["readers"], one["value"]) for path, one in event["secret"].items()}
            table.add(event["type"], event["public"], hidden)
    table.sit("", "")
    table.finish()
    return table
