"""The chapters of a match: its deals."""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.three_magic.events import DealStarted

WORDS: dict[Lang, str] = {"en": "Lap {event.lap}, deal {event.deal}", "ja": "第{event.deal}試合（{event.lap}周目）"}


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    return WORDS[lang].format(event=event) if isinstance(event, DealStarted) else None
