"""Accounts: players, their tokens, what else proves who they are, and the passes with which people sign up.

Recoveries are the mail addresses for which a new password was lately asked for, as digests, whether or not anybody has
them. So an address gets such a mail only now and then, whichever process is asked. A row is written in any case, so
that the time that takes does not show whether there is such an account.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

from events.store import Statement
from service.shapes import Moment, formatted, one_of
from service.store.statements import Queries, insert, read_sql, reading, statement, statements

HUMAN, BOT, ERASED = "human", "bot", "erased"
"""The kinds of accounts."""

TOKEN, SESSION = "token", "session"
"""The kinds of tokens. A session is given for a password, and ends with it."""

OPENED, INVITED = "opened", "invited"
"""What a player may have so many of: matches that they opened and that are not over, and seats that are reserved for
others in those that have not started.
"""

AT_ONCE = 500
"""The most tokens that one statement looks up."""

FIND_GRANTS = "SELECT hash, player, scopes, expires, used, kind FROM tokens WHERE hash IN ({places})"
FIND_CREDENTIALS = "SELECT id, password, email, confirmed, owner FROM players WHERE {} = :who"
SQL = read_sql("people")


class Who(msgspec.Struct, frozen=True):
    """A player as others see them. Of an erased player only the id is left, and no name."""

    id: str
    name: str
    kind: Annotated[str, one_of(HUMAN, BOT, ERASED)]


def who(player: str | None, name: str | None, kind: str | None) -> Who | None:
    """Return a player as others see them; None is nobody."""
    return None if player is None else somebody(player, name, kind)


def somebody(player: str, name: str | None, kind: str | None) -> Who:
    """Return a player as others see them; without a name they were erased."""
    return Who(player, name or "", kind or ERASED)


class Player(msgspec.Struct, frozen=True):
    """An account."""

    id: str
    name: str
    kind: Annotated[str, one_of(HUMAN, BOT)]
    email: str | None
    """The mail address. No mail but its confirmation is sent to it before it is `confirmed`."""
    created: Moment
    owner: str | None = None
    """The id of the account that made it, for a bot account."""
    login: str | None = None
    """The name with which you sign in; nobody else can see it."""
    confirmed: Moment | None = None
    """Since when `email` is known to be yours; null if it is not."""
    email_next: str | None = None
    """The address that replaces `email` once it is confirmed."""
    has_password: bool = False
    """Whether the account can sign in with a password."""


class Token(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    name: str
    scopes: tuple[str, ...]
    """What the token may be used for."""
    created: Moment
    expires: Moment | None
    """The moment from which it is refused; null for never."""
    kind: Annotated[str, one_of(TOKEN, SESSION)] = TOKEN
    """`token`, or `session`: given for a password."""
    used: Annotated[str, formatted("date")] | None = None
    """The day of its last use (UTC); at first the day on which it was made."""


class Grant(msgspec.Struct, frozen=True):
    """What a token grants."""

    player: str
    scopes: frozenset[str]
    expires: str | None
    used: str | None = None
    """The day of its last use."""
    kind: str = TOKEN


_player = reading(Player)


class Credentials(msgspec.Struct, frozen=True):
    """The password and the address of a player."""

    player: str
    password: str | None
    """Its hash; None for none."""
    email: str | None
    confirmed: str | None
    owner: str | None
    """Whose bot account it is. Then no password lets anybody in, not even one from before this was so."""


class Pass(msgspec.Struct, frozen=True):
    """A pass without its code."""

    id: str
    created: Moment
    expires: Moment
    """When the pass expires."""
    used: bool
    """Whether somebody has signed up with it."""


_pass = reading(Pass)


class People(Queries):
    """Reads these tables."""

    def learnt(self, player: str) -> tuple[str, ...]:
        """Return the games whose lesson the player has gone through."""
        return tuple([game for (game,) in self._find(SQL["learnt"], player=player)])

    def grants(self, hashed: Sequence[str]) -> dict[str, Grant]:
        """Return what the tokens with these hashes grant; unknown ones are left out."""
        grants: dict[str, Grant] = {}
        for begin in range(0, len(hashed), AT_ONCE):
            named = {f"hash_{number}": hash for number, hash in enumerate(hashed[begin : begin + AT_ONCE])}
            sql = FIND_GRANTS.format(places=", ".join(f":{name}" for name in named))
            for hash, player, scopes, *times in self._store.find(Statement(sql, named)):
                grants[hash] = Grant(player, frozenset(scopes.split()), *times)
        return grants

    def player(self, id: str) -> Player | None:
        """Return the player with that id; None if there is none."""
        return next(map(_player, self._find(SQL["player"], id=id)), None)

    def owned(self, player: str) -> tuple[Player, ...]:
        """Return the bot accounts that the player has made, oldest first."""
        return tuple(map(_player, self._find(SQL["owned"], owner=player)))

    def tokens(self, player: str) -> tuple[Token, ...]:
        """Return the player's tokens, oldest first."""
        rows = self._find(SQL["tokens"], player=player)
        return tuple(Token(id, name, tuple(scopes.split()), *times) for id, name, scopes, *times in rows)

    def of_player(self, player: str) -> Credentials | None:
        """Return the credentials of the player with that id; None if there is none."""
        return self._by("id", player)

    def of_login(self, login: str) -> Credentials | None:
        """Return the credentials of the player with that login name, in its stored form; None if there is none."""
        return self._by("login", login)

    def of_mailbox(self, mailbox: str) -> Credentials | None:
        """Return the credentials of the player with that confirmed address, in its normal form; None if none has it."""
        return self._by("mailbox", mailbox)

    def _by(self, column: str, who: str) -> Credentials | None:
        return next((Credentials(*row) for row in self._find(FIND_CREDENTIALS.format(column), who=who)), None)

    def counted(self, what: str, player: str) -> list[int]:
        """Return, by partition, how many matches the player has opened, or for how many seats they have invited others.

        Shape:   `what`: `OPENED` or `INVITED`.
        """
        return [count for (count,) in self._store.find_everywhere(SQL[what], maker=player)]

    def is_recovery_asked(self, hashed: str, since: str) -> bool:
        """Return whether a new password was asked for since then."""
        return bool(self._find(SQL["is_recovery_asked"], hash=hashed, since=since))

    def passes(self, maker: str) -> tuple[Pass, ...]:
        """Return the passes that the account has made, oldest first."""
        return tuple(map(_pass, self._find(SQL["passes"], maker=maker)))

    def is_good_pass(self, hashed: str, at: str) -> bool:
        """Return whether somebody may sign up with the pass of that hash."""
        return bool(self._find(SQL["is_good_pass"], hash=hashed, at=at))


