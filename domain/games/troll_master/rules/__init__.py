"""The rules: which moves are legal, and which events they cause. A module for each chapter of RULES.md."""

from domain.games.troll_master.rules.scoring import standing
from domain.games.troll_master.rules.setup import check_options, setup
from domain.games.troll_master.rules.turn import decide, forced, legal, to_act
