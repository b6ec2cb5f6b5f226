"""Followers of the log: they do the effects of stored events, each once. Processes of one name share the work."""

from service.followers.claims import claims_of
from service.followers.follower import Follower, Handler, status, try_again
from service.followers.statistics import Counting
