"""What is erased of a person: everything but the id, which stands for nobody from then on.

Whatever else is kept of people, such as what they wrote, is to be erased here too. A test knows of every table that
names players what becomes of it (`tests/service/accounts/test_farewell.py`).
"""

from __future__ import annotations

from events.store import Statement
from service.store.statements import read_sql

SQL = read_sql("erasing")
IN_MATCHES, EVERYWHERE = SQL["in_matches"].split(";\n"), SQL["everywhere"].split(";\n")
"""In each partition: reports, messages, offered seats, what is or was sent, and which matches are to be silent."""


def of_player(player: str, partitions: int) -> list[Statement]:
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