def hand_out(hashed: str, player: str, token: Token) -> Statement:
    """Return the statement that enters a new token with that hash."""
    return _hand_out(token, hash=hashed, player=player, scopes=" ".join(token.scopes))


enter = insert("players", "id name kind email created owner login password", password=None)
"""Enters a new player, with the hash of their password if they have one."""
_hand_out = statement("hash id player name scopes created expires kind used", SQL["hand_out"])
revoke = statement("player id", "DELETE FROM tokens WHERE player = :player AND id = :id")
"""Deletes the player's token with that id."""
use = statement("hash day", "UPDATE tokens SET used = :day WHERE hash = :hash AND (used IS NULL OR used < :day)")
"""Notes that the token with that hash was used on that day."""
keep_in_browser = statement("hash", f"UPDATE tokens SET kind = '{SESSION}' WHERE hash = :hash AND kind = '{TOKEN}'")
"""Makes the token with that hash a session, since a browser holds it."""
HOLD = "UPDATE players SET name = name WHERE id = :maker"
"""Of two transactions that make something for the same account, the second waits here for the first."""
demand_account = statements("maker", HOLD, SQL["demand_account"])
"""Fail, and their transaction with them, if the account was erased while the request was under way.

From then on, a transaction that erases the account waits.
"""


def demand_accounts(players: Iterable[str]) -> list[Statement]:
    """Return the statements that fail, and their transaction with them, if one of the accounts was erased meanwhile."""
    # in one order, so that two transactions about the same accounts don't wait for each other
    return [statement for player in sorted({*players}) for statement in demand_account(player)]


_demands = {
    OPENED: statement("maker partition most", SQL["demand_opened"]),
    INVITED: statement("maker partition most", SQL["demand_invited"]),
}


def demand_counted(what: str, player: str, counted: Sequence[int], room: int) -> list[Statement]:
    """Return the statements that fail if the player has more than `room` more by now than were counted.

    They come after what holds the account, and before what is made. As no statement spans two partitions, each
    partition gets its share of the room.
    """
    share = room // len(counted)
    return [_demands[what](player, partition, count + share) for partition, count in enumerate(counted)]


