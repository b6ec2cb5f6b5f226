"""The drawn table, and the touches by which a player makes a move. Ids count seats and places from 0."""

from domain.games.magicative.scene.pack import showcase
from domain.games.magicative.scene.palette import PALETTE, STYLE
from domain.games.magicative.scene.table import scene
from domain.games.magicative.scene.touches import meant, touches, ways
