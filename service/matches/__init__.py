"""The use cases of matches, and the answers about them. `change` is the only module that writes to a match."""

from service.matches import answers, films, orders, reviews, rows, seats, shown, startup, terms
from service.matches.change import Changes, Decide
from service.matches.deadlines import Hesitation, away
from service.matches.ending import NO_SEAT, Ending, Farewell, all_agree
from service.matches.films import Films
from service.matches.offers import Besides, Known, Marks, SeatOffers, grace, handed
from service.matches.opening import ForkWanted, MatchWanted, Opener, Place
from service.matches.orders import MALFORMED, Orders, OrderWish
from service.matches.playing import Choice, Playing, seal_answer
from service.matches.reviews import CostlyMoment, Hint, MatchReview, Reviews
from service.matches.rows import Profiles
from service.matches.seats import Links, Seats
from service.matches.startup import Progress, take_stock
from service.matches.states import (
    Lobby,
    Look,
    Outcome,
    Position,
    Recent,
    States,
    check_open_to,
    due_of,
    is_open_to,
    own_seat,
    page_of,
    parse_cursor,
    seat_of,
    viewpoint,
)
from service.matches.views import Views
