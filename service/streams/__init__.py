"""Streams that send events as they happen: of one match, or of all matches of a player."""

from service.streams.match import END, FORMS, Form, MatchStream, Streams, Watching
from service.streams.player import MOST, Item, MyEvents, PlayerLog, PlayerStream, Stream
