"""What is erased of a person: everything but the id, which stands for nobody from then on.

Whatever else is kept of people, such as what they wrote, is to be erased here too. A test knows of every table that
names players what becomes of it (`tests/service/accounts/test_farewell.py`).
"""

from __future__ import annotations

from events.store import Statement

IN_MATCHES = (
    "DELETE FROM reports WHERE partition = :partition AND reporter = :player",
    "UPDATE reports SET text = NULL, author = NULL WHERE partition = :partition AND author = :player",
    # each message gets a change number of its own, greater than all before
    "UPDATE talk SET text = NULL, player = NULL, change = talk.number + ("
    " SELECT max(said.change) FROM talk AS said WHERE said.partition = :partition AND said.match = talk.match)"
    " WHERE partition = :partition AND player = :player",
    "DELETE FROM consents WHERE partition = :partition AND EXISTS ("
    " SELECT 1 FROM offers WHERE offers.partition = :partition AND offers.match = consents.match"
    " AND offers.seat = consents.seat AND offers.player = :player)",
    *(
        f"DELETE FROM {table} WHERE partition = :partition AND player = :player"
        for table in ("offers", "deliveries", "quiet")
    ),
)
"""In each partition: reports, messages, offered seats, what is or was sent, and which matches are to be silent."""
EVERYWHERE = (
    "DELETE FROM mutes WHERE player = :player OR muted = :player",
    *(f"DELETE FROM {table} WHERE player = :player" for table in ("tokens", "mailing", "vacations", "subscriptions")),
    "DELETE FROM passes WHERE maker = :player OR player = :player",
    "UPDATE players SET name = '', kind = 'erased', email = NULL, owner = NULL, login = NULL, password = NULL,"
    " confirmed = NULL, mailbox = NULL, email_next = NULL WHERE id = :player",
)


def of_player(player: str, partitions: int) -> list[Statement]:
    """Return the statements that erase the person, in one transaction, in a store with that number of partitions."""
    return [
        *(
            Statement(sql, {"player": player, "partition": number})
            for number in range(partitions)
            for sql in IN_MATCHES
        ),
        *(Statement(sql, {"player": player}) for sql in EVERYWHERE),
    ]
