"""The evidence of a player's matches, for audits: the nonces that the client made, and the service's receipts."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from foldtable_client.answers import Match, Moved, Receipt
from foldtable_client.problems import Problem

RECEIPT = "foldtable-receipt-1"

MOST = 200
"""The most matches whose evidence is kept in memory; the first ones are forgotten first."""


class Evidence:
    """Lines of JSON by match, in the order in which the client got them: in memory, or in files of a folder.

    The order matters. A receipt that the client had before it sent the nonce shows that the service could not choose
    the match's secret to suit the nonce.
    """

    def __init__(self, folder: str | Path | None) -> None:
        self._folder = None if folder is None else Path(folder)
        self._lines: dict[str, bytes] = {}

    def of(self, match: str) -> bytes:
        """Return the evidence of the match, as `replays audit --receipt` reads it; empty if there is none."""
        if self._folder is None:
            return self._lines.get(match, b"")
        file = self._file(self._folder, match)
        return file.read_bytes() if file.exists() else b""

    def brought(self, match: str) -> str | None:
        """Return the first nonce in the match's evidence, also one of an earlier process; None if there is none."""
        held = map(_read, self.of(match).splitlines())
        return next((one["nonce"] for one in held if "nonce" in one), None)

    def is_refused(self, match: str) -> bool:
        """Return whether the last nonce was sent in vain. If it is sent again, it must be added again."""
        held = [one for one in map(_read, self.of(match).splitlines()) if one.keys() & {"nonce", "in_vain"}]
        return bool(held) and "in_vain" in held[-1]

    def refuse(self, match: str, nonce: str, problem: Problem) -> None:
        """Note that a nonce was sent in vain, if the service has refused the seat (status 4xx)."""
        if nonce and 400 <= problem.status < 500:
            self._keep(match, {"in_vain": nonce})

    def bring(self, match: str, nonce: str | None, export: bytes | None) -> str:
        """Add a nonce to the evidence, a new one if it is None, and return it.

        `export`: the match's export, or None if the service did not give it. Its receipt is added before the nonce.
        """
        there = [one for one in map(_read, (export or b"").splitlines()) if one.get("domain") == RECEIPT]
        made = secrets.token_hex(32) if nonce is None else nonce
        self._keep(match, *(one for one in there if one.get("stream") == match), {"nonce": made})
        return made

    def take(self, answer: Match | Moved, match: str) -> None:
        """Add the receipts in an answer to the evidence."""
        sealed = answer.sealed if isinstance(answer, Moved) else None
        self._keep(match, *filter(None, (answer.receipt, (sealed or {}).get("receipt"))))

    def _keep(self, match: str, *held: Receipt | dict[str, Any]) -> None:
        lines = b"".join(msgspec.json.encode(one) + b"\n" for one in held)
        if self._folder is None:
            self._lines[match] = self._lines.get(match, b"") + lines
            if len(self._lines) > MOST:
                del self._lines[next(iter(self._lines))]
        elif lines:
            self._folder.mkdir(parents=True, exist_ok=True)
            whole = self.of(match).rpartition(b"\n")
            with self._file(self._folder, match).open("ab", buffering=0) as file:
                if whole[2]:  # an incomplete line, for instance because the machine lost power
                    file.truncate(len(whole[0] + whole[1]))
                file.write(lines)

    @staticmethod
    def _file(folder: Path, match: str) -> Path:
        return folder / f"{quote(match, safe='')}.evidence.jsonl"


def _read(line: bytes) -> dict[str, Any]:
    """Return the object in a line; an empty one if the line is incomplete (the process was killed) or no object."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.MsgspecError:
        return {}
