"""The shapes of what is sent about time, and about who plays a seat."""

from __future__ import annotations

from marshmallow import Schema

from bots import BOTS
from service.web.inputs import one_of


class StandInWanted(Schema):
    """The bot that is to play for you; null: the one that the match was opened with."""

    bot = one_of(*BOTS, load_default=None, allow_none=True)
