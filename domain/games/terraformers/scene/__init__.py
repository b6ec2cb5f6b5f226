"""The drawn table, and the touches by which a player makes a move."""

from domain.games.terraformers.scene.pack import showcase
from domain.games.terraformers.scene.palette import PALETTE, STYLE
from domain.games.terraformers.scene.table import scene
from domain.games.terraformers.scene.touches import meant, touches
