"""What can be done with matches, and what is seen of them. All that is written goes through `change`."""

from __future__ import annotations

from service.matches import invitations, seats, shown, turns
from service.matches.change import Changes
from service.matches.ending import Ending
from service.matches.hesitation import Hesitation, pace
from service.matches.invitations import Invitations
from service.matches.lobby import Lobby, check_open_to, viewpoint
from service.matches.look import Look
from service.matches.opening import ForkWanted, MatchWanted, Opener, Place
from service.matches.playing import Choice, Playing
from service.matches.seats import Seats
from service.matches.startup import Progress, take_stock
from service.matches.states import Recent, States
from service.matches.turns import Turns
from service.matches.views import Views

__all__ = [
    "Changes",
    "Choice",
    "Ending",
    "ForkWanted",
    "Hesitation",
    "Invitations",
    "Lobby",
    "Look",
    "MatchWanted",
    "Opener",
    "Place",
    "Playing",
    "Progress",
    "Recent",
    "Seats",
    "States",
    "Turns",
    "Views",
    "check_open_to",
    "invitations",
    "pace",
    "seats",
    "shown",
    "take_stock",
    "turns",
    "viewpoint",
]
