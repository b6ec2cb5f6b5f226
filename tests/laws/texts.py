"""Laws of texts: what is said of events, moves and tables is whole, and written as all games write it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from domain import matches
from domain.secrecy import redact
from domain.texts import LANGS, OBJECTS, to_you
from replays.words import is_aside
from tests.laws.table import Played, drawn

SEAT = re.compile(r"\bseats? (\d+)|席(\d+)", re.IGNORECASE)
"""A seat as it is written everywhere, so that a player's name can be put in its place."""
YOU = re.compile(r"\byou(?:rs?|rself|rselves)?\b|あなた", re.IGNORECASE)
AFTER_SEAT = re.compile(r"(?:^|[.:;,(] |and )seat \d+ ([a-z]+s)\b", re.IGNORECASE)
"""The verbs that tell what a seat does."""
OWN = re.compile(
    rf"{''.join(f'(?<!{word} )' for word in OBJECTS.split())}\b[Yy]ou\b((?:(?!\bseat \d+ [a-z]+s\b)[^.:;\n])*)"
)
"""What is said of the reader, up to the next subject."""
OF_VERB = re.compile(r"(?:^|,|,? (?:and|or|but|then)) ([a-z]+s)\b")
NOT_YOU = re.compile(r"\b[Yy]ou's|あなた[つ\d]")
HALF_WIDTH = re.compile(r"[\u3005-\u301b\u3041-\u30fe\u3400-\u9fff\uff09][:;,.]")
"""Half-width punctuation right after a Japanese character or a closing bracket, where ：；、。 belong."""
HYPHEN = re.compile(r"(?<![\w★])-\d")
"""A hyphen before a number, but between numbers."""


def everything_told_can_be_said_in_every_language(played: Played) -> None:
    """Events as each viewer is told them and the moves they may choose, without the table; unknown is never None."""
    for lang, said in described(played):
        assert said.strip()
        assert "None" not in said, f"{lang}: {said}"


@lru_cache(maxsize=4)
def described(played: Played) -> tuple[tuple[str, str], ...]:
    """What `describe` says of every event as anybody is told it, and of every move that could be chosen."""
    game, ours = played.game, set(matches.EVENTS)
    told = dict.fromkeys(
        event
        for one in played.told
        if type(one.event) not in ours
        for event in (one.event, *(redact(one.event, viewer) for viewer in played.viewers))
    )
    listed = dict.fromkeys(
        move for step in played.positions for seat in game.to_act(step.table) for move in game.legal(step.table, seat)
    )
    return tuple((lang, game.describe(one, lang)) for one in (*told, *listed) for lang in LANGS)


def labelled(played: Played) -> Iterator[tuple[str, str]]:
    """What `label` says of every move that could be chosen, as its seat sees it."""
    game = played.game
    for _, seat, seen in played.asked():
        yield from ((lang, game.label(seen, seat, move, lang)) for move in game.legal(seen, seat) for lang in LANGS)


def told_of_tables(played: Played) -> Iterator[tuple[str, str]]:
    """What is told of some tables, as each viewer sees it."""
    for step in played.sample:
        for viewer, seen in step.seen.items():
            yield from ((lang, drawn(played, seen.table, viewer, lang)) for lang in LANGS)


def nobody_is_addressed_in_what_is_told_to_all(played: Played) -> None:
    """A log is read by everybody: what happened is said in the third person."""
    for lang, said in described(played):
        assert not YOU.search(said), f"{lang}: {said}"


def seats_are_named_as_in_the_data_and_are_at_the_table(played: Played) -> None:
    """Whatever is written as a seat is one, so that its player's name can be put there."""
    seats = len(played.truth.taken)
    for lang, said in all_texts(played):
        numbers = [int(found[1] or found[2]) for found in SEAT.finditer(said)]
        assert all(number < seats for number in numbers), f"{lang}, {seats} seats: {said}"


def japanese_is_written_with_its_own_punctuation(played: Played) -> None:
    """Behind a Japanese character stands no half-width colon, comma or stop."""
    for lang, said in all_texts(played):
        found = HALF_WIDTH.search(said) if lang == "ja" else None
        assert not found, f"{found[0] if found else ''}: {said}"


@lru_cache(maxsize=4)
def all_texts(played: Played) -> tuple[tuple[str, str], ...]:
    """Everything that is said of a match, once."""
    return (*dict.fromkeys((*described(played), *labelled(played), *told_of_tables(played))),)


def less_than_nothing_is_written_with_a_minus_sign(played: Played) -> None:
    """A number below 0 has the sign −, and no hyphen, but where a card's name has one."""
    named = {
        name for lang in LANGS for kind in played.game.names(played.pack.pack, lang).values() for name in kind.values()
    }
    hyphened = re.compile("|".join(re.escape(name) for name in sorted(named, key=len, reverse=True) if "-" in name))
    for lang, said in all_texts(played):
        bare = hyphened.sub("", said) if hyphened.pattern else said
        assert not HYPHEN.search(bare), f"{lang}: {said}"


def what_is_said_of_a_seat_can_be_said_to_it(played: Played) -> None:
    """To its reader the seat is "you", and no verb behind it stays as it is behind a name."""
    lines = {line for _, text in all_texts(played) for line in text.splitlines() if SEAT.search(line)}
    verbs = {verb for line in lines for verb in AFTER_SEAT.findall(line)}
    for seat in range(len(played.truth.taken)):
        for line in lines:
            told = to_you(line, seat)
            wrong = [verb for own in OWN.findall(told) for verb in OF_VERB.findall(own) if verb in verbs]
            assert not wrong, f"{wrong} of you: is it to stand in FURTHER of domain/texts.py? {told}"
            assert not NOT_YOU.search(told), told


def every_move_leaves_a_line(played: Played) -> None:
    """Lists leave out a move only where an event tells it that is not left out itself."""
    events = [one.event for one in played.told]
    left = {
        one.move
        for one, following in zip(played.told, [*events[1:], None], strict=True)
        if not is_aside(played.game, one.event, following)
    }
    assert left == {one.move for one in played.told}
