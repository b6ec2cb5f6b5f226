"""What happens, told as it happens: of a match, and of everything in a player's matches."""

from __future__ import annotations

from service.streams.forms import FORMS, Form
from service.streams.match import END, MatchStream, Watching
from service.streams.own import PlayerStream
from service.streams.player import MOST, Item, MyEvents, PlayerLog
from service.streams.streams import Stream, Streams

__all__ = [
    "END",
    "FORMS",
    "MOST",
    "Form",
    "Item",
    "MatchStream",
    "MyEvents",
    "PlayerLog",
    "PlayerStream",
    "Stream",
    "Streams",
    "Watching",
]
