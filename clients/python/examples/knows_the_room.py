"""A bot that knows the rules: it computes the table with foldtable's own code, and plays the move that looks best.

    PYTHONPATH=. python clients/python/examples/knows_the_room.py http://127.0.0.1:8000 TOKEN

Run it in the folder of foldtable. An export holds what the seat may read. The bot folds it by the rules of the game,
and asks `bots.BOTS["greedy"]` for a move; any other function of (game, table, seat, chance) can take its place.
"""

from __future__ import annotations

import io
import secrets
import sys
from typing import Any

import msgspec

from any_game import GONE, accept
from bots import BOTS
from domain import matches
from domain.catalogue import Catalogue
from domain.chance import Simulation
from foldtable_client import Client, Problem
from replays.files.format import Export, read
from replays.log import Log


def main(url: str, token: str) -> None:
    """Accept invitations and play, without end."""
    with Client(url, token) as client:
        for message in client.follow_me():
            told = message.data
            for invitation in told.get("invitations", []):
                accept(client, invitation["match"])
            for turn in [told] if told["kind"] == "turn" else told.get("turns", []):
                play(client, turn["match"], turn["seat"])


def play(client: Client, match: str, seat: int) -> None:
    """Make one move, if this bot is asked. The stream names the next turn."""
    log = seen(client.export(match), match)
    state = log.on_top(log.fold(seat), seat)
    if decision := matches.decision_of(log.game, state, seat):
        move = BOTS["greedy"].choose(log.game, state.table, seat, Simulation(secrets.token_hex(16)))
        try:
            client.move(match, decision, fields_of(move))
        except Problem as problem:
            if problem.status not in GONE:
                raise


def seen(file: bytes, match: str) -> Log:
    """Return the log in an export: the events that this seat may read."""
    export, catalogue = Export(read(io.BytesIO(file), match), match), Catalogue()
    export.pack_for(catalogue)
    return Log(export, match, catalogue)


def fields_of(move: Any) -> dict[str, Any]:
    """Return the move's fields, in the form of a request."""
    found: dict[str, Any] = msgspec.to_builtins(move)
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
