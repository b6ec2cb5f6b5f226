"""By what the parts of a match are found again: its rounds."""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.troll_master.events import RoundStarted

WORDS: dict[Lang, str] = {"en": "Round {event.round}", "ja": "ラウンド{event.round}"}


def chapter(event: Any, lang: Lang) -> str | None:
    """What begins with the event, in words."""
    return WORDS[lang].format(event=event) if isinstance(event, RoundStarted) else None
