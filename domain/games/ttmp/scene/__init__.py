"""The drawn table, and the touches by which a player makes a move."""

from domain.games.ttmp.scene.pack import showcase
from domain.games.ttmp.scene.palette import PALETTE, STYLE
from domain.games.ttmp.scene.table import scene
from domain.games.ttmp.scene.touches import meant, touches
