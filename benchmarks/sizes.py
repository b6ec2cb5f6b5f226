"""Measures what a match and a move need: bytes in the store, and processor time of the service without HTTP."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

from benchmarks import Figures
from domain.catalogue import Catalogue
from domain.game import move_id
from service import wiring
from service.config import Config
from service.matches import Choice
from service.telemetry import metrics
from service.web import create_app
from service.wiring import Service

MATCHES = 10
"""The matches of each game."""

COUNTED = 20_000
"""The number of times that the metrics of a move are counted, to measure that."""


def run(matches: int = MATCHES) -> Figures:
    """Play so many matches of random bots in each game, with the most seats; return their bytes and milliseconds."""
    figures: Figures = {}
    for slug in sorted(Catalogue().rooms):
        name = slug.replace("-", "_")
        moves, bytes_, seconds = _played(slug, matches)
        figures[f"{name}_moves_a_match"] = {"value": round(moves / matches, 1), "unit": "moves"}
        figures[f"{name}_bytes_a_match"] = {"value": round(bytes_ / matches), "unit": "bytes"}
        figures[f"{name}_bytes_a_move"] = {"value": round(bytes_ / moves), "unit": "bytes"}
        figures[f"{name}_cpu_a_move"] = {"value": round(1000 * seconds / moves, 3), "unit": "ms"}
    figures["counting_a_move"] = {"value": round(1e6 * _counting(), 2), "unit": "µs"}
    return figures


def _played(slug: str, matches: int) -> tuple[int, int, float]:
    """Return the moves, the bytes (also of opening) and the seconds of processor time of so many matches."""
    with tempfile.TemporaryDirectory() as folder:
        config = Config(data=Path(folder), bot_pause=0.0)
        wiring.build(config).close()
        empty = config.database.stat().st_size
        service = wiring.build(config)
        try:
            ids = _opened(service, slug, matches)
            begun = process_time()
            moves = sum(_play(service, match_id) for match_id in ids)
            seconds = process_time() - begun
        finally:
            service.close()
        # closing the store has moved the write-ahead log into its file
        return moves, config.database.stat().st_size - empty, seconds


def _opened(service: Service, slug: str, matches: int) -> list[str]:
    client = create_app(service).test_client()
    token = client.post("/api/players", json={"name": "Bench"}).get_json()["token"]
    seats = [{"bot": "random"}] * service.catalogue.rooms[slug].game.seats[-1]
    headers = {"Authorization": f"Bearer {token}"}
    wanted = {"game": slug, "seats": seats}
    return [client.post("/api/matches", json=wanted, headers=headers).get_json()["id"] for _ in range(matches)]


def _play(service: Service, match_id: str) -> int:
    """Play a match to its end, as a worker does, and return the number of moves."""
    worker = service.accounts.asker(service.config.worker_token.read_text(encoding="ascii"))
    draw, made = Random(match_id), 0
    while dues := service.recorder.decisions("bot:", match_id):
        for due in dues:
            look = service.views.look(match_id, worker, due.seat)
            legal: tuple[Any, ...] = look.log.game.legal(look.state.table, due.seat)
            choice = Choice(decision=due.since, id=move_id(draw.choice(legal)))
            service.playing.move(worker, match_id, choice, due.seat)
            made += 1
    return made


def _counting() -> float:
    """Return the seconds that it takes to count all metrics of a move."""
    begun = perf_counter()
    for _ in range(COUNTED):
        metrics.answered("/api/matches/{match_id}/moves", "POST", "200", 0.002)
        metrics.appended(0.001)
        metrics.moved("bench")
    return (perf_counter() - begun) / COUNTED