demand_room = statements("maker most", HOLD, SQL["demand_room"])
"""Fail, and their transaction with them, if the player has that many bot accounts, or was erased."""
demand_no_bots = statement("maker", SQL["demand_no_bots"])
"""Fails, and its transaction with it, if the player has bot accounts."""
learn = insert("learnt", "player game at", "ON CONFLICT DO NOTHING")
"""The player has gone through the lesson of a game."""
rename = statement("id name", f"UPDATE players SET name = :name WHERE id = :id AND kind <> '{ERASED}'")
"""Renames the player, in all of their matches."""

end_session = statement("hash", "DELETE FROM tokens WHERE hash = :hash")
"""Deletes the token with that hash."""
OF_PLAYER = "DELETE FROM tokens WHERE player = :player"
end_all_tokens = statement("player", SQL["end_all_tokens"])
"""Deletes all tokens of the player, and of the bot accounts that they have made."""
end_sessions = statement("player but", f"{OF_PLAYER} AND kind = '{SESSION}' AND hash <> :but", but="")
"""Ends all sessions of the player but the one with that hash."""
end_past_sessions = statement("player at", f"{OF_PLAYER} AND kind = '{SESSION}' AND expires <= :at")
"""Deletes the player's sessions that have expired."""


set_password = statement("player password", "UPDATE players SET password = :password WHERE id = :player")
"""Sets the player's password."""
_demand_password = statements("maker known", HOLD, SQL["demand_password"])
set_login = statement("player login", f"UPDATE players SET login = :login WHERE id = :player AND kind <> '{ERASED}'")
"""Sets the player's login name. It breaks a constraint if another account has it."""
demand_way_in = statement("player", SQL["demand_way_in"])
"""Breaks a constraint, after what takes one of them, if the player has a password without a login name and a confirmed
address.
"""
say_address = statements("player email", SQL["say_first_address"], SQL["say_next_address"])
"""Enter an address of the player. A confirmed one stays until this is confirmed."""
confirm_address = statements("player email mailbox at", SQL["confirm_address"], SQL["demand_address"])
"""Confirm the address, or fail: MissingValue if it is not the player's last, BrokenConstraint if it is another's."""
forget_address = statement("player", SQL["forget_address"])
"""Deletes the player's address."""
forget_unconfirmed = statement("player", SQL["forget_unconfirmed"])
"""Deletes the address that the player has not confirmed, so that its link can confirm nothing."""


def demand_password(known: Credentials) -> list[Statement]:
    """Return the statements that fail, and their transaction with them, if the password is another or nobody's now.

    They come first in it: from then on, a transaction that changes the password waits.
    """
    return _demand_password(known.player, known.password or "")


note_recovery = statements(
    "hash at since",
    "DELETE FROM recoveries WHERE at <= :since",
    "INSERT INTO recoveries (hash, at) VALUES (:hash, :at) ON CONFLICT DO NOTHING",
)
"""Note the request and delete old ones."""
forget_recovery = statement("hash", "DELETE FROM recoveries WHERE hash = :hash")
"""Deletes the note of a request, so that the next one is answered at once."""
make_pass = statements(
    "maker id created expires hash since most", SQL["forget_passes"], HOLD, SQL["make_pass"], SQL["demand_made"]
)
"""Make a pass; they fail, and their transaction with them, if its maker has made `most` since then.

Of two passes that are made at once the second waits for the first.
"""
take_pass = statements("hash player at", SQL["take_pass"], SQL["demand_pass"])
"""Sign the player up with that pass; they fail, and their transaction with them, if it is not good."""
withdraw_pass = statement("maker id", "DELETE FROM passes WHERE maker = :maker AND id = :id AND player IS NULL")
"""Deletes the pass; it changes no row if there is none, or somebody has used it."""

# Whatever else is kept of people, such as what they wrote, is to be erased here too. The id stays, for nobody.
# A test knows of every table that names players what becomes of it (`tests/service/accounts/test_farewell.py`).

_ERASING = read_sql("erasing")
IN_MATCHES, EVERYWHERE = _ERASING["in_matches"].split(";\n"), _ERASING["everywhere"].split(";\n")
"""In each partition: reports, messages, offered seats, what is or was sent, and which matches are to be silent."""


def erase(player: str, partitions: int) -> list[Statement]:
    """Return the statements that erase the person, in one transaction, in a store with that number of partitions."""
    # the account first: what is stored for it at the same time comes before, and is erased, or waits, and is refused
    return [
        *(Statement(sql, {"player": player}) for sql in EVERYWHERE),
        *(
            Statement(sql, {"player": player, "partition": number})
            for number in range(partitions)
            for sql in IN_MATCHES
        ),
    ]
