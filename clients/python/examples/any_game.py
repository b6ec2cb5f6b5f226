"""A bot that plays any game: it chooses its moves at random.

    python any_game.py http://127.0.0.1:8000 TOKEN

It accepts every invitation, reads the turns of all its matches from one stream, and knows no rules. You may stop it and
start it again: the stream begins with the turns that wait.
"""

from __future__ import annotations

import random
import sys

from foldtable_client import Client, Problem

GONE = {403, 404, 409}
"""Statuses that say that there is nothing left to do: somebody was faster, or this bot did it before it was stopped."""


def main(url: str, token: str) -> None:
    """Accept invitations and play, without end."""
    with Client(url, token) as client:
        for message in client.follow_me():
            told = message.data
            for invitation in told.get("invitations", []):
                accept(client, invitation["match"])
            for turn in [told] if told["kind"] == "turn" else told.get("turns", []):
                play(client, turn["match"])


def accept(client: Client, match: str) -> None:
    """Take the seat that is kept for this bot."""
    try:
        client.accept(match)
    except Problem as problem:
        if problem.status not in GONE:
            raise


def play(client: Client, match: str) -> None:
    """Make moves as long as it is this bot's turn."""
    try:
        now = client.moves(match)
        while now.decision is not None:
            now = client.move(match, now.decision, random.choice(now.moves))
    except Problem as problem:
        if problem.status not in GONE:
            raise


if __name__ == "__main__":
    main(*sys.argv[1:])
