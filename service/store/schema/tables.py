"""The service's own tables, declared once for SQLite and for PostgreSQL, as a new store has them, and made from that.

To change them, change the declaration and add the step that brings an older store there (`service.store.schema.STEPS`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import NamedTuple

import msgspec
from sqlite_utils import Database

from events.postgres.opening import Connection


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: str
    """`text`, `int`, or `big`: a number that PostgreSQL keeps in 64 bits."""
    is_needed: bool
    default: str | int | None
    """What an INSERT that leaves the column out puts there, a text with its quotes."""


class StoreTable(msgspec.Struct, frozen=True, dict=True):
    """A table as it is declared: its columns hold texts, and none may be empty, unless their words say otherwise."""

    name: str
    said: str
    """The columns in their order: `NAME [int | big] [null] [default VALUE]`."""
    key: tuple[str, ...]
    home: str = ""
    """The column whose value tells the partition, `partition` if rows just say which it is; "": there are none.

    A table with partitions begins with a column `partition`, as do its key and what it refers to.
    """
    refers: tuple[tuple[str, ...], str] | None = None
    """Columns that hold a key of another table, and that table."""
    is_clustered: bool = False
    """Whether SQLite keeps the rows in the order of their key."""

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """All columns."""
        within = (Column("partition", "int", True, None),) if self.home else ()
        return (*within, *(_column(*one.split()) for one in self.said.split(", ")))

    def within(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """These columns, after `partition` where the table has it."""
        return ("partition", *columns) if self.home else columns


def _column(name: str, *marks: str) -> Column:
    kind = next((mark for mark in marks if mark in ("int", "big")), "text")
    default = None
    if "default" in marks:
        default = marks[-1] if kind == "text" else int(marks[-1])
    return Column(name, kind, "null" not in marks, default)


def declare(
    name: str, said: str, key: str, *, home: str = "", refers: str = "", is_clustered: bool = False
) -> StoreTable:
    """Return a table; the columns of its key have spaces between. `refers`: as in `match seat > offers`."""
    columns, _, other = refers.partition(" > ")
    reference = (tuple(columns.split()), other) if refers else None
    return StoreTable(name, said, tuple(key.split()), home, reference, is_clustered)


of_match = partial(declare, home="match")

PEOPLE = (
    declare(
        "players",
        "id, name, kind, email null, created, owner null, login null, password null, confirmed null,"
        " mailbox null, email_next null",
        "id",
    ),
    # the numbers tell their order
    declare(
        "tokens",
        "hash, id, player, name, scopes, created, expires null, number int null, kind default 'token', used null",
        "hash",
        refers="player > players",
    ),
    # for which addresses a link to set a new password by was lately asked for: digests, also of nobody's addresses
    declare("recoveries", "hash, at", "hash"),
    # what lets somebody sign up where not everybody may
    declare("passes", "hash, id, maker, created, expires, player null", "hash"),
    declare("vacations", "id, player, since, until, days int", "id"),
    # whom a player wants to hear nothing of
    declare("mutes", "player, muted, at", "player muted"),
)

MATCHES = (
    # link: the number of the link that lets people in, earlier ones are void; origin: the match whose rematch it is;
    # allowance to defaults: the clock, as the log tells it; ended to moved: once it is over; talk: who may read it
    declare(
        "matches",
        "id, game, status, visibility, creator null, created, link int null, origin null, size int null,"
        " allowance int null, claims int null, bank int null, defaults int null, ended null, how null,"
        " moves int null, moved null, talk null",
        "id",
        home="id",
    ),
    # created and status are the match's; points to handed: once it is over
    of_match(
        "seats",
        "match, seat int, player null, bot null, reserved null, created null, points int null,"
        " place int null, has_quit int null, by_clock int null, handed null, stand_in null,"
        " resigned int default 0, pausing int default 0, status null",
        "match seat",
        refers="match > matches",
    ),
    # in which lists a match stands: see `service.store.listing`
    of_match("listed", "list, moment, match", "list moment match", is_clustered=True),
    # seats that agree to break their match off
    of_match("agreements", "match, seat int", "match seat", refers="match > matches"),
    # how often a player has sat down there
    of_match("sittings", "match, player, times int", "match player", refers="match > matches"),
    of_match("declined", "match, player", "match player", refers="match > matches"),
    # a match has one rematch
    of_match("rematches", "match, next", "match", refers="match > matches"),
    # seats that are offered to somebody else during play: to a player, or where that is "" to a bot
    of_match(
        "offers", "match, seat int, player, accepted int, at, bot default ''", "match seat", refers="match > matches"
    ),
    # seats that agree to such an offer
    of_match("consents", "match, seat int, consenting int", "match seat consenting", refers="match seat > offers"),
    # which seats have standing orders; what these say stands in the seats' private logs
    of_match("orders", "match, seat int, judged big", "match seat"),
    # the finished matches of a player that everybody may look at
    of_match("history", "player, created, match, seat int", "player created match"),
    # what a request was answered, by its key
    declare("requests", "id, digest, answer, at", "id", home="id"),
)

CLOCKS = (
    # what a match was opened with beside what its log says, and the last outage that it was extended by
    of_match("clocks", "match, preset null, bot, resignation, outage int", "match"),
    of_match("pauses", "match, reason, since, due", "match"),
    # when each seat is to be reminded of its latest decision, and who was reminded
    of_match("reminders", "match, seat int, since int, at", "match seat"),
    of_match("reminded", "match, seat int, since int, player, due, at", "match seat since"),
    # the moment at which the clocks were last looked after
    declare("pulse", "name, at", "name"),
    declare("outages", "id int, began, ended", "id"),
)

TALK = (
    # A message keeps its number. Its change is counted on with it, so that who reads on learns of what is new and of
    # what was erased.
    of_match(
        "talk",
        "match, number int, change int, seat int, player null, text null, at",
        "match number",
        refers="match > matches",
    ),
    # messages that somebody wants the operator to look at, as they were
    of_match(
        "reports",
        "match, number int, reporter, author null, seat int, text null, reason, at",
        "match number reporter",
        refers="match number > talk",
    ),
)

SENDING = (
    # what a player wants by mail, and whether their address takes it; a digest of "" is never
    declare(
        "mailing",
        "player, address, lang, turns, news int, hour int, zone, digest, stopped, bounces int, answers int,"
        " answers_since",
        "player",
    ),
    # matches of which a player wants no mail
    of_match("quiet", "match, player", "match player"),
    # where a player wants which notices, by any other channel
    declare(
        "subscriptions",
        "id, player, number int, name, address, kinds, secret, former null, former_until null, created,"
        " failing null, disabled null, reason null, channel default 'webhook'",
        "id",
    ),
    # what is sent to whom, where and by which channel, and what came of it
    declare(
        "deliveries",
        "home, id, target, player, kind, seat int null, decision big null, body, at, status, asked int, due,"
        " tries int, tried null, answer int null, problem null, channel default 'webhook'",
        "id",
        home="home",
    ),
)

FOLLOWING = (
    # logs that a follower passes over, from the event that it could not take
    of_match("set_aside", "follower, match, position big, stream, version int, error, at, again int", "follower match"),
    # finished matches of a game with so many seats, and what a seat, a bot or a player has reached in them
    declare("played", "game, seats int, matches big, moves big, least int, most int", "game seats", home="partition"),
    declare(
        "results",
        "who, game, seats int, matches big, won big, shared big, points big",
        "who game seats",
        home="partition",
    ),
)

TABLES: tuple[StoreTable, ...] = (*PEOPLE, *MATCHES, *CLOCKS, *TALK, *SENDING, *FOLLOWING)
"""What others refer to comes first."""

INDEXES = """
CREATE UNIQUE INDEX players_by_login ON players (login);
CREATE UNIQUE INDEX players_by_mailbox ON players (mailbox);
CREATE INDEX players_by_owner ON players (owner);
CREATE INDEX recoveries_by_age ON recoveries (at);
CREATE INDEX passes_by_maker ON passes (maker, created);
CREATE INDEX vacations_by_player ON vacations (player, until);
CREATE INDEX mutes_of ON mutes (muted);
CREATE INDEX matches_by_creator ON matches (partition, creator, status, created, id);
CREATE INDEX seats_by_status ON seats (partition, player, status, created, match) WHERE player IS NOT NULL;
CREATE INDEX seats_by_reserved_status ON seats (partition, reserved, status, created, match)
    WHERE reserved IS NOT NULL;
