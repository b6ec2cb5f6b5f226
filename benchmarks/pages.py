"""How long pages take on the server: the lobby of a big house, and tables in the middle of matches of each game."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from benchmarks.http import Client, serving
from benchmarks.start import fill
from benchmarks.views import Figures, measured
from domain.catalogue import Catalogue
from service.config import Config

MATCHES = 50_000
LONGEST = 8
"""Events of each match of the lobby: rows are made of what the lobby keeps, not of these."""

TABLES = 8
"""Of each game, each looked at in turn."""

MOVES = 40
SECONDS = 2.0


def seated(worker: Client, person: Client, game: str, seats: int, moves: int, luck: Random) -> str:
    """A match in its middle in which the person sits among bots, and is asked, or was asked last."""
    wanted = [None, *[{"bot": "random"}] * (seats - 1)]
    match = str(person.ask("POST", "/api/matches", {"game": game, "seats": wanted})["id"])
    path = f"/api/matches/{match}"
    person.ask("POST", f"{path}/seats", {"seat": 0})
    for made in range(10 * moves):
        now, who, seat = person.ask("GET", f"{path}/moves"), person, {}
        if now["decision"] is not None and made >= moves:
            break
        if now["decision"] is None:
            asked = worker.ask("GET", f"{path}/bots")["decisions"]
            if not asked:
                break
            who, seat = worker, {"seat": asked[0]["seat"]}
            now = worker.ask("GET", f"{path}/moves?seat={seat['seat']}")
        said = {"decision": now["decision"], "id": luck.choice(now["moves"])["id"], **seat}
        who.ask("POST", f"{path}/moves", said)
    return match


def run(
    seconds: float = SECONDS,
    matches: int = MATCHES,
    tables: int = TABLES,
    moves: int = MOVES,
    slugs: Sequence[str] = (),
) -> Figures:
    """Milliseconds of one web process, one caller: the lobby and the first page for nobody and for somebody who plays,
    that one's turns, and their own tables.
    """
    figures: Figures = {}
    with tempfile.TemporaryDirectory() as folder:
        fill(Config(data=Path(folder)), matches, LONGEST)
        with serving(1, folder) as (port, pids):
            with closing(Client(port, "")) as stranger:
                token = stranger.ask("POST", "/api/players", {"name": "Bench"})["token"]
            worker, rooms = (Path(folder) / "worker-token").read_text(encoding="ascii").strip(), Catalogue().rooms
            asked: dict[str, tuple[str, Sequence[str]]] = {}
            cookie = f"Cookie: foldtable={token}"
            for slug in slugs or sorted(rooms):
                with closing(Client(port, worker)) as bots, closing(Client(port, token)) as person:
                    most, luck = rooms[slug].game.seats[-1], Random(slug)
                    found = [seated(bots, person, slug, most, moves, luck) for _ in range(tables)]
                asked[f"{slug.replace('-', '_')}_table"] = cookie, [f"/matches/{match}" for match in found]
            asked |= {
                "lobby_nobody": ("Cookie: a=b", ["/lobby"]),
                "lobby": (cookie, ["/lobby"]),
                "lobby_of_a_game": (cookie, ["/lobby?game=magicative&status=open"]),
                "home": ("Cookie: a=b", ["/"]),
                "turns": (cookie, ["/turns"]),
            }
            for name, (said, paths) in asked.items():
                figures |= measured(f"page_{name}", port, said, paths, 1, seconds, pids)
    return {"page_matches": {"value": matches, "unit": "matches"}, **figures}
