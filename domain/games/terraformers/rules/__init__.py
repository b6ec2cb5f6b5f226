"""The rules: which moves are legal, and which events they cause. A module for each chapter of RULES.md."""

from domain.games.terraformers.rules.actions import decide
from domain.games.terraformers.rules.choosing import forced, legal, to_act
from domain.games.terraformers.rules.scoring import standing
from domain.games.terraformers.rules.setup import check_options, setup
