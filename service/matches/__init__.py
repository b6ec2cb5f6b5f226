"""What can be done with matches, and what is seen of them. All that is written goes through `change`."""

from __future__ import annotations

from service.matches import invitations, seats, shown, terms, timing, turns
from service.matches.change import Changes
from service.matches.ending import Ending
from service.matches.hesitation import Hesitation, pace
from service.matches.invitations import Invitations
from service.matches.lobby import Lobby, check_open_to, format_cursor, parse_cursor, seat_of
from service.matches.look import Look
from service.matches.opening import ForkWanted, MatchWanted, Opener, Place
from service.matches.orders import MATCHES, Orders
from service.matches.outcome import Outcome
from service.matches.playing import Choice, Playing
from service.matches.seats import Seats
from service.matches.startup import Progress, take_stock
from service.matches.states import Position, States
from service.matches.terms import Clock
from service.matches.turns import Turns
from service.matches.views import Views

__all__ = [
    "MATCHES",
    "Changes",
    "Choice",
    "Clock",
    "Ending",
    "ForkWanted",
    "Hesitation",
    "Invitations",
    "Lobby",
    "Look",
    "MatchWanted",
    "Opener",
    "Orders",
    "Outcome",
    "Place",
    "Playing",
    "Position",
    "Progress",
    "Seats",
    "States",
    "Turns",
    "Views",
    "check_open_to",
    "format_cursor",
    "invitations",
    "pace",
    "parse_cursor",
    "seat_of",
    "seats",
    "shown",
    "take_stock",
    "terms",
    "timing",
    "turns",
]