CREATE INDEX offers_by_player ON offers (partition, player);
CREATE INDEX requests_by_age ON requests (partition, at);
CREATE INDEX pauses_by_due ON pauses (partition, due);
CREATE INDEX reminders_by_moment ON reminders (partition, at);
CREATE INDEX outages_by_end ON outages (ended);
CREATE UNIQUE INDEX talk_by_change ON talk (partition, match, change);
CREATE INDEX talk_by_player ON talk (partition, player, match);
CREATE INDEX reports_by_moment ON reports (partition, at);
CREATE INDEX reports_by_author ON reports (partition, author);
CREATE INDEX reports_by_reporter ON reports (partition, reporter);
CREATE INDEX mailing_by_digest ON mailing (digest);
CREATE UNIQUE INDEX subscriptions_by_player ON subscriptions (player, channel, number);
CREATE UNIQUE INDEX subscriptions_by_secret ON subscriptions (channel, secret);
CREATE INDEX deliveries_by_due ON deliveries (partition, channel, status, due);
CREATE INDEX deliveries_by_player ON deliveries (partition, player, status);
CREATE INDEX deliveries_by_target ON deliveries (partition, target, at, id);
"""

ON_SQLITE = "CREATE INDEX idx_tokens_player ON tokens (player)"

ON_POSTGRES = """
CREATE INDEX tokens_by_player ON tokens (player);
-- a match's rows are taken out by it; SQLite finds them by what they were made of
CREATE INDEX listed_by_match ON listed (partition, match);
"""


KEYS = {table.name: table.key for table in TABLES}

SQLITE = {"text": str, "int": int, "big": int}
POSTGRES = {"text": 'text COLLATE "C"', "int": "integer", "big": "bigint"}
"""Texts are ordered by their code points."""


class Step(NamedTuple):
    """Brings the tables of a store from one version to the next, in the transaction that is open."""

    on_sqlite: Callable[[Database], object]
    on_postgres: Callable[[Connection], object]


def make_on_sqlite(db: Database) -> None:
    """Make all tables and indexes in the transaction that is open."""
    for table in TABLES:
        db.execute(on_sqlite(db, table))
    # one by one: `executescript` ends the transaction
    for sql in f"{INDEXES}{ON_SQLITE}".split(";"):
        db.execute(sql)


def on_sqlite(db: Database, table: StoreTable) -> str:
    """Return the statement that makes the table on SQLite."""
    key = table.within(table.key)
    # a key of one column is never empty anyway
    needed = {column.name for column in table.columns if column.is_needed} - ({*key} if len(key) == 1 else set())
    sql = db.create_table_sql(
        table.name,
        {column.name: SQLITE[column.type] for column in table.columns},
        pk=key,
        not_null=needed,
        defaults={name: default for name, _, _, default in table.columns if default is not None},
        foreign_keys=_references(table),
        strict=True,
    )
    return sql.rstrip(" ;\n") + (", WITHOUT ROWID" if table.is_clustered else "")


def make_on_postgres(connection: Connection) -> None:
    """Make all tables and indexes in the transaction that is open."""
    statements = [*map(on_postgres, TABLES), f"{INDEXES}{ON_POSTGRES}"]
    # only without parameters may one text hold several statements
    connection.execute(";".join(statements).encode())


def on_postgres(table: StoreTable) -> str:
    """Return the statement that makes the table on PostgreSQL."""
    columns = [
        f"{name} {POSTGRES[type]}{' NOT NULL' if is_needed else ''}{'' if default is None else f' DEFAULT {default}'}"
        for name, type, is_needed, default in table.columns
    ]
    key = f"PRIMARY KEY ({', '.join(table.within(table.key))})"
    references = [
        f"FOREIGN KEY ({', '.join(columns)}) REFERENCES {other} ({', '.join(others)})"
        for columns, other, others in _references(table)
    ]
    return f"CREATE TABLE {table.name} ({', '.join([*columns, key, *references])})"


def _references(table: StoreTable) -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    if table.refers is None:
        return []
    columns, other = table.refers
    return [(table.within(columns), other, table.within(KEYS[other]))]
