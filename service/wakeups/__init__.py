"""Wakes requests that wait for a match to grow, in this process and in others."""

from service.wakeups.commits import CHANNEL, Listener, Publisher, news_of_commits
from service.wakeups.waiting import Bell, Bells, Players, WaitingTokens, name_of, table_name, token_name
