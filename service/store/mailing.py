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
from service.store.deliveries import LETTERS, LETTERS_OF_KIND, MAIL, NEW, WAITING, Delivery

DIGEST, ANSWER = "digest", "answer"


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """A mail that is to be sent."""

    id: str
    """`m_` and an id of `events.naming.fresh_id`, or a name of what it tells. A second letter of the same id is not
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


def drop_letters(player: str, kind: str) -> Statement:
    """Return the statement that deletes the player's waiting letters of that kind."""
    return Statement(LETTERS_OF_KIND, {"player": player, "kind": kind}, player)


def drop_all_letters(player: str) -> Statement:
    """Return the statement that deletes all waiting letters of the player."""
    return Statement(LETTERS, {"player": player}, player)


EACH, NONE = "each", "none"
UNSUBSCRIBED, BOUNCED = "unsubscribed", "bounced"
ENOUGH = 3
"""Times in a row that an address must be refused for good before nothing is sent to it any more."""

COLUMNS = "player, address, lang, turns, news, hour, zone, digest, stopped, bounces"
OF_ACCOUNT = (
    "FROM mailing JOIN players ON players.id = mailing.player AND players.email = mailing.address"
    " AND players.confirmed IS NOT NULL"
)
FIND = f"SELECT {COLUMNS} {OF_ACCOUNT} WHERE player = :player"
FIND_DIGESTS = f"SELECT {COLUMNS} {OF_ACCOUNT} WHERE digest <> '' AND digest <= :now ORDER BY digest LIMIT :most"
CONFIRM = (
    "INSERT INTO mailing (player, address, lang, turns, news, hour, zone, digest, stopped, bounces, answers,"
    " answers_since) VALUES (:player, :address, :lang, 'each', 1, 7, 'UTC', '', '', 0, 0, '')"
    " ON CONFLICT (player) DO UPDATE SET address = excluded.address, stopped = '', bounces = 0"
)
CHANGE = (
    "UPDATE mailing SET lang = :lang, turns = :turns, news = :news, hour = :hour, zone = :zone, digest = :digest,"
    " stopped = :stopped, bounces = :bounces WHERE player = :player"
)
STOP = "UPDATE mailing SET stopped = :why, digest = '' WHERE player = :player AND address = :address"
BOUNCE = (
    "UPDATE mailing SET bounces = bounces + 1, stopped = CASE WHEN bounces + 1 >= :enough AND stopped = ''"
    " THEN 'bounced' ELSE stopped END WHERE player = :player AND address = :address"
)
HEARD = "UPDATE mailing SET bounces = 0 WHERE player = :player AND bounces > 0"
COUNT_ANSWER = (
    "UPDATE mailing SET answers = CASE WHEN answers_since > :horizon THEN answers + 1 ELSE 1 END,"
    " answers_since = CASE WHEN answers_since > :horizon THEN answers_since ELSE :now END"
    " WHERE player = :player AND (answers_since <= :horizon OR answers < :most)"
)
POST_DIGEST = (
    f"INSERT INTO deliveries ({NEW}) SELECT :partition, player, :id, '{MAIL}', '', player, '{DIGEST}', NULL,"
    f" NULL, :body, :now, '{WAITING}', 0, :now, 0 FROM mailing WHERE player = :player AND digest = :digest"
    " ON CONFLICT (partition, id) DO NOTHING"
)
NEXT_DIGEST = "UPDATE mailing SET digest = :next WHERE player = :player AND digest = :digest"
FORGET = "DELETE FROM mailing WHERE player = :player"
HUSH = "INSERT INTO quiet (partition, match, player) VALUES (:partition, :match, :player) ON CONFLICT DO NOTHING"
UNHUSH = "DELETE FROM quiet WHERE partition = :partition AND match = :match AND player = :player"
IS_QUIET = "SELECT 1 FROM quiet WHERE partition = :partition AND match = :match AND player = :player"


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What a player wants by mail."""

    player: str
    address: str
    """The confirmed one."""
    lang: str
    turns: str
    """`each` turn in a mail, one `digest` a day, or `none`."""
    news: bool
    """Whether they are told of invitations, of matches that start and of those that are over."""
    hour: int
    """Of the day, at which the digest is sent."""
    zone: str
    """Where the hour counts, as in `Europe/Berlin`."""
    digest: str
    """When the next one is due; "" is never."""
    stopped: str
    """Why nothing is sent: `unsubscribed` or `bounced`; "" where it is."""
    bounces: int
    """Times in a row that the address was refused for good."""


def wishes_of(store: Tables, player: str) -> Wishes | None:
    """What the player wants; None where no address is confirmed."""
    return next(iter(_read(store, Statement(FIND, {"player": player}))), None)


def digests(store: Tables, now: str, most: int) -> tuple[Wishes, ...]:
    """Those whose digest is due, so many at most."""
    return _read(store, Statement(FIND_DIGESTS, {"now": now, "most": most}))


def _read(store: Tables, statement: Statement) -> tuple[Wishes, ...]:
    names = Wishes.__struct_fields__
    return tuple(
        msgspec.convert(dict(zip(names, row, strict=True)) | {"news": bool(row[4])}, Wishes)
        for row in store.find(statement)
    )


def confirm(player: str, address: str, lang: str) -> Statement:
    """The player has shown that the address is theirs: mails go there from now on."""
    return Statement(CONFIRM, {"player": player, "address": address, "lang": lang})


def change(wishes: Wishes) -> Statement:
    """The player wants it so."""
    named = msgspec.structs.asdict(wishes)
    del named["address"]
    return Statement(CHANGE, named | {"news": int(wishes.news)})


def stop(player: str, address: str, why: str) -> Statement:
    """Nothing is sent there any more."""
    return Statement(STOP, {"player": player, "address": address, "why": why})


def bounce(player: str, address: str) -> Statement:
    """The address was refused for good once more."""
    return Statement(BOUNCE, {"player": player, "address": address, "enough": ENOUGH})


def heard(player: str) -> Statement:
    """The player has written from their address: it is there."""
    return Statement(HEARD, {"player": player})


def answer(player: str, now: str, horizon: str, most: int) -> Statement:
    """One more answer to what the player wrote: one row, none if they were as many as may be since the horizon."""
    return Statement(COUNT_ANSWER, {"player": player, "now": now, "horizon": horizon, "most": most})


def post_digest(wishes: Wishes, now: str, following: str) -> list[Statement]:
    """The player's digest is to be sent, by whichever process says so first, and the next one is due then."""
    named = {"player": wishes.player, "digest": wishes.digest}
    letter = Letter(id=f"digest:{wishes.player}:{wishes.digest}", kind=DIGEST, player=wishes.player, at=now)
    body = msgspec.json.encode(letter).decode()
    return [
        Statement(POST_DIGEST, named | {"now": now, "id": letter.id, "body": body}, wishes.player),
        Statement(NEXT_DIGEST, named | {"next": following}),
    ]


def forget(player: str) -> Statement:
    """The person is gone: nothing of their address stays."""
    return Statement(FORGET, {"player": player})


def hush(match: str, player: str) -> Statement:
    """The player wants no mails of the match."""
    return Statement(HUSH, {"match": match, "player": player}, match)


def unhush(match: str, player: str) -> Statement:
    """The player wants them again."""
    return Statement(UNHUSH, {"match": match, "player": player}, match)


def is_quiet(store: Tables, match: str, player: str) -> bool:
    """Whether the player wants no mails of the match."""
    return bool(store.find(Statement(IS_QUIET, {"match": match, "player": player}, match)))
