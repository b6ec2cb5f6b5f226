"""The chapters of a match: its rounds."""

from __future__ import annotations

from typing import Any

from domain.game import Lang
from domain.games.ttmp.events import RoundBegan

WORDS: dict[Lang, str] = {"en": "Round {event.round}", "ja": "第{event.round}ラウンド"}


def chapter(event: Any, lang: Lang) -> str | None:
    """Return the name of the chapter that begins with the event; None if none does."""
    return WORDS[lang].format(event=event) if isinstance(event, RoundBegan) else None
