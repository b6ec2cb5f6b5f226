"""The rules: which moves are legal, and which events they cause. A module for each chapter of RULES.md."""

from domain.games.ttmp.rules.scoring import standing
from domain.games.ttmp.rules.setup import check_options, never, setup
from domain.games.ttmp.rules.turn import decide, forced, legal, to_act
