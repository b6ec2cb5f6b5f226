"""What players want by mail, whether their addresses take it, and the letters to them.

A player who has confirmed an address has a row in `mailing`, and nobody else; it counts as long as the account has that
address. A letter is a mail about an account, a digest, or an answer to a player's own mail. It is posted in the
transaction of what it tells, so it is sent exactly if that happened. Its text is not stored, only its kind and the
values that the kind needs. A secret in it is made when it is sent (`service.signing`), so none is stored here.
"""

from __future__ import annotations

import msgspec

from events.store import Statement, Tables
from service.store import deliveries
from service.store.deliveries import MAIL, WAITING, Delivery
from service.store.statements import THE_MATCH, insert, read_sql, reading, statement, statements

DIGEST, ANSWER = "digest", deliveries.ANSWER


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A mail that is to be sent."""

    id: str
    """`m_` and an id of `events.chain.fresh_id`, or a name of what it tells. A second letter of the same id is not
    posted while the first waits."""
    kind: str
    player: str
    """Its reader."""
    address: str = ""
    """The address that it is sent to; "": the address that the player has confirmed when it is sent."""
    lang: str = ""
    about: str = "{}"
    """The values that its kind needs, as JSON."""
    at: str
    """When it was posted."""


def post(letter: Letter) -> Statement:
    """Return the statement that posts the letter."""
    told = Delivery(
        home=letter.player,
        id=letter.id,
        channel=MAIL,
        target="",
        player=letter.player,
        kind=letter.kind,
        body=msgspec.json.encode(letter).decode(),
        at=letter.at,
        due=letter.at,
    )
    return deliveries.enter(told)


def read_letter(one: Delivery) -> Letter:
    """Return the letter that was posted."""
    return msgspec.json.decode(one.body, type=Letter)


LETTERS = "DELETE FROM deliveries WHERE partition = :partition AND player = :player AND home = :player"
drop_letters = statement("player kind", f"{LETTERS} AND kind = :kind")
"""Deletes the player's waiting letters of that kind."""
drop_all_letters = statement("player", LETTERS)
"""Deletes all waiting letters of the player."""

EACH, NONE = "each", "none"
UNSUBSCRIBED, BOUNCED = "unsubscribed", "bounced"
ENOUGH = 3
"""How often an address must be permanently refused before nothing is sent to it any more."""


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What a player wants by mail."""

    player: str
    address: str
    """The confirmed address."""
    lang: str
    turns: str
    """`each` turn in a mail, one `digest` a day, or `none`."""
    news: bool
    """Whether they are told of the kinds in `notices.NEWS`."""
    hour: int
    """The hour of the day at which the digest is sent."""
    zone: str
    """The time zone of the hour, as in `Europe/Berlin`."""
    digest: str
    """When the next digest is due; "" for never."""
    stopped: str
    """Why nothing is sent: `unsubscribed` or `bounced`; "" if mails are sent."""
    bounces: int
    """How often the address was permanently refused since it was confirmed, or since the player wrote from it."""


_wishes = reading(Wishes)


COLUMNS = ", ".join(Wishes.__struct_fields__)
SQL = read_sql("mailing", columns=COLUMNS, new=deliveries.SQL["new"], mail=MAIL, waiting=WAITING, digest=DIGEST)


def wishes_of(store: Tables, player: str) -> Wishes | None:
    """Return what the player wants; None if no address is confirmed."""
    return next(iter(_read(store, SQL["of_player"], player=player)), None)


def digests(store: Tables, now: str, most: int) -> tuple[Wishes, ...]:
    """Return the wishes of at most `most` players whose digest is due."""
    return _read(store, SQL["digests"], now=now, most=most)


def _read(store: Tables, sql: str, **named: object) -> tuple[Wishes, ...]:
    return tuple(map(_wishes, store.find(Statement(sql, named))))


WISHES = ("lang", "turns", "news", "hour", "zone", "digest", "stopped", "bounces")
_change = statements(
    " ".join(("player", *WISHES, *(f"was_{name}" for name in WISHES))), SQL["change"], SQL["demand_changed"]
)


def change(before: Wishes, after: Wishes) -> list[Statement]:
    """Return the statements that store what the player wants.

    They fail for a missing value, and their transaction with them, if it is no longer what it was before.
    """
    return _change(after, **{f"was_{name}": getattr(before, name) for name in WISHES})


confirm = statement("player address lang now", SQL["confirm"])
"""Has mails sent to the address, since the player has shown that it is theirs. A digest that was stopped is due now."""
stop = statement(
    "player address why",
    "UPDATE mailing SET stopped = :why, digest = '' WHERE player = :player AND address = :address",
)
"""Stops all sending to the address."""
bounce = statement("player address enough", SQL["bounce"], enough=ENOUGH)
"""Notes that the address was refused for good once more."""
heard = statement("player", SQL["heard"])
"""Notes that the player has written from their address, so it exists, and mails are sent to it again."""
answer = statement("player now horizon most", SQL["answer"])
"""Counts one more answer to what the player wrote; it changes no row if there were `most` since the horizon."""
forget = statement("player", "DELETE FROM mailing WHERE player = :player")
"""Deletes the player's row."""
hush = insert("quiet", "partition match player", "ON CONFLICT DO NOTHING")
"""Notes that the player wants no mails of the match."""
unhush = statement("match player", f"DELETE FROM quiet WHERE {THE_MATCH} AND player = :player")
"""Notes that the player wants mails of the match again."""
_post_digest = statements(
    "player digest now id body next",
    SQL["hold_mailing"],
    SQL["post_digest"],
    "UPDATE mailing SET digest = :next WHERE player = :player AND digest = :digest",
)


def post_digest(wishes: Wishes, now: str, following: str) -> list[Statement]:
    """Return the statements that post the player's digest, and set when the next is due.

    It is not posted if another process did, or an earlier one waits: that tells all when it is sent.
    """
    letter = Letter(id=f"digest:{wishes.player}:{wishes.digest}", kind=DIGEST, player=wishes.player, at=now)
    body = msgspec.json.encode(letter).decode()
    return _post_digest(wishes.player, wishes.digest, now, letter.id, body, following)


def is_quiet(store: Tables, match: str, player: str) -> bool:
    """Return whether the player wants no mails of the match."""
    return bool(store.find(Statement(SQL["is_quiet"], {"match": match, "player": player}, match)))


def quiet(store: Tables, player: str) -> tuple[str, ...]:
    """Return the matches of which the player wants no mails."""
    return tuple(sorted([match for (match,) in store.find_everywhere(SQL["quiet"], player=player)]))
