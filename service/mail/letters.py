"""What each kind of mail says: from what its reader sees to a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.game import Lang
from service.mail.sheet import Block, Player, Sheet
from service.mail.situation import Situation, moment
from service.mail.words import COMMA, word


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """How a mail is answered, and where the match is found."""

    url: str
    """Of the match."""
    reply: str = ""
    """The address that answers the decision; "": none does."""
    due: str = ""
    """When the decision is due; "": never."""
    zone: str = "UTC"


def turn(seen: Situation, way: Way, lang: Lang, *, kind: str = "turn", first: Sequence[str] = ()) -> Sheet:
    """It is the reader's turn. `first`: what is said before everything else."""
    opening = [*first, word(kind, lang, game=seen.game, me=seen.me)]
    if seen.is_sealed:
        opening.append(word("sealed", lang))
    if way.due:
        opening.append(word("due", lang, due=moment(way.due, way.zone)))
    how = word("how", lang) if way.reply else word("how-elsewhere", lang, url=way.url)
    return Sheet(
        word(f"subject-{kind}", lang, game=seen.game, others=seen.others(lang)),
        (
            Block(lines=tuple(opening)),
            *_since(seen, lang),
            *_table(seen, lang),
            Block(head=word("moves", lang), numbered=tuple(text for _, text in seen.moves)),
            Block(lines=(how,)),
            _where(seen, way, lang),
        ),
    )


def _since(seen: Situation, lang: Lang) -> tuple[Block, ...]:
    if not seen.since:
        return ()
    earlier = (word("earlier", lang, count=seen.earlier),) if seen.earlier > 0 else ()
    return (Block(head=word("since", lang), lines=earlier, listed=seen.since),)


def _table(seen: Situation, lang: Lang) -> tuple[Block, ...]:
    if not seen.text:
        return ()
    return (Block(head=word("table", lang), players=seen.standing, drawn=seen.text),)


def _where(seen: Situation, way: Way, lang: Lang) -> Block:
    return Block(lines=(word("match", lang, url=way.url), word("where", lang, version=seen.version, hash=seen.hash)))


def started(seen: Situation, way: Way, lang: Lang) -> Sheet:
    """All seats are taken."""
    said = word("started", lang, game=seen.game, names=COMMA[lang].join(seen.names), me=seen.me)
    return Sheet(
        word("subject-started", lang, game=seen.game, others=seen.others(lang)),
        (Block(lines=(said,)), *_table(seen, lang), _where(seen, way, lang)),
    )


def finished(seen: Situation, way: Way, lang: Lang) -> Sheet:
    """It is over, and open to everybody."""
    kind = "finished" if seen.status == "finished" else "aborted"
    said = word(kind, lang, game=seen.game)
    places = _places(seen.standing, lang) if kind == "finished" else ()
    how = word("audit-how", lang, match=seen.match, url=way.url)
    return Sheet(
        word(f"subject-{kind}", lang, game=seen.game, others=seen.others(lang)),
        (
            Block(lines=(said, *places)),
            *_since(seen, lang),
            *_table(seen, lang),
            Block(lines=(word("audit", lang), *how.splitlines())),
            _where(seen, way, lang),
        ),
    )


def _places(players: tuple[Player, ...], lang: Lang) -> tuple[str, ...]:
    ranked = sorted(players, key=lambda one: one.place)
    return tuple(word("place", lang, place=one.place, name=one.name, points=one.points) for one in ranked)


def invited(game: str, seat: int, by: str, way: Way, lang: Lang) -> Sheet:
    """A seat is kept for the reader."""
    kind = "invited" if by else "invited-nobody"
    lines = (word(kind, lang, by=by, game=game, seat=seat), word("invited-how", lang, url=way.url))
    return Sheet(word("subject-invited", lang, game=game), (Block(lines=lines), Block(lines=(way.url,))))


def digest(waiting: Sequence[tuple[Situation, Way]], news: Sequence[str], lang: Lang) -> Sheet:
    """All tables that wait for the reader, each with an address of its own."""
    blocks = [Block(lines=(word("digest" if waiting else "digest-none", lang),))]
    for seen, way in waiting:
        whole = turn(seen, way, lang)
        _, *parts, _, where = whole.blocks
        opening = [word("turn", lang, game=seen.game, me=seen.me)]
        if way.due:
            opening.append(word("due", lang, due=moment(way.due, way.zone)))
        how = word("how-digest", lang, to=f"mailto:{way.reply}") if way.reply else whole.blocks[-2].lines[0]
        others = seen.others(lang)
        blocks += [Block(head=f"{seen.game} ({others})", lines=tuple(opening)), *parts, Block(lines=(how,)), where]
    if news:
        blocks.append(Block(head=word("digest-news", lang), listed=tuple(news)))
    return Sheet(word("subject-digest", lang, count=len(waiting)), tuple(blocks))


def answer(code: str, fields: Mapping[str, Any], seen: Situation, way: Way, lang: Lang) -> Sheet:
    """What came of a mail that the reader has sent."""
    said = word(f"answer-{code}", lang, **fields)
    if seen.decision is not None and code not in {"moved", "sealed", "stranger"}:
        whole = turn(seen, way, lang, first=(said, ""))
        return Sheet(word("subject-answer", lang, game=seen.game, others=seen.others(lang)), whole.blocks)
    receipt = (word("receipt", lang, **fields),) if "signature" in fields else ()
    return Sheet(
        word("subject-answer", lang, game=seen.game, others=seen.others(lang)),
        (Block(lines=(said, *receipt)), *_table(seen, lang), _where(seen, way, lang)),
    )


def account(kind: str, link: str, lang: Lang) -> Sheet:
    """About the reader's account; `link`: what they are to open, "" where there is nothing to."""
    also = (word(f"{kind}-else", lang),) if link else ()
    return Sheet(
        word(f"subject-{kind}", lang),
        (
            Block(lines=(word(kind, lang),)),
            *([Block(lines=(link,))] if link else []),
            *([Block(lines=also)] if also else []),
        ),
    )
