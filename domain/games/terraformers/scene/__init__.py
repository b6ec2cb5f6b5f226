"""The table as it is drawn, and where a hand makes a move."""

from domain.games.terraformers.scene.pack import showcase
from domain.games.terraformers.scene.palette import PALETTE
from domain.games.terraformers.scene.table import scene
from domain.games.terraformers.scene.touches import meant, touches

__all__ = ["PALETTE", "meant", "scene", "showcase", "touches"]
