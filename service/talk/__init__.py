"""The messages of players at a table, which are never stored in the match's log."""

from __future__ import annotations

from service.talk.talking import ERASABLE, MESSAGES, MUTES, Talk, TalkPage
from service.talk.words import LENGTH, LINES, REASON, BadText, enforce
