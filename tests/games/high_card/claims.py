"""What labels of High Card claim, and when it is so. See `tests/laws/claims.py`."""

from __future__ import annotations

import re

from tests.laws.claims import Claims, Moment


def is_paid(moment: Moment, found: re.Match[str]) -> bool:
    """The price, out of what the seat has."""
    before, after = moment.before.places[moment.seat], moment.after.places[moment.seat]
    return (before.chips - after.chips, before.chips) == (int(found[1]), int(found[2]))


CLAIMS = Claims(
    names=r"pair of \d+|Set \d+ aside|for \d+ more on your sum", made=((r"pay (\d+) of your (\d+) chips", is_paid),)
)
