"""Followers of the log: they do the effects of stored events, each once. Processes of one name share the work."""

from __future__ import annotations

from service.followers.follower import Follower
from service.followers.opening import claims_of
from service.followers.statistics import Counting
from service.followers.status import lines, status, try_again
from service.followers.taking import Handler
from service.followers.waking import Commits
