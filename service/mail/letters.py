"""Writes the sheet of each kind of mail, from what its reader sees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.game import Lang
from events import chain
from events.receipts import Receipt
from service.mail.paper import Attached, Block, DrawnTable, Sheet
from service.mail.reading import Moves
from service.mail.situation import Situation, moment
from service.mail.words import word
from service.store import proposals
from service.wording import COMMA


class Way(msgspec.Struct, frozen=True, kw_only=True):
    """How a mail is answered, and where the match is found."""

    url: str
    """The URL of the match."""
    reply: str = ""
    """The address that answers the decision; "" if there is none."""
    due: str = ""
    """When the decision is due; "" for never."""
    zone: str = "UTC"


def turn(seen: Situation, way: Way, lang: Lang, *, kind: str = "turn", first: Sequence[str] = ()) -> Sheet:
    """Return the sheet which says that it is the reader's turn. `first`: lines before all others."""
    opening = [*first, word(kind, lang, game=seen.game, me=seen.me)]
    if seen.is_sealed:
        opening.append(word("sealed", lang))
    opening += _due(way, lang)
    return Sheet(
        word(f"subject-{kind}", lang, game=seen.game, others=seen.others(lang)),
        (Block(said=tuple(opening)), *_question(seen, way, word("how", lang), lang)),
    )


def _question(seen: Situation, way: Way, how: str, lang: Lang) -> tuple[Block, ...]:
    """Return what the reader needs to choose a move. `how`: says how they answer, if they can answer by mail."""
    return (
        *_since(seen, lang),
        *_table(seen, lang),
        Block(head=word("moves", lang), numbered=tuple(text for _, text in seen.moves)),
        Block(lines=(how if way.reply else word("how-elsewhere", lang, url=way.url),)),
        _where(seen, way, lang),
    )


def _due(way: Way, lang: Lang) -> list[str]:
    """Return when the answer is due, in the reader's time zone; and how to choose a zone, if it is still UTC."""
    if not way.due:
        return []
    is_open = way.reply and way.zone == "UTC"
    return [word("due", lang, due=moment(way.due, way.zone)), *([word("due-zone", lang)] if is_open else [])]


def _since(seen: Situation, lang: Lang) -> tuple[Block, ...]:
    if not seen.since:
        return ()
    earlier = (word("earlier", lang, count=seen.earlier),) if seen.earlier > 0 else ()
    return (Block(head=word("so-far" if seen.is_from_begin else "since", lang), lines=earlier, listed=seen.since),)


def _table(seen: Situation, lang: Lang) -> tuple[Block, ...]:
    if not seen.text:
        return ()
    drawn = DrawnTable(seen.scene, seen.tones, seen.names) if seen.scene else None
    return (Block(head=word("table", lang), players=seen.standing, told=seen.text, table=drawn),)


def _where(seen: Situation, way: Way, lang: Lang) -> Block:
    return Block(lines=(word("match", lang, url=way.url), word("where", lang, version=seen.version, hash=seen.hash)))


def started(seen: Situation, way: Way, lang: Lang) -> Sheet:
    """Return the sheet which says that all seats are taken."""
    line = word("started", lang, game=seen.game, names=COMMA[lang].join(seen.names), me=seen.me)
    return Sheet(
        word("subject-started", lang, game=seen.game, others=seen.others(lang)),
        (Block(said=(line,)), *_table(seen, lang), _where(seen, way, lang)),
    )


def stood_in(seen: Situation, way: Way, lang: Lang) -> Sheet:
    """Return the sheet which says that a bot plays for the reader, since they were absent."""
    return Sheet(
        word("subject-stand-in", lang, game=seen.game, others=seen.others(lang)),
        (
            Block(said=(word("stand-in", lang, game=seen.game),)),
            *_since(seen, lang),
            *_table(seen, lang),
            _where(seen, way, lang),
        ),
    )


def proposed(proposal: str, game: str, by: str, heir: str, way: Way, lang: Lang, first: str = "") -> Sheet:
    """Return the sheet of a proposal: see `service.store.proposals`.

    Shape:   `by`, `heir`: the names of who makes it, and of who is to get the seat; `first`: lines before all others.
    """
    how = (
        "proposal-elsewhere" if not way.reply else "proposal-how-seat" if proposal == proposals.SEAT else "proposal-how"
    )
    told = (word(f"proposal-{proposal}", lang, game=game, by=by, heir=heir), word(how, lang))
    opening = (*([first, ""] if first else []), *told)
    return Sheet(word(f"subject-proposal-{proposal}", lang, game=game), (Block(said=opening), Block(lines=(way.url,))))


def finished(seen: Situation, way: Way, lang: Lang) -> Sheet:
    """Return the sheet which says that the match is over, and that all cards are open."""
    kind = "finished" if seen.status == "finished" else "aborted"
    line = word("conceded" if seen.conceded else kind, lang, game=seen.game, loser=seen.conceded)
    ranked = sorted(seen.standing, key=lambda row: row.place) if kind == "finished" else ()
    places = [word("place", lang, place=row.place, name=row.name, points=row.points) for row in ranked]
    service = way.url.removesuffix(f"/matches/{seen.match}")
    if seen.is_public:
        how = word("audit-how", lang, match=seen.match, url=f"{service}/api/matches/{seen.match}")
    else:
        how = word("audit-page", lang, match=seen.match, url=way.url)  # it is shown to nobody without their token
    return Sheet(
        word(f"subject-{kind}", lang, game=seen.game, others=seen.others(lang)),
        (
            Block(said=(line, *places)),
            *_since(seen, lang),
            *_table(seen, lang),
            Block(lines=(word("audit", lang), *how.splitlines())),
            _where(seen, way, lang),
        ),
    )


