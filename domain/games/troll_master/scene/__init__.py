"""The drawn table, and the touches by which a player makes a move."""

from domain.games.troll_master.scene.pack import showcase
from domain.games.troll_master.scene.palette import PALETTE, STYLE
from domain.games.troll_master.scene.table import scene
from domain.games.troll_master.scene.touches import meant, touches
