"""What is erased of a person: everything but the id, which stands for nobody from then on.

Whatever else is kept of people, say what they wrote, is to be erased here too: add its statements to `of_player`. A
test knows of every table that names players what becomes of it (`tests/service/accounts/test_farewell.py`).
"""

from __future__ import annotations

from events.store import Statement
from service.store import clocks, mailing, notices, offers, people, talk

BLANK = (
    "UPDATE players SET name = '', kind = 'erased', email = NULL, owner = NULL, login = NULL, password = NULL,"
    " confirmed = NULL, mailbox = NULL, email_next = NULL WHERE id = :player"
)
PASSES = "DELETE FROM passes WHERE maker = :player OR player = :player"
IN_MATCHES = tuple(
    f"DELETE FROM {table} WHERE partition = :partition AND player = :player" for table in ("deliveries", "quiet")
)
"""What was sent to them, or is to be, and of which matches they want to hear nothing."""


def of_player(player: str, partitions: int) -> list[Statement]:
    """The statements that erase the person, in one transaction: name, address, password, tokens, passes, letters,
    subscriptions, vacations, what they want by mail, and what they said, in a store of so many partitions.
    """
    return [
        *talk.erase_of(player, partitions),
        *offers.erase_of(player, partitions),
        people.end_all_tokens(player),
        mailing.forget(player),
        clocks.forget_vacations(player),
        Statement(PASSES, {"player": player}),
        *(Statement(sql, {"player": player, "partition": one}) for one in range(partitions) for sql in IN_MATCHES),
        notices.unsubscribe_all(player),
        Statement(BLANK, {"player": player}),
    ]
