"""Measures how long the server takes for pages: the lobby of a large service, and tables in the middle of matches."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

from benchmarks import Figures, house, places
from benchmarks.http import Client, serving, sign_up, worker_token
from benchmarks.servers import serving_store
from benchmarks.views import measured
from domain.catalogue import Catalogue
from service import wiring
from service.config import Config
from service.matches.states import format_cursor
from service.store import Player

MATCHES = 50_000
OWN = 2000
"""The matches of a player who has played a lot, the veteran."""

LATE = format_cursor("opened", "2026-03-11T00:00:00.000Z", "")
"""A cursor far from the first page of a list."""

LOBBY = {
    "first": "/lobby",
    "of_a_game": "/lobby?game=magicative",
    "of_a_game_open": "/lobby?game=magicative&status=open",
    "of_a_speed": "/lobby?speed=minutes",
    "of_a_speed_over": "/lobby?speed=days&status=finished",
    "free": "/lobby?seat=free",
    "playing": "/lobby?status=playing",
    "finished": "/lobby?status=finished",
    "finished_later": f"/lobby?status=finished&cursor={LATE}",
    "aborted_of_a_game": "/lobby?status=aborted&game=three-magic",
}

TABLES = 8
"""The matches of each game whose pages are requested in turn."""

MOVES = 40
SECONDS = 2.0


def seated(worker: Client, person: Client, game: str, seats: int, moves: int, luck: Random) -> str:
    """Play at least `moves` moves of a match of the person and bots, until the person is asked; return its id."""
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
    store: str = "sqlite",
    slugs: Sequence[str] = (),
) -> Figures:
    """Return the milliseconds of each page, with one web process and one caller.

    The lobby is requested by a stranger, a player (who has `tables` matches of each game) and a veteran; `/turns` by
    the last two, tables by the player, the first page by a stranger.
    Raises:  NotAtHand if there is no such store.
    """
    figures: Figures = {}
    with serving_store(store) as (url, _), tempfile.TemporaryDirectory() as folder:
        veteran = _filled(Config(data=Path(folder), store=url), matches)
        with serving(1, folder, url) as (port, pids):
            token, worker, rooms = sign_up(port), worker_token(folder), Catalogue().rooms
            asked: dict[str, tuple[str, Sequence[str]]] = {}
            cookie = f"Cookie: foldtable={token}"
            for slug in slugs or sorted(rooms):
                with closing(Client(port, worker)) as bots, closing(Client(port, token)) as person:
                    most, luck = rooms[slug].game.seats[-1], Random(slug)
                    found = [seated(bots, person, slug, most, moves, luck) for _ in range(tables)]
                asked[f"{slug.replace('-', '_')}_table"] = cookie, [f"/matches/{match}" for match in found]
            for who, said in ("nobody", "Cookie: a=b"), ("player", cookie), ("veteran", f"Cookie: foldtable={veteran}"):
                asked |= {f"lobby_{who}_{what}": (said, [path]) for what, path in LOBBY.items()}
            asked |= {"home": ("Cookie: a=b", ["/"]), "turns": (cookie, ["/turns"])}
            asked["turns_veteran"] = f"Cookie: foldtable={veteran}", ["/turns"]
            asked["lobby_veteran_mine"] = f"Cookie: foldtable={veteran}", ["/lobby?mine=yes"]
            for name, (said, paths) in asked.items():
                figures |= measured(f"page_{name}", port, said, paths, 1, seconds, pids)
    return {"page_matches": {"value": matches, "unit": "matches"}, **figures}


def _filled(config: Config, matches: int) -> str:
    """Fill the store, and return the token of a player who has a seat in many of its matches."""
    service = wiring.build(config)
    with closing(service):
        player, token = service.accounts.sign_up(
            Player("p_veteran", "Veteran", "human", None, service.accounts.front.at()), None
        )
        house.fill(service, matches, player.id, min(OWN, matches // 2))
    if config.store:
        places.settle(config.store)
    return token
