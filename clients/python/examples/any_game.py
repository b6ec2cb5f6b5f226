"""A bot that plays any game: of the moves that it is offered it takes any.

    python any_game.py http://127.0.0.1:8000 TOKEN

It accepts every invitation, waits in one stream for its turns in all of its matches, and needs to know no rules. Kill
it and start it again: the stream begins with the turns that wait.
"""

from __future__ import annotations

import random
import sys

from foldtable_client import Client, Problem

GONE = {403, 404, 409}
"""Statuses of what is not so any more: somebody was faster, or we were, before we were killed."""


def main(url: str, token: str) -> None:
    """Play for ever."""
    with Client(url, token) as client:
        for message in client.follow_me():
            told = message.data
            for invitation in told.get("invitations", []):
                accept(client, invitation["match"])
            for turn in [told] if told["kind"] == "turn" else told.get("turns", []):
                play(client, turn["match"])


def accept(client: Client, match: str) -> None:
    """Sit down where a seat is kept for us."""
    try:
        client.accept(match)
    except Problem as problem:
        if problem.status not in GONE:
            raise


def play(client: Client, match: str) -> None:
    """Move for as long as it is our turn."""
    try:
        now = client.moves(match)
        while now.decision is not None:
            now = client.move(match, now.decision, random.choice(now.moves))
    except Problem as problem:
        if problem.status not in GONE:
            raise


if __name__ == "__main__":
    main(*sys.argv[1:])
