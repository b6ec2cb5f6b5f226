"""Sentences of rooms and whole matches are told as they are written down, and no text of a room's words lacks a row."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial

import msgspec
import pytest

from domain import orders, telling
from domain.game import ALL, Event, Move, classes
from domain.happenings import Comparison, Pattern, Rule
from domain.secrecy import redact
from domain.texts import Counted, Words
from replays.words import rule_in_words
from tests import transcripts
from tests.cards import LISTING
from tests.drawn import LANGS
from tests.laws.rooms import SLUGS, room_of
from tests.laws.table import BOTS
from tests.laws.texts import YOU
from tests.sentences import ROOMS, path_of, rows, said, sentence

TAGS = re.compile("[\U000f0000-\U000fffff]")
UNSAID = {
    "terraformers": {"least-green", "least-science"},  # no pack has a card that compares so
    "troll-master": {
        "count-face-down",  # nobody is told of another's hand as a list
        "points-of-itself",  # no ability counts itself several times
        "showcase-familiars-by",  # the house pack has other actions by seats, and no other familiars
        "step-over",  # of a refusal after the end, which is told otherwise
    },
}
"""The texts that no position says, by room."""
TONE = "tone-"
"""Begins the names of colours, which are made when the room is imported."""
every_room = pytest.mark.parametrize("slug", ROOMS)


@every_room
def test_what_a_room_says_stands_in_its_table(slug: str) -> None:
    wrong = [
        f"{section}: {key}: {now}, and written is {written}"
        for section, key, _, written, now in said(slug)
        if written != now
    ]
    assert not wrong, "\n".join((f"python -m tests.sentences --write {slug}", *wrong))


@every_room
def test_every_event_and_move_is_told_and_what_is_hidden_of_it_is_told_as_hidden(slug: str) -> None:
    game = room_of(slug).game
    told = [one for _, _, table, _, one, _ in rows(slug) if table is None and isinstance(one, Event | Move)]
    every = {*classes(game.Event), *classes(game.Move)}
    assert {type(one) for one in told} == every, "each has a row in a section without a position"
    for event in told:
        redacted = (redact(event, viewer) for viewer in (0, 1, None)) if isinstance(event, Event) else ()
        for known in (event, *redacted):
            for lang, end in zip(LANGS, (".", "。"), strict=True):
                text = game.describe(known, lang)
                assert text.endswith(end) == isinstance(event, Event), f"only events end with {end} {text}"
                assert not re.search(r"None|[{}]", text), text
                assert text[0] == text[0].upper()
                assert not YOU.search(text), f"a log addresses nobody: {text}"


def tagged(words: Words, tags: dict[str, str]) -> Words:
    """Return the same words with a character of its own behind each text, whose key is put into `tags`."""
    tags |= {chr(0xF0000 + number): key for number, key in enumerate(words)}
    return Words(words.lang, {key: behind(words[key], tag) for tag, key in tags.items()})


def behind(text: str, tag: str) -> str:
    if isinstance(text, Counted):
        return Counted({form: one + tag for form, one in text.forms.items()})
    return text + tag


def forget(package: str) -> None:
    """Empty all caches of a package, so that words that are changed for a test are not remembered."""
    for name in [name for name in sys.modules if name.startswith(f"{package}.")]:
        for one in vars(sys.modules[name]).values():
            if hasattr(one, "cache_clear"):
                one.cache_clear()


def everything_said(slug: str, lang: str) -> Iterator[str]:
    """Yield each row's sentence, what everybody sees of the rows' positions, and what the house pack prints."""
    game, house = room_of(slug).game, room_of(slug).packs["house"].pack
    say = partial(sentence, game, lang=lang)
    yield say(None, 0, house) if slug in LISTING else ""
    yield "".join(name for names in game.names(house, lang).values() for name in names.values())
    yield "".join(game.kinds(lang).values())
    yield msgspec.json.encode(game.showcase(house, lang)).decode()
    for _, _, table, seat, told, _ in rows(slug):
        yield "" if isinstance(told, str) else say(table, seat, told)
        yield game.chapter(told, lang) or ""
        if table is not None:
            for viewer in (*range(len(game.standing(table).points)), None, ALL):
                scene = game.scene(game.view(table, viewer), lang)
                yield msgspec.json.encode(scene).decode() + telling.tell(scene, lang)


@pytest.mark.parametrize("lang", LANGS)
@every_room
def test_every_text_of_the_words_has_a_row(slug: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = room_of(slug).game.describe.__module__
    package, words = module.partition(".text")[0], sys.modules[module].WORDS
    tags: dict[str, str] = {}
    forget(package)
    monkeypatch.setitem(words, lang, tagged(words[lang], tags))
    found = {tag for text in everything_said(slug, lang) for tag in TAGS.findall(text)}
    monkeypatch.undo()
    forget(package)
    unsaid = {key for tag, key in tags.items() if tag not in found and not key.startswith(TONE)}
    assert unsaid == UNSAID.get(slug, set()), f"no row of {path_of(slug).name} says these texts"


LONGEST = pytest.mark.soak
"""Matches by chance take the longest, and less comes about in them than in those of bots that want something."""


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=LONGEST if kind == "random" else ()) for kind in BOTS])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_match_is_told_line_by_line_as_its_transcript_says(slug: str, kind: str) -> None:
    path = transcripts.path_of(slug, kind)
    assert path.is_file(), f"python -m tests.transcripts --write {slug}"
    written = path.read_text(encoding="utf-8")
    played = transcripts.replay(slug, written)
    told = transcripts.transcript(played).split("\n")
    for number, (line, now) in enumerate(zip(written.split("\n"), told, strict=False), 1):
        assert now == line, f"{path.name}, line {number}: python -m tests.transcripts --write {slug} shows the rest"
    assert len(told) == written.count("\n") + 1
    assert played.truth.is_over


@pytest.mark.parametrize("slug", SLUGS)
def test_an_order_for_a_move_with_a_piece_that_does_not_exist_is_told_in_words(slug: str) -> None:
    game = room_of(slug).game
    for kind, fields in orders.fields_of(game).items():
        for value in (-99, 99, "Pass"):
            rule = Rule(play=(Pattern(kind, tuple([Comparison(name, "=", value) for name in fields])),))
            assert all(rule_in_words(game, rule, lang) for lang in LANGS)
