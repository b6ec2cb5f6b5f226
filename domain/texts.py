"""Texts as data: a TOML file for each area, with every sentence in all languages side by side.

[moves]
en = {zero = "no move yet", one = "1 move", other = "{number} moves"}
ja = "{number}手"

What is said of a seat is said to who sits there as "you", before names are put in: "Seat 2 draws" is "You draw" to its
reader. English verbs change with their subject, also further ones of the same sentence: "Seat 2 discards wood 1, and
draws" becomes "You discard wood 1, and draw". Japanese ones do not.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any
from unicodedata import bidirectional

from msgspec.structs import asdict

from domain.game import Lang, Seat, Spoken, classes

LANGS: tuple[Lang, ...] = ("en", "ja")

LEFTWARD = frozenset({"R", "AL", "AN"})
"""The directions of letters that run from right to left."""

SEAT = re.compile(r"\b[Ss]eat (\d+)\b|席(\d+)")
"""Matches a seat in texts: "seat 1", "Seat 1's", "席1"."""

FURTHER = (
    "adds awakens begins brings chooses declares discards does draws ends gains gets goes has holds is keeps leaves"
    " loses pays plans puts rolls shows takes was wins"
)
"""The verbs that follow a seat's first one after "and" or a comma. They are listed because nouns stand there too."""

OBJECTS = "about against among as behind between by for from of on than to with"
"""The words after which something is done to a seat, or with it: no verb follows it then."""

NO_VERBS = "as minus plus"
"""Words that end like verbs."""

IRREGULAR = {"is": "are", "was": "were", "has": "have"}

CLAUSE = re.compile(r"(?:\bseat \d+:|[^.:;])+", re.IGNORECASE)
"""Matches what may have one subject: up to the next stop or colon, but not that of "Seat 2: passes"."""

VERB = rf"(?!(?:{NO_VERBS.replace(' ', '|')})\b)(?:can|may|must|will|[A-Za-z]*[a-rt-z]s)\b"
ELSE = re.compile(rf"\bseat \d+ {VERB}")
"""Matches where another seat becomes the subject."""

MORE = re.compile(rf"((?:,|,? (?:and|but|or|then))) ({FURTHER.replace(' ', '|')})\b")
THEIR = re.compile(r"\btheir\b")


class Words(dict[str, str]):
    """The sentences of a language by key, with fields in braces. They never change, so what they give may be cached."""

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, lang: Lang, sentences: Mapping[str, str]) -> None:
        super().__init__(sentences)
        self.lang = lang


Texts = Mapping[Lang, Words]


class Counted(str):
    """A sentence with plural forms; its field `number` chooses one: `zero` and `one` if there are such, or `other`."""

    forms: Mapping[str, str]
    _by_number: Mapping[object, str]
    """The forms for numbers that have one of their own; 1 and −1 have the same."""

    def __new__(cls, forms: Mapping[str, str]) -> Counted:
        made = super().__new__(cls, forms["other"])
        made.forms = forms
        names = {0: "zero", 1: "one", -1: "one"}
        made._by_number = {number: forms[name] for number, name in names.items() if name in forms}
        return made

    def format(self, *args: object, **fields: object) -> str:
        """Return the form for the number, with the fields filled in."""
        return self._by_number.get(fields["number"], self.forms["other"]).format(*args, **fields)


def read(package: str, *names: str) -> dict[Lang, Words]:
    """Return the texts of these files of a package, without ".toml"; of two with the same key, that of the later file.

    Raises:  KeyError if a language lacks a text.
    """
    return {
        lang: Words(lang, {key: text for name in names for key, text in _file(package, name)[lang].items()})
        for lang in LANGS
    }


class _Later(dict[Lang, Words]):
    """Texts that are read when a language is first asked for. Before that there seem to be none."""

    def __init__(self, package: str, names: tuple[str, ...]) -> None:
        super().__init__()
        self._files = (package, *names)

    def __missing__(self, lang: Lang) -> Words:
        texts = read(*self._files)
        self.update(texts)
        return texts[lang]


def later(package: str, *names: str) -> dict[Lang, Words]:
    """Return what `read` returns, but read it when a language is first asked for: the words of a room are many."""
    return _Later(package, names)


