"""The shapes of answers, for the OpenAPI document. Nothing is dumped through them: answers are encoded as they are."""

from __future__ import annotations

from marshmallow import fields

from service.web import clock_answers
from service.web.inputs import one_of
from service.web.lobby_answers import MatchSummary, Points, status
from service.web.lobby_answers import Who as Who  # noqa: PLC0414

# what other answers are made of is had here too
from service.web.shape import Shape as Shape  # noqa: PLC0414
from service.web.shape import listed as listed  # noqa: PLC0414
from service.web.shape import object_ as object_  # noqa: PLC0414
from service.web.shape import text as text  # noqa: PLC0414
from service.web.shape import whole as whole  # noqa: PLC0414


class Problem(Shape):
    """RFC 9457, with a code for programs, and the clause where the rules refuse. `title` and `detail` are for people,
    in the language that the request asks for.
    """

    type = text()
    title = text()
    status = whole()
    detail = text()
    code = text()
    clause = fields.String()
    fields_ = fields.Dict(
        data_key="fields", metadata={"description": "What `detail` names: numbers, names, rows of these; by code."}
    )
    scope = fields.String(metadata={"description": "The one that the token lacks."})
    errors = fields.Dict(
        metadata={
            "description": "What is wrong, by field, and in that by what it holds; `body` or `query` where it is with"
            " all of it."
        }
    )
    open = fields.Dict(metadata={"description": "The decision that is open now, and its moves."})
    wrong = fields.List(
        fields.String(), metadata={"description": "What keeps the service from working: all of it, by name."}
    )
    nearest = fields.List(
        fields.Integer(), metadata={"description": "The versions next to the one named that can be forked."}
    )


def drawn() -> fields.Dict:
    """How the table is drawn, where that was asked for."""
    return fields.Dict(allow_none=True, metadata={"description": "How the table is drawn; there if it was asked for."})


class Turn(Shape):
    """A decision that waits for the asker."""

    match = text()
    seat = whole()
    decision = whole()
    due = text(allow_none=True)


class Turns(Shape):
    """The soonest deadline first."""

    turns = listed(Turn)


class Rules(Shape):
    """By which rules a match is played, to its end."""

    version = whole()
    pack = text()
    pack_hash = text()


class Standing(Points):
    """Who is ahead."""

    over = fields.Boolean(required=True)


class Breaking(Shape):
    """Whether the match is to be broken off: the seats that agree, until all players do. Bots always agree."""

    agreed = listed(fields.Integer())


class Forked(Shape):
    """From where a match goes on."""

    match = text()
    version = whole()


class Match(MatchSummary):
    """A match as the asker may see it now."""

    version = whole()
    rules = fields.Nested(Rules, required=True)
    options = object_()
    playable = fields.Boolean(
        required=True,
        metadata={
            "description": "Whether the rules at hand are the match's own. If not, it can be looked at and not played"
            " on; who is asked and who is ahead is not told then."
        },
    )
    to_act = listed(fields.Integer())
    sealed = fields.Boolean(required=True)
    decision = whole(allow_none=True)
    seat = whole(allow_none=True)
    view = object_(allow_none=True)
    text = text(allow_none=True)
    scene = drawn()
    standing = fields.Nested(Standing, required=True, allow_none=True)
    abort = fields.Nested(Breaking, required=True)
    clock = fields.Nested(clock_answers.MatchClock, required=True, allow_none=True)
    deadlines = listed(clock_answers.Deadline)
    pause = fields.Nested(clock_answers.Pausing, required=True)
    forked = fields.Nested(Forked, required=True, allow_none=True)


class Event(Shape):
    """An event as the asker may read it: `public` for all, `secret` what they may open besides."""

    actor = text()
    at = fields.String(required=True, metadata={"format": "date-time"})
    commits = object_()
    hash = text()
    move = whole()
    public = object_()
    schema = whole()
    secret = object_()
    stream = text()
    type = text()
    version = whole()
    text = fields.String(metadata={"description": "The event in words; not there when `texts` is false."})
    scene = drawn()


class Receipt(Shape):
    """The service's signature under an event, and so under all before it in its stream: to be kept."""

    at = fields.String(required=True, metadata={"format": "date-time"})
    domain = text()
    hash = text()
    key = text(metadata={"description": "The name of the key; GET /api/keys has it."})
    signature = text()
    stream = text()
    version = whole()


class Key(Shape):
    """A public key, which signs from `since` until the next one's."""

    by = text(allow_none=True, metadata={"description": "The key before it, which signed this; null for the first."})
    key = text()
    public = text()
    signature = text()
    since = fields.String(required=True, metadata={"format": "date-time"})


class Keys(Shape):
    """The oldest first; the last one signs."""

    keys = listed(Key)


class NewMatch(Match):
    """A match just opened, with its first event and the receipt for that."""

    opening = fields.Nested(Event, required=True)
    receipt = fields.Nested(Receipt, required=True)


