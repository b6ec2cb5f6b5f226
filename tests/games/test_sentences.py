"""Every sentence of every room is said as the room's table has it, and no template of its words lacks a row."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any, get_args

import msgspec
import pytest

from domain import telling
from domain.game import ALL, Event, Move
from domain.secrecy import redact
from tests.cards import LISTING
from tests.drawn import LANGS
from tests.laws.rooms import room_of
from tests.laws.texts import YOU
from tests.sentences import ROOMS, rows, said, sentence

TAGS = re.compile("[\U000f0000-\U000fffff]")
UNSAID = {
    "magicative": {"scene[artefact]"},  # the palette, made when the room is imported
    "terraformers": {"least[green]", "least[science]"},  # no pack has a card that compares so
    "troll-master": {
        "amounts[face down]",  # nobody is told of another's hand as a list
        "points_of[itself]",  # no ability counts itself several times
        "step[over]",  # of a refusal after the end, which is told otherwise
    },
}
"""The templates that no position says, by room."""
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
    assert {type(one) for one in told} == {*get_args(game.Event), *get_args(game.Move)}
    for event in told:
        redacted = (redact(event, viewer) for viewer in (0, 1, None)) if isinstance(event, Event) else ()
        for known in (event, *redacted):
            for lang, end in zip(LANGS, (".", "。"), strict=True):
                text = game.describe(known, lang)
                assert text.endswith(end) == isinstance(event, Event), text
                assert not re.search(r"None|[{}]", text), text
                assert text[0] == text[0].upper()
                assert not YOU.search(text), f"a log addresses nobody: {text}"


def tagged(value: Any, tags: dict[str, str], path: str) -> Any:
    """Return the same words with a character of its own behind each template, whose name is put into `tags`."""
    if isinstance(value, str):
        tag = chr(0xF0000 + len(tags))
        tags[tag] = f"{path}: {value}"
        return value + tag
    if isinstance(value, dict):
        named = ((key, getattr(key, "__name__", key), one) for key, one in value.items())
        return {key: tagged(one, tags, f"{path}[{name}]") for key, name, one in named}
    if isinstance(value, tuple):  # the forms of one template, of which a number takes one
        forms = dict.fromkeys(value)
        tag = chr(0xF0000 + len(tags))
        tags[tag] = f"{path}: {'; '.join(forms)}"
        return tuple(one + tag for one in value)
    if isinstance(value, msgspec.Struct):
        fields = [name for name in value.__struct_fields__ if name not in ("lang", "refusals")]
        return msgspec.structs.replace(
            value, **{n: tagged(getattr(value, n), tags, f"{path}.{n}".lstrip(".")) for n in fields}
        )
    return value


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
    yield str(game.names(house, lang))
    yield msgspec.json.encode(game.showcase(house, lang)).decode()
    for _, _, table, seat, told, _ in rows(slug):
        yield "" if isinstance(told, str) else say(table, seat, told)
        if table is not None:
            for viewer in (*range(len(game.standing(table).points)), None, ALL):
                scene = game.scene(game.view(table, viewer), lang)
                yield msgspec.json.encode(scene).decode() + telling.tell(scene, lang)


@pytest.mark.parametrize("lang", LANGS)
@every_room
def test_every_template_of_the_words_has_a_row(slug: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = room_of(slug).game.describe.__module__
    package, words = module.partition(".text")[0], sys.modules[module].WORDS
    tags: dict[str, str] = {}
    forget(package)
    monkeypatch.setitem(words, lang, tagged(words[lang], tags, ""))
    found = {tag for text in everything_said(slug, lang) for tag in TAGS.findall(text)}
    monkeypatch.undo()
    forget(package)
    missing = {name.partition(": ")[0] for tag, name in tags.items() if tag not in found}
    assert missing == UNSAID.get(slug, set())
