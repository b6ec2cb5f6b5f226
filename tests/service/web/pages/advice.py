"""Who looks over a player's shoulder in a browser, and says what a bot of the house would touch there."""

from __future__ import annotations

import io
from typing import Any, Protocol

from bots import BOTS
from domain import matches
from domain.catalogue import Catalogue
from domain.chance import Simulation
from domain.game import move_id
from domain.trying import tried
from replays.files.format import Export, read
from replays.log import Log


class Player(Protocol):
    """Who plays."""

    def export(self, match: str) -> bytes:
        """The match as far as this player was told of it."""
        ...


class Friend:
    """Knows of one match what its player was told, and no more."""

    def __init__(self, player: Player, match: str, seat: int, bot: str = "greedy") -> None:
        self.match = match
        self._player, self._seat, self._bot = player, seat, bot
        self._chance = Simulation(f"{bot} {seat}")
        self._catalogue = Catalogue()

    def path(self, staged: list[str]) -> list[str]:
        """What to touch, one thing after the other, once these moves have been tried; nothing where nobody is asked."""
        export = Export(read(io.BytesIO(self._player.export(self.match)), self.match), self.match)
        export.pack_for(self._catalogue)
        log = Log(export, self.match, self._catalogue)
        game, seat = log.game, self._seat
        state = log.on_top(log.fold(seat), seat)
        if not matches.decision_of(game, state, seat):
            return []
        table: Any = state.table
        for id in staged:
            move = next((one for one in game.legal(table, seat) if move_id(one) == id), None)
            if move is None:
                return []
            ((_, table),) = tried(game, table, seat, (move,))
        return list(game.touches(table, seat, BOTS[self._bot].choose(game, table, seat, self._chance)))
