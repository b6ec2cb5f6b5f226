"""The drawn table, and the touches by which a player makes a move."""

from domain.games.three_magic.scene.pack import showcase
from domain.games.three_magic.scene.palette import PALETTE, STYLE
from domain.games.three_magic.scene.table import scene
from domain.games.three_magic.scene.touches import meant, touches
