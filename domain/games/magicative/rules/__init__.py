"""The rules: which moves are legal, and which events they cause. A module for each chapter of RULES.md."""

from domain.games.magicative.rules.ending import standing
from domain.games.magicative.rules.setup import check_options, setup
from domain.games.magicative.rules.turn import decide, forced, legal, to_act
