"""The sentences of mails, in the reader's language."""

from __future__ import annotations

from domain import texts
from domain.game import Lang
from service.matches import shown
from service.store import Delivery, Entry, notices, proposals
from service.wording import COMMA

TEXTS = texts.read("service.mail", "words")


def word(code: str, lang: Lang, **fields: object) -> str:
    """Return the sentence in that language, with its fields filled in."""
    return TEXTS[lang][code].format(**fields)


def title_of(notice: Delivery, entry: Entry, game: str, lang: Lang) -> str:
    """Return the subject that a mail of the notice has. `game`: the game's title."""
    if notice.kind == notices.PROPOSAL:
        return word(f"subject-proposal-{proposals.read_proposal(notice).proposal}", lang, game=game)
    is_broken_off = notice.kind == notices.FINISHED and entry.status == "aborted"
    names = [name or word("seat", lang, seat=seat) for seat, name in enumerate(shown.names_of(entry, lang))]
    others = [name for seat, name in enumerate(names) if seat != notice.seat]
    kind = "aborted" if is_broken_off else notice.kind.removeprefix("match.")
    return word(f"subject-{kind}", lang, game=game, others=COMMA[lang].join(others))
