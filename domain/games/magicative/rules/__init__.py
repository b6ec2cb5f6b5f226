"""The rules: what may be done at the table and what it brings about."""

from domain.games.magicative.rules.ending import standing
from domain.games.magicative.rules.setup import check_options, setup
from domain.games.magicative.rules.turn import decide, forced, legal, to_act

__all__ = ["check_options", "decide", "forced", "legal", "setup", "standing", "to_act"]
