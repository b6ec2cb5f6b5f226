"""The rules: which moves are legal, and which events they cause. A module for each chapter of RULES.md."""

from domain.games.three_magic.rules.settling import standing
from domain.games.three_magic.rules.setup import check_options, setup
from domain.games.three_magic.rules.turn import close, decide, forced, legal, secret, to_act
