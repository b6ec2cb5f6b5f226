"""What follows the log: effects that come after an event was stored, each once, shared by processes of one name."""

from __future__ import annotations

from service.followers.follower import Follower
from service.followers.opening import claims_of
from service.followers.statistics import Counting
from service.followers.status import lines, status, try_again
from service.followers.taking import Handler
from service.followers.waking import Commits

__all__ = ["Commits", "Counting", "Follower", "Handler", "claims_of", "lines", "status", "try_again"]
