"""The clocks of matches: what they do when a decision is due, pauses, vacations, and seats that are given up."""

from __future__ import annotations

from service.clocks import firing, vacations
from service.clocks.firing import Firing
from service.clocks.leaving import Leaving
from service.clocks.outages import Outages
from service.clocks.pausing import Pausing
from service.clocks.vacations import Vacations
