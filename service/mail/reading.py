"""Which move a reply means, read from the lines that its writer wrote: one move, or none where it could be two.

A reply is read as people write it: "3", "*3*", "3 please", "3です", a greeting above it, the older mail above or below
it. Everything that is not understood whole ("3 or 4", "not 3", "Hi 3") means no move: its writer is asked.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

import msgspec

from service.mail import phrases

_QUOTED = re.compile(r"\s*[>|｜＞]")
_SIGNATURE = re.compile(r"--\s*|_{10,}|-{5,}|={5,}|-+ ?(Original Message|Ursprüngliche Nachricht|元のメッセージ) ?-+")
_SAID = re.compile(r".{4,600}[:：]")
_HEAD = re.compile(
    r"(from|sent|to|subject|date|von|gesendet|an|betreff|差出人|送信日時|宛先|件名)\s*[:：]", re.IGNORECASE
)
_TOKEN = re.compile(r"[0-9]+|[a-zß-ÿ]+(?:'[a-z]+)?|[ぁ-ゖァ-ヺー々一-鿿]+|\S")
_NUMBERED = re.compile(r"[\[(#]?\s*([0-9]{1,4})\s*[\])]?\s*番?\s*(?:[.:)、。!]|[-–—](?=\s))?\s*(\D.*)")
"""A number, and words after it: those of the move."""

_NOTATION = re.compile('[*_~`"“”‘’„「」『』【】«»]')
"""What stands around a word to stress or to cite it."""

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u20e3\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Signs that show nothing, or only how the sign before them is drawn, beside those of the category Cf."""

LINE, LINES, OWN = 300, 2000, 12
"""Characters of a line that are looked at; lines; and lines of the writer's own."""

Moves = Sequence[tuple[str, str]]
"""Ids and texts of moves, as they were numbered."""


class Meant(msgspec.Struct, frozen=True):
    """What a reply says."""

    line: str
    """The line that answers; "": there is none."""
    id: str | None
    """Of the move that it means; None where it means none, or could mean two."""
    is_unclear: bool = False
    """Whether it could mean two."""


def meant(text: str, moves: Moves, also: Mapping[str, str] = {}) -> Meant:
    """The move that the reply means. `also`: other words for moves, by their ids ("yes" for "accept")."""
    own = own_lines(text)
    while own and _is_greeting(own[0]) and not _names_move(own[0], moves, also):
        own = own[1:]
    if not own:
        return Meant("", None)
    found = _meanings(own[0], moves, also)
    others = [line for line in own[1:] if _says_otherwise(line, moves, also, found)]
    if len(found) == 1 and not others:
        return Meant(own[0], next(iter(found)))
    has_words = _has_numbers(own[0], moves) or any(token in also for token in _tokens(own[0]))
    return Meant(own[0], None, is_unclear=bool(others) or bool(found) or has_words)


def own_lines(text: str) -> tuple[str, ...]:
    """The lines that its writer wrote, up to a signature, or to the older mail below them."""
    lines = [_cleaned(line) for line in text.splitlines()[:LINES]]
    found: list[str] = []
    number = 0
    while number < len(lines) and len(found) < OWN:
        line, has_said = lines[number], any(not _is_greeting(one) for one in found)
        end = number + 1 if _QUOTED.match(line) else _attribution(lines, number)
        if not line:
            number += 1
        elif _SIGNATURE.fullmatch(line) or _HEAD.match(line):
            break
        elif end > number:
            if has_said:
                break
            number = end
        elif has_said and _SAID.fullmatch(line):
            break  # it leads to a quotation that is not marked
        else:
            found.append(line)
            number += 1
    return tuple(found)


def first_line(text: str) -> str:
    """The first line that its writer wrote and that is no greeting; "" where there is none."""
    return next((line for line in own_lines(text) if not _is_greeting(line)), "")


def _attribution(lines: Sequence[str], start: int) -> int:
    """Where the lines end that say whose words are quoted below, if they begin here: they are three at most."""
    end = start
    while end < min(start + 3, len(lines)) and lines[end] and not _QUOTED.match(lines[end]):
        end += 1
    below = next((line for line in lines[end:] if line), "")
    said = " ".join(lines[start:end])
    is_answer = _number(_tokens(lines[start])) is not None
    return end if not is_answer and _QUOTED.match(below) and _SAID.fullmatch(said) else start


