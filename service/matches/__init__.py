"""The use cases of matches, and the answers about them. `change` is the only module that writes to a match."""

from __future__ import annotations

from service.matches import (
    answers,
    films,
    invitations,
    orders,
    profiles,
    rows,
    seats,
    shown,
    takeover,
    terms,
    timing,
    trials,
    turns,
)
from service.matches.change import Changed, Changes
from service.matches.deadlines import away, due_of
from service.matches.ending import Ending
from service.matches.failures import problem_in
from service.matches.farewell import Farewell
from service.matches.films import Films
from service.matches.handing import grace, handed
from service.matches.hesitation import Hesitation, pace
from service.matches.invitations import Invitations
from service.matches.links import Links
from service.matches.lobby import Lobby, check_open_to, format_cursor, parse_cursor, seat_of, viewpoint
from service.matches.look import Look
from service.matches.offers import SeatOffers
from service.matches.opening import ForkWanted, MatchWanted, Opener, Place
from service.matches.orders import MALFORMED, MATCHES, Orders
from service.matches.outcome import Outcome
from service.matches.playing import Choice, Playing
from service.matches.profiles import Profiles
from service.matches.rematch import Rematches
from service.matches.sealing import seal_answer
from service.matches.seats import Seats
from service.matches.startup import Progress, take_stock
from service.matches.states import Position, Recent, States
from service.matches.terms import Clock
from service.matches.turns import Turns
from service.matches.views import Views