def invited(
    game: str, seat: int, by: str, clock: str, moves: Moves, way: Way, lang: Lang, receipt: Receipt, first: str = ""
) -> Sheet:
    """Return the sheet which says that a seat is kept for the reader.

    Shape:   `by`: the name of the player who invites, "" if it is not known; `clock`: the match's, in words;
             `receipt`: for the log as it is now, before the reader brings a nonce; `first`: lines before all others.
    """
    kind = "invited" if by else "invited-nobody"
    told = (word(kind, lang, by=by, game=game, seat=seat), word("invited-clock", lang, clock=clock))
    opening = [*([first, ""] if first else []), *told]
    subject = word("subject-invitation", lang, game=game)
    if not way.reply:
        return Sheet(subject, (Block(said=(*opening, word("invited-elsewhere", lang))), Block(lines=(way.url,))))
    where = word("where", lang, version=receipt.version, hash=receipt.hash)
    return Sheet(
        subject,
        (
            Block(said=tuple(opening)),
            Block(numbered=tuple(text for _, text in moves)),
            Block(lines=(word("invited-how", lang), word("invited-nonce", lang))),
            Block(lines=(word("match", lang, url=way.url), where, _kept(receipt, lang))),
        ),
        attached=(_attached(receipt),),
    )


def _attached(receipt: Receipt) -> Attached:
    """Return the receipt as a file that an audit reads."""
    name = f"receipt-{receipt.stream.replace('/', '-').replace(':', '')}-{receipt.version}.json"
    return Attached(name, chain.encode_canonical(msgspec.to_builtins(receipt)).decode() + "\n")


def _kept(receipt: Receipt, lang: Lang) -> str:
    return word("receipt", lang, stream=receipt.stream, version=receipt.version, file=_attached(receipt).name)


NEWS = 50
"""The most lines of news in a digest."""


def digest(
    waiting: Sequence[tuple[Situation, Way]],
    more: int,
    news: Sequence[str],
    unread: Sequence[str],
    url: str,
    lang: Lang,
) -> Sheet:
    """Return the sheet of tables that wait for the reader, each with its own reply address, and of the news.

    Shape:   `more`: how many other tables wait, which the page at `url` shows; `unread`: the URLs of those that this
             release can't read.
    """
    blocks = [Block(lines=(word("digest" if waiting or unread else "digest-none", lang),))]
    for seen, way in waiting:
        opening = (word("turn", lang, game=seen.game, me=seen.me), *_due(way, lang))
        how = word("how-digest", lang, to=f"mailto:{way.reply}")
        blocks += [Block(head=f"{seen.game} ({seen.others(lang)})", said=opening), *_question(seen, way, how, lang)]
    if more:
        blocks.append(Block(lines=(word("digest-more", lang, count=more, url=url),)))
    blocks += [Block(lines=(word("digest-unread", lang, url=one),)) for one in unread]
    if news:
        blocks.append(Block(head=word("digest-news", lang), listed=tuple(news[:NEWS]), is_linked=True))
    if (untold := len(news) - NEWS) > 0:
        blocks.append(Block(lines=(word("digest-more-news", lang, count=untold, url=url),)))
    return Sheet(word("subject-digest", lang, count=len(waiting) + more), tuple(blocks))


def said(code: str, fields: Mapping[str, Any], lang: Lang) -> str:
    """Return the sentences that say what the reader's mail has done."""
    if code == "seated":
        how = word("seated-nonce" if fields["nonce"] else "seated-no-nonce", lang, **fields)
        return "\n".join((word("answer-seated", lang), how))
    sentence = word(f"answer-{code}", lang, **fields)
    is_asked = code in {"unread", "unclear", "empty", "neither", "zone-below"}
    return "\n".join((sentence, word("asked-once", lang))) if is_asked else sentence


def bare(game: str, said: str, lang: Lang) -> Sheet:
    """Return the sheet that answers the reader's mail about a match that they can't see any more."""
    return Sheet(word("subject-answer-bare", lang, game=game), (Block(said=tuple(said.splitlines())),))


def answer(said: str, receipt: Receipt | None, seen: Situation, way: Way, lang: Lang, *, has_turn: bool) -> Sheet:
    """Return the sheet that answers the reader's mail. `has_turn`: whether it also asks the open decision."""
    subject = word("subject-answer", lang, game=seen.game, others=seen.others(lang))
    attached = (_attached(receipt),) if receipt else ()
    lines = (*said.splitlines(), *([_kept(receipt, lang)] if receipt else []))
    if seen.decision is not None and has_turn:
        asked = turn(seen, way, lang, first=(*lines, ""))
        # after a move, the mail is about the next turn
        return Sheet(asked.subject if receipt else subject, asked.blocks, attached=attached)
    return Sheet(subject, (Block(said=lines), *_table(seen, lang), _where(seen, way, lang)), attached=attached)


def account(kind: str, link: str, lang: Lang) -> Sheet:
    """Return the sheet of a letter about the reader's account. `link`: the link to open, "" if there is none."""
    lines = [word(kind, lang), *([link, word(f"{kind}-else", lang)] if link else [])]
    return Sheet(word(f"subject-{kind}", lang), tuple(Block(lines=(line,)) for line in lines))
