"""The cards in the rules: RULES.md and RULES.ja.md of a room list the cards of its house pack, made from the pack.

    python -m tests.cards troll-master            says which differ
    python -m tests.cards --write troll-master    writes them again; without a name, those of every room

A room's `text` has `cards(pack, lang)`, which says all that is printed as Markdown. It stands between two lines of the
rules, `<!-- cards -->` and `<!-- /cards -->`. None of its lines may look like a clause's.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.laws.rooms import SLUGS, room_of
from tests.written import compare

BEGIN, END = "<!-- cards -->\n", "<!-- /cards -->\n"
RULES = {"en": "RULES.md", "ja": "RULES.ja.md"}


def lister_of(slug: str) -> Callable[[Any, str], str] | None:
    """How the room says what is printed on its cards; None: it does not say."""
    package = room_of(slug).game.describe.__module__.partition(".text")[0]
    found = getattr(importlib.import_module(f"{package}.text"), "cards", None)
    return found if callable(found) else None


LISTING = tuple(slug for slug in SLUGS if lister_of(slug))
"""The rooms that list their cards."""


def path_of(slug: str, lang: str) -> Path:
    name = room_of(slug).game.describe.__module__.partition(".text")[0]
    return Path(str(importlib.import_module(name).__file__)).with_name(RULES[lang])


def cards_of(slug: str, lang: str) -> str:
    cards = lister_of(slug)
    assert cards, f"{slug} lists no cards: its text has no cards(pack, lang)"
    return cards(room_of(slug).packs["house"].pack, lang)


def listed(slug: str, lang: str) -> str:
    """The room's rules, with the cards that its house pack has now."""
    cards, rules = cards_of(slug, lang), path_of(slug, lang).read_text(encoding="utf-8")
    before, begin, rest = rules.partition(BEGIN)
    _, end, after = rest.partition(END)
    assert begin, f"{RULES[lang]} of {slug} has no line {BEGIN!r}"
    assert end, f"{RULES[lang]} of {slug} has no line {END!r}"
    return f"{before}{BEGIN}\n{cards}\n\n{END}{after}"


def stale(slugs: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Rules whose cards are others than the pack's, with what they should be."""
    for slug in slugs:
        for lang in RULES:
            path = path_of(slug, lang)
            if (text := listed(slug, lang)) != path.read_text(encoding="utf-8"):
                yield path, text


if __name__ == "__main__":
    compare("the cards in the rules", stale, LISTING)
