"""Streams that send events as they happen: of one match, or of all matches of a player."""

from __future__ import annotations

from service.streams.forms import FORMS, Form
from service.streams.match import END, MatchStream, Watching
from service.streams.own import PlayerStream
from service.streams.player import MOST, Item, MyEvents, PlayerLog
from service.streams.streams import Stream, Streams