def _meanings(line: str, moves: Moves, also: Mapping[str, str]) -> set[str]:
    """The ids of all moves that the line could mean: by number, id, text, and other words for them."""
    tokens, said = _tokens(line), _folded(line)
    short = _folded(" ".join(_without_courtesy(line.split())))
    found = {id for id, text in moves if {said, short} & {id.casefold(), _folded(text)}}
    number = _number(tokens)
    if number is not None:
        if not 1 <= number <= len(moves):
            return found
        named = moves[number - 1][0]
        # who marks a number as such means the number, whatever else is called so
        found = {named} if _is_marked(tokens) else found | {named}
        tokens = tuple(token for token in _unmarked(tokens) if not token.isdecimal())
    if all(token in also or phrases.is_courtesy(token) for token in tokens):
        found |= {also[token] for token in tokens if token in also}
    if not found and (numbered := _NUMBERED.fullmatch(line)) and 1 <= int(numbered[1]) <= len(moves):
        id, text = moves[int(numbered[1]) - 1]
        rest = _folded(" ".join(_without_courtesy(numbered[2].split())))
        if rest and _folded(text).startswith(rest):
            found = {id}
    return found


def _number(tokens: Sequence[str]) -> int | None:
    """The one number in words that add nothing to it; None where there are others, or more numbers than one."""
    numbers = [at for at, token in enumerate(tokens) if token.isdecimal()]
    if len(numbers) != 1:
        return None
    rest = (token for token in _unmarked(tokens) if not token.isdecimal())
    return int(tokens[numbers[0]]) if all(map(phrases.is_courtesy, rest)) else None


def _mark(tokens: Sequence[str], at: int) -> int:
    """How many words right before the number there say that it is one: "#", "No.", "number:"."""
    length = 2 if tokens[at - 1 : at] in {(".",), (":",)} else 1
    return length if at >= length and tokens[at - length] in phrases.MARKS else 0


def _unmarked(tokens: Sequence[str]) -> Sequence[str]:
    """The words without those that say of a number that it is one."""
    at = next(at for at, token in enumerate(tokens) if token.isdecimal())
    return (*tokens[: at - _mark(tokens, at)], *tokens[at:])


def _is_marked(tokens: Sequence[str]) -> bool:
    at = next(at for at, token in enumerate(tokens) if token.isdecimal())
    return _mark(tokens, at) > 0 or "".join(tokens[at + 1 : at + 2]).startswith("番")


def _says_otherwise(line: str, moves: Moves, also: Mapping[str, str], found: set[str]) -> bool:
    """Whether a line below the answer names another move, or takes the answer back."""
    tokens = _tokens(line)
    is_correction = any(token in phrases.CORRECTIONS for token in tokens) and _has_numbers(line, moves)
    return is_correction or bool(_meanings(line, moves, also) - found)


def _has_numbers(line: str, moves: Moves) -> bool:
    return any(token.isdecimal() and 1 <= int(token) <= len(moves) for token in _tokens(line))


def _names_move(line: str, moves: Moves, also: Mapping[str, str]) -> bool:
    said = f" {_folded(line).rstrip('.,!。、')} "
    labels = [_folded(text) for _, text in moves]
    has_label = any((f" {label} " if label.isascii() else label) in said for label in labels)
    return has_label or any(token in also for token in _tokens(line))


def _is_greeting(line: str) -> bool:
    tokens = [token for token in _tokens(line) if token not in phrases.PUNCTUATION]
    is_short = len(tokens) <= phrases.GREETING and not any(token.isdecimal() or token == "?" for token in tokens)
    return bool(tokens) and is_short and phrases.is_greeting(tokens[0])


def _without_courtesy(words: Sequence[str]) -> Sequence[str]:
    """The words without those of courtesy at both ends, and without the last sign."""
    begin, end = 0, len(words)
    while begin < end and all(map(phrases.is_courtesy, _tokens(words[begin]))):
        begin += 1
    while begin < end and all(map(phrases.is_courtesy, _tokens(words[end - 1]))):
        end -= 1
    kept = list(words[begin:end])
    return [*kept[:-1], kept[-1].rstrip(".,!。、！")] if kept else kept


def _tokens(line: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(_NOTATION.sub("", line.replace("’", "'")).casefold()))


def _cleaned(line: str) -> str:
    """The line as it looks: wide signs narrow, and without those that nobody sees."""
    seen = "".join(sign for sign in line[:LINE] if unicodedata.category(sign) != "Cf")
    narrow = unicodedata.normalize("NFKC", _UNSEEN.sub("", seen))
    return " ".join("".join(str(int(sign)) if sign.isdecimal() else sign for sign in narrow).split())


def _folded(text: str) -> str:
    return " ".join(_NOTATION.sub("", _cleaned(text)).casefold().split())
