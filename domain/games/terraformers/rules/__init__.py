"""The rules: what may be done at the table and what it brings about. A module for each chapter of RULES.md."""

from domain.games.terraformers.rules.actions import decide
from domain.games.terraformers.rules.choosing import close, default, forced, imagine, legal, secret, to_act
from domain.games.terraformers.rules.scoring import standing
from domain.games.terraformers.rules.setting import check_options, setup

__all__ = [
    "check_options",
    "close",
    "decide",
    "default",
    "forced",
    "imagine",
    "legal",
    "secret",
    "setup",
    "standing",
    "to_act",
]