class ChangedMatch(Match):
    """A match with the receipt for the last event that the request brought about; null where it brought about none."""

    receipt = fields.Nested(Receipt, required=True, allow_none=True)


class Events(Shape):
    """A page of a log."""

    events = listed(Event)
    next = whole(allow_none=True, metadata={"description": "Where the next page begins: its `after`."})


class Then(Shape):
    """What was seen at a version."""

    id = text()
    version = whole()
    status = status()
    seat = whole(allow_none=True)
    view = object_(allow_none=True)
    text = text(allow_none=True)
    scene = drawn()
    standing = fields.Nested(Standing, required=True, allow_none=True)


class Move(Shape):
    """A move that may be chosen."""

    id = text()
    move = object_()
    text = text()
    touches = listed(fields.String())
    final = fields.Boolean(
        metadata={"description": "In a trial: whether it is for good, as it tells something new or hands the turn on."}
    )


class Moves(Shape):
    """The open decision and its moves."""

    game = text()
    decision = whole(allow_none=True)
    moves = listed(Move)


class Sealed(Shape):
    """Where an answer under seal was written: the seat's private log, with the receipt for it."""

    stream = text()
    version = whole()
    hash = text()
    receipt = fields.Nested(Receipt, required=True)


class Asked(Moves):
    """What another bot is asked."""

    seat = whole()


class Moved(Moves):
    """What a move brought about, as far as the mover may know, and what is open now."""

    others = listed(Asked)

    version = whole()
    events = listed(Event)
    receipt = fields.Nested(
        Receipt,
        required=True,
        allow_none=True,
        metadata={"description": "For the last of the events; null when there are none."},
    )
    sealed = fields.Nested(Sealed, required=True, allow_none=True)
    status = status()


class BotDecision(Shape):
    """A bot that is asked."""

    seat = whole()
    decision = whole()
    bot = text()
    wait = fields.Float(required=True, metadata={"description": "Seconds until it may be answered."})


class BotDecisions(Shape):
    """The bots that are asked."""

    decisions = listed(BotDecision)


class GameSummary(Shape):
    """A game that can be played here."""

    slug = text()
    title = object_()
    version = whole()
    seats = listed(fields.Integer())


class Games(Shape):
    """All of them."""

    games = listed(GameSummary)


class Pack(Shape):
    """A set of printed numbers, and what its cards are called."""

    name = text()
    hash = text()
    names = object_(
        metadata={"description": "By sort and by what options, moves and events call a piece: its name, `en` and `ja`."}
    )


class BotKind(Shape):
    """A bot that a seat can be given to, and how it chooses, in `en` and `ja`."""

    name = text()
    about = object_()


class Tone(Shape):
    """A colour in which pieces of a game are drawn, and a sign for who sees no colours."""

    name = text(metadata={"description": "As the pieces of a `scene` call it."})
    title = object_(metadata={"description": "What it stands for, by language: `en` and `ja`."})
    light = text(metadata={"description": "On a light table: `#rrggbb`, on which white letters are legible."})
    dark = text(metadata={"description": "On a dark table: `#rrggbb`, on which white letters are legible."})
    sign = text(metadata={"description": "The sign: an SVG path in a box of 24 by 24, to be filled."})


class Game(GameSummary):
    """A game, with JSON schemas of what is sent and told."""

    bound = whole()
    packs = listed(Pack)
    bots = listed(BotKind)
    palette = listed(Tone)
    options = object_()
    view = object_()
    moves = listed(fields.Dict())
    events = object_()
    schemas = object_()


class Room(Shape):
    """How many there may be at the same time."""

    name = text()
    by = one_of("address", "account", required=True)
    most = whole()
    left = fields.Integer(
        required=True, allow_none=True, metadata={"description": "For you; null where you are not counted."}
    )


class Rate(Room):
    """How much may be asked for."""

    seconds = whole(metadata={"description": "Within which all that was used comes back, evenly."})


class Limits(Shape):
    """What the service allows."""

    body_bytes = whole()
    page = object_()
    wait_seconds = whole()
    waiting = whole()
    name_characters = whole()
    sittings = object_(metadata={"description": "How often seats of a match are taken: by a player, and for each."})
    invitations = whole(metadata={"description": "How many seats a player may keep for others at a time."})
    accounts = fields.Nested("AccountLimits", required=True)
    bot_moves_per_minute = whole(metadata={"description": "How many the bots in one account's matches make; 0: any."})
    talk = object_(
        metadata={
            "description": "What may be said at tables: characters and lines of a message, messages of a player in a"
            " match, players muted, and for how many hours a message can be erased."
        }
    )
    idempotency_key_hours = whole()
    rates = listed(Rate)
    at_once = listed(Room)
    quotas = listed(Room)


class Health(Shape):
    """Whether it lives."""

    status = text()
