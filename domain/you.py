"""What is said of a seat, said to who sits there: "Seat 2 draws" is "You draw" to its reader, before names are put in.

English verbs change with their subject, also further ones of the same sentence: "Seat 2 discards wood 1, and draws"
becomes "You discard wood 1, and draw". Japanese ones do not.
"""

from __future__ import annotations

import re
from functools import lru_cache

from domain.game import Seat

FURTHER = (
    "adds awakens begins brings chooses declares discards does draws ends gains gets goes has holds is keeps leaves"
    " loses pays plans puts rolls shows takes was wins"
)
"""The verbs that follow a seat's first one after "and" or a comma. They are listed because nouns stand there too."""

OBJECTS = "about against among as behind between by for from of on than to with"
"""The words after which something is done to a seat, or with it: no verb follows it then."""

NO_VERBS = "as minus plus"
"""Words that end like verbs."""

IRREGULAR = {"is": "are", "was": "were", "has": "have"}

CLAUSE = re.compile(r"(?:\bseat \d+:|[^.:;])+", re.IGNORECASE)
"""Matches what may have one subject: up to the next stop or colon, but not that of "Seat 2: passes"."""

VERB = rf"(?!(?:{NO_VERBS.replace(' ', '|')})\b)(?:can|may|must|will|[A-Za-z]*[a-rt-z]s)\b"
ELSE = re.compile(rf"\bseat \d+ {VERB}")
"""Matches where another seat becomes the subject."""

MORE = re.compile(rf"((?:,|,? (?:and|but|or|then))) ({FURTHER.replace(' ', '|')})\b")
THEIR = re.compile(r"\btheir\b")


def to_you(text: str, seat: Seat) -> str:
    """Return a text about seats as that seat reads it: 「席2」 and "seat 2" become 「あなた」 and "you"."""
    if f"席{seat}" in text:
        text = re.sub(rf"席{seat}(?!\d)", "あなた", text)
    own = f"eat {seat}"
    if own not in text:
        return text
    # the expressions are slow, and most lines of a whole table are of others
    lines = text.split("\n")
    return "\n".join(CLAUSE.sub(lambda at: _clause(at[0], seat), line) if own in line else line for line in lines)


@lru_cache(maxsize=32)
def _seat(seat: Seat) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches the seat as a subject, with its first verb, and anywhere, with its "'s" and what follows."""
    not_object = "".join(f"(?<!\\b{word} )" for word in OBJECTS.split())
    subject = rf"\b{not_object}([Ss])eat {seat}(:|(?:, [^,]+,)?(?= {VERB}))(?: ({VERB}))?"
    return re.compile(subject), re.compile(rf"\b([Ss])eat {seat}\b('s)?(?=( \S)?)")


def _clause(clause: str, seat: Seat) -> str:
    subject, anywhere = _seat(seat)
    said = ""
    if found := subject.search(clause):
        rest = clause[found.end() :]
        other = ELSE.search(rest)
        own, clause = (rest[: other.start()], rest[other.start() :]) if other else (rest, "")
        own = MORE.sub(lambda more: f"{more[1]} {conjugated(more[2])}", THEIR.sub("your", own))
        verb = f" {conjugated(found[3])}" if found[3] else ""
        before = found.string[: found.start()]
        said = anywhere.sub(_you, f"{before}{found[1]}eat {seat}{found[2]}{verb}{own}")
        return said + _clause(clause, seat)
    return anywhere.sub(_you, clause)


def _you(found: re.Match[str]) -> str:
    return ("Y" if found[1] == "S" else "y") + ("ou" if not found[2] else "our" if found[3] else "ours")


def conjugated(verb: str) -> str:
    """Return the form that follows "you" of a verb that follows "he"; "can", "may" and the like stay as they are."""
    small = verb.lower()
    if small in IRREGULAR:
        changed = IRREGULAR[small]
        return changed.capitalize() if verb[0].isupper() else changed
    if not small.endswith("s"):
        return verb
    if small.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if re.search("(?:ss|sh|ch|x|o|zz)es$", small) else verb[:-1]