@cache
def _file(package: str, name: str) -> dict[Lang, dict[str, str]]:
    content = tomllib.loads(files(package).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    return {lang: {key: _text(languages[lang]) for key, languages in content.items()} for lang in LANGS}


def _text(value: Any) -> str:
    return Counted(value) if isinstance(value, dict) else str(value)


def kinds_in(words: Texts, moves: Any) -> Callable[[Lang], Mapping[str, str]]:
    """Return the function that returns what a room's moves are called in a language, by their class; `moves`: all."""

    def kinds(lang: Lang) -> Mapping[str, str]:
        return {move.__name__: words[lang][f"kind-{move.__name__}"] for move in classes(moves)}

    return kinds


def chapters_in(words: Texts, begin: type[Any]) -> Callable[[Any, Lang], str | None]:
    """Return the function that names the part of a match which begins with an event of that class; None for others."""

    def chapter(event: Any, lang: Lang) -> str | None:
        return words[lang]["chapter"].format(**asdict(event)) if isinstance(event, begin) else None

    return chapter


def spoken(words: Texts, key: str) -> Spoken:
    """Return a sentence in all languages."""
    return Spoken(*(words[lang][key] for lang in LANGS))


@lru_cache(maxsize=256)
def seat_name(words: Words, seat: Seat) -> str:
    """Return a seat, counted from 0 as in the data, in a form that a name can replace."""
    return _file("domain", "telling")[words.lang]["seat"].format(number=seat)


def seat_names(words: Words, seats: Iterable[Seat]) -> str:
    """Return several seats, at least one, as a list: `seat 0, seat 1 and seat 2`."""
    return listed(words, [seat_name(words, seat) for seat in seats])


def listed(words: Words, names: Sequence[str], last: str = "and") -> str:
    """Return names as a list, at least one: with commas between them, and before the last one the word `last`."""
    *others, end = names
    return words["comma"].join(others) + words[last] + end if others else end


def table(head: str, rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown; `head` is its first line, with its bars."""
    lines = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join((head, "|---" * (head.count("|") - 1) + "|", *lines))


def sentence(text: str) -> str:
    """Return the text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def figure(number: int) -> str:
    """Return the number as texts write it: with a minus sign, not a hyphen, below 0."""
    return str(number).replace("-", "−")


def apart(name: str) -> str:
    """Return a name to put into a sentence: one that runs from right to left does not turn what is beside it."""
    is_turned = not name.isascii() and not LEFTWARD.isdisjoint(map(bidirectional, name))
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" if is_turned else name


def named(text: str, names: Sequence[str], you: Seat | None = None) -> str:
    """Return the text with names in the place of the seats' numbers; "" keeps the number. `you`: the reader's seat."""
    if "eat " not in text and "席" not in text:
        return text  # the expressions are slow, and most texts name no seat
    if you is not None:
        text = to_you(text, you)  # before there are names, which may contain anything

    def name(match: re.Match[str]) -> str:
        seat = int(match[1] or match[2])
        return apart(names[seat] if seat < len(names) else "") or match[0]

    return SEAT.sub(name, text)


def to_you(text: str, seat: Seat) -> str:
    """Return a text about seats as that seat reads it: 「席2」 and "seat 2" become 「あなた」 and "you"."""
    if f"席{seat}" in text:
        text = re.sub(rf"席{seat}(?!\d)", "あなた", text)
    own = f"eat {seat}"
    if own not in text:
        return text
    # the expressions are slow, and most lines of a whole table are of others
    lines = text.split("\n")
    return "\n".join(CLAUSE.sub(lambda at: _clause(at[0], seat), line) if own in line else line for line in lines)


@lru_cache(maxsize=32)
def _seat(seat: Seat) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return what matches the seat as a subject, with its first verb, and anywhere, with its "'s" and what follows."""
    not_object = "".join(f"(?<!\\b{word} )" for word in OBJECTS.split())
    subject = rf"\b{not_object}([Ss])eat {seat}(:|(?:, [^,]+,)?(?= {VERB}))(?: ({VERB}))?"
    return re.compile(subject), re.compile(rf"\b([Ss])eat {seat}\b('s)?(?=( \S)?)")


def _clause(clause: str, seat: Seat) -> str:
    subject, anywhere = _seat(seat)
    said = ""
    if found := subject.search(clause):
        rest = clause[found.end() :]
        other = ELSE.search(rest)
        own, clause = (rest[: other.start()], rest[other.start() :]) if other else (rest, "")
        own = MORE.sub(lambda more: f"{more[1]} {conjugated(more[2])}", THEIR.sub("your", own))
        verb = f" {conjugated(found[3])}" if found[3] else ""
        before = found.string[: found.start()]
        said = anywhere.sub(_you, f"{before}{found[1]}eat {seat}{found[2]}{verb}{own}")
        return said + _clause(clause, seat)
    return anywhere.sub(_you, clause)


def _you(found: re.Match[str]) -> str:
    return ("Y" if found[1] == "S" else "y") + ("ou" if not found[2] else "our" if found[3] else "ours")


def conjugated(verb: str) -> str:
    """Return the form that follows "you" of a verb that follows "he"; "can", "may" and the like stay as they are."""
    small = verb.lower()
    if small in IRREGULAR:
        changed = IRREGULAR[small]
        return changed.capitalize() if verb[0].isupper() else changed
    if not small.endswith("s"):
        return verb
    if small.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if re.search("(?:ss|sh|ch|x|o|zz)es$", small) else verb[:-1]
