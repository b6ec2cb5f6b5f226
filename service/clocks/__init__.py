"""The clocks of matches: what they do when a decision is due, pauses, vacations, and seats that are given up."""

from service.clocks import firing, leaving
from service.clocks.firing import Firing
from service.clocks.leaving import Leaving, Vacations
from service.clocks.pausing import Outages, Pausing
