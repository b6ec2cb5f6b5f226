"""Finds the move that a reply means, in the lines that its writer wrote: one move, or none if it could mean two.

A reply may have any form in which people write: "3", "*3*", "3 please", "3です", a greeting above it, the older mail
above or below it. A reply that is not understood completely ("3 or 4", "not 3", "Hi 3") means no move: the service asks
the writer back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache
from html.parser import HTMLParser

import msgspec

from domain import texts

NAME = "Foldtable"
"""The name under which mails are sent."""

_TEXTS = texts.read("service.mail", "replies")


def _words(key: str) -> tuple[str, ...]:
    """Return the words of both languages: a reply may mix them."""
    return tuple(word.replace("_", " ") for lang in texts.LANGS for word in _TEXTS[lang][key].split())


MARKS, CORRECTIONS = frozenset(_words("marks")), frozenset(_words("corrections"))
GREETINGS, YES, NO = _words("greetings"), _words("yes"), _words("no")
PUNCTUATION = frozenset(".,;:!()[]。、'")
_COURTESY = PUNCTUATION | frozenset(_words("polite"))
"""Words that do not change an answer."""

_OF_NUMBER = re.compile(
    r"(?:番目?|つ目)?(?:の手)?"
    r"(?:(?:で|を|に)?(?:す|する|お(?:願|ねが)い|(?:お(?:願|ねが)い|選択|希望)?(?:し|いたし|致し)ます|(?:選択)?して(?:おきます|(?:くだ|下)さい)"
    r"|選ぶ|選びま(?:す|した)|選択|希望|決定|決めま(?:す|した)|頼む|頼みます|どうぞ|出します|ありがとうございます"
    r"|(?:行|い)きま(?:す|しょう)|(?:選んで|進めて)?(?:くだ|下)さい|(?:よろ|宜)しく(?:お(?:願|ねが)い(?:し|いたし|致し)ます)?)?"
    r"|と(?:し|いたし|致し)ます|がいい(?:です)?|で(?:いい|良い|よい|結構)です)"
)
"""The words that Japanese writers add to a number without changing it: 3です, 3番でお願いします."""


def _is_courtesy(token: str) -> bool:
    """Return whether the word does not change an answer."""
    return token in _COURTESY or (not token.isascii() and bool(_OF_NUMBER.fullmatch(token)))


BREAKING = frozenset(
    {"address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "div", "dl", "dt"}
    | {"fieldset", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "img", "li", "main"}
    | {"nav", "ol", "option", "p", "pre", "section", "summary", "table", "td", "th", "tr", "ul"}
)
"""Elements that begin a new line, or whose text stands apart from what is before them."""

DROPPED = frozenset({"script", "style", "head", "title", "template", "s", "strike", "del"})
"""Elements whose text is not seen, or was crossed out."""

_QUOTES = re.compile("gmail_quote|gmail_attr|moz-cite-prefix|yahoo_quoted|protonmail_quote|divrplyfwdmsg|appendonsend")
"""Matches in the class or id of an element that contains an older mail, or says who wrote that."""

VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "source", "track", "wbr"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        """The open elements: the name, whether its text is dropped, and whether it is quoted."""

    @property
    def _now(self) -> tuple[bool, bool]:
        return self._open[-1][1:] if self._open else (False, False)

    def _break(self) -> None:
        self.words.append("\n> " if self._now[1] else "\n")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self.handle_endtag("head")  # its end may be left out
        is_dropped, was_quoted = self._now
        marks = " ".join(value or "" for name, value in attrs if name in {"class", "id"}).lower()
        is_quoted = was_quoted or tag == "blockquote" or bool(_QUOTES.search(marks))
        is_crossed_out = any(name == "style" and "line-through" in (value or "").lower() for name, value in attrs)
        if tag not in VOID and len(self._open) < 200:  # deeper elements count as part of the last one
            self._open.append((tag, is_dropped or tag in DROPPED or is_crossed_out, is_quoted))
        if tag in BREAKING or self._now[1] != was_quoted:
            self._break()

    def handle_endtag(self, tag: str) -> None:
        was_quoted = self._now[1]
        if any(name == tag for name, *_ in self._open):
            while self._open.pop()[0] != tag:
                pass
            if tag in BREAKING or self._now[1] != was_quoted:
                self._break()

    def handle_data(self, data: str) -> None:
        is_laid_out = any(name == "pre" for name, *_ in self._open)
        for number, line in enumerate(data.split("\n") if is_laid_out else [data]):
            if number:
                self._break()
            # spaces around a word stay: "1 <b>2</b>" is not 12
            self.words.append(" " if self._now[0] else re.sub(r"\s+", " ", line))


_ODD = re.compile(r"(?P<unseen><!--.*?(?:-->|\Z)|<[!?][^<>]*>)|<(?=[^<>]*(?:<|\Z))", re.DOTALL)
"""A comment, also one without end, or a declaration; or a `<` before the next of which no `>` comes.

The library would search for the ends of such elements again and again, for minutes, or stop at a declaration.
"""


def text_of_html(page: str) -> str:
    """Return the page as plain text, with older mails marked by `>`."""
    reader = _Reader()
    reader.feed(_ODD.sub(lambda found: "" if found["unseen"] else "&lt;", page))
    reader.close()
    lines = "".join(reader.words).split("\n")
    return "\n".join(line.strip() for line in lines)


_QUOTED = re.compile(r"\s*[>|｜＞]")
_SIGNATURE = re.compile(
    r"--\s*|_{10,}|-{5,}|={5,}|[~*#+─━―ー・☆★]{5,}|-+ ?(Original Message|Ursprüngliche Nachricht|元のメッセージ) ?-+"
)
_SAID = re.compile(r".{4,600}[:：]|-{4,} ?[^\W\d].{2,600}-{3,}")
"""Says that an older mail follows: it ends with a colon, or stands between dashes."""

_SENDER = re.compile(rf"\b{NAME}\W{{0,3}}[^\s<>@]{{1,64}}@")
"""Names the sender of the older mail that follows."""

_DEVICE = re.compile(r"\W*(sent (from|with) .+|get outlook for .+|.+から送信|.*outlook.*を入手)\W*", re.IGNORECASE)
"""Names the device or program by which a mail was sent, as they add it themselves."""

_DATED = re.compile(r"[0-9]{4}|[0-9][:/][0-9]")
"""What a line contains that begins the head of an older mail, if the head has more lines."""

_HEAD = re.compile(
    r"\**(from|sent|to|subject|date|von|gesendet|an|betreff|de|envoyé|da|van|差出人|送信日時|宛先|件名|发件人)\s*[:：]",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[0-9]+|[a-zß-ÿ]+(?:'[a-z]+)?|[ぁ-ゖァ-ヺー々一-鿿]+|\S")
_NUMBERED = re.compile(r"[\[(#]?\s*([0-9]{1,4})\s*[\])]?\s*番?の?\s*(?:[.:)、。!,=→]|[-–—](?=\s))?\s*(\D.*)")
"""A number, and words after it, which should be the text of the move."""

_NOTATION = re.compile(
    r'(?P<apart>(?<=[0-9])[*_~〜`"“”‘’„「」『』【】«»]+(?=[0-9]))'
    r'|[(]\^[-_.o]?\^;?[)]/?|m[(][_. ]+[)]m|[*_~〜`"“”‘’„「」『』【】«»]|[:;]-[)]'
)
"""Signs around a word that emphasise or quote it, and smiles, whose parts could be read as other signs.

Between two digits such signs part two numbers.
"""

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u20e3\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Invisible signs, and signs that only change how the sign before them is drawn, except those of the category Cf."""

_OVERRIDE = "\u202e"
"""After this sign digits are seen in the opposite order."""

LINE, LINES, OWN = 300, 2000, 200
"""The most characters of a line, lines of the mail, and lines of the writer that are read."""

BRIEF = 2
"""A number in a line of so many words may be that of a move; in a longer line only the first word may."""

Moves = Sequence[tuple[str, str]]
"""The ids and texts of moves, in the order of their numbers."""


class Meant(msgspec.Struct, frozen=True):
    """The meaning of a reply."""

    line: str
    """The line that answers; "" if there is none."""
    id: str | None
    """The id of the move that the reply means; None if it means none, or could mean two."""
    is_unclear: bool = False
    """Whether the reply could mean two moves."""

    @property
    def unread(self) -> str:
        """The code of the answer to a reply that means no move."""
        return "empty" if not self.line else "unclear" if self.is_unclear else "unread"


def meant(text: str, moves: Moves, also: Mapping[str, str] = {}) -> Meant:
    """Return the meaning of the reply. `also`: the ids of moves by other words for them ("yes" for "accept")."""
    lines = own_lines(text)
    while lines and is_greeting(lines[0]) and not _named(_plain(lines[0]), moves, also):
        lines = lines[1:]
    if not lines:
        return Meant("", None)
    first, *below = map(_plain, lines)
    ids = _meanings(first, moves, also)
    others = [line for line in below if _says_otherwise(line, moves, also, ids)]
    if len(ids) == 1 and not others:
        return Meant(lines[0], next(iter(ids)))
    has_words = _has_numbers(first, moves) or any(token in also for token in _tokens(first))
    return Meant(lines[0], None, is_unclear=bool(others) or bool(ids) or has_words)


def own_lines(text: str) -> tuple[str, ...]:
    """Return the lines that the writer wrote, up to a signature, or to the older mail below them."""
    lines = [_cleaned(line) for line in text.splitlines()[:LINES]]
    own: list[str] = []
    number = 0
    while number < len(lines) and len(own) < OWN:
        line, has_said = lines[number], any(not is_greeting(before) for before in own)
        end = number + 1 if _QUOTED.match(line) else _attribution(lines, number)
        if not line:
            number += 1
        elif _SIGNATURE.fullmatch(line) or _HEAD.match(line):
            break
        elif end > number:
            if has_said:
                break
            number = end
        elif has_said and _introduces(line):
            break  # a quotation without marks
        else:
            own.append(line)
            number += 1
    return tuple(own)


def _attribution(lines: Sequence[str], start: int) -> int:
    """Return the end of the (at most three) lines that say who is quoted below, if they begin at `start`, else that."""
    end = start
    while end < min(start + 3, len(lines)) and lines[end] and not _QUOTED.match(lines[end]):
        end += 1
    below = next((line for line in lines[end:] if line), "")
    joined = " ".join(lines[start:end])
    is_answer = _number(_tokens(lines[start])) is not None or (end > start + 1 and not _DATED.search(lines[start]))
    return end if not is_answer and _QUOTED.match(below) and _introduces(joined) else start


def _introduces(line: str) -> bool:
    return bool(_SAID.fullmatch(line) or _SENDER.search(line))


def _meanings(line: str, moves: Moves, also: Mapping[str, str]) -> set[str]:
    """Return the ids of all moves that the line could mean: by number, id, text, and other words for them."""
    tokens = _tokens(line)
    if tokens[:1] == ("do",) and tokens[1:2] in {("i",), ("we",)}:
        return set()  # it asks
    ways = _ways(line)
    ids = {id for id, text in moves if id.casefold() in ways or any(_is_text(way, _label(text)) for way in ways)}
    if (numbered := _number(tokens)) is not None:
        number, is_marked, tokens = numbered
        if not 1 <= number <= len(moves):
            return ids
        named = moves[number - 1][0]
        # a number that is marked as such means the number, even if a move's id or text is the same
        ids = {named} if is_marked else ids | {named}
    ids |= {also[way] for way in {*ways, _folded(line).rstrip(".!")} if way in also}
    if all(token in also or _is_courtesy(token) for token in tokens):
        ids |= {also[token] for token in tokens if token in also}
    return ids or _numbered(line, moves) or _numbered(" ".join(_without_courtesy(line.split())), moves)


def _numbered(line: str, moves: Moves) -> set[str]:
    """Return the id of the move whose number stands before its text, or before the beginning of that."""
    match = _NUMBERED.fullmatch(line)
    if match is None or not 1 <= int(match[1]) <= len(moves):
        return set()
    id, text = moves[int(match[1]) - 1]
    ways = _ways(match[2]) | _ways(match[2].lstrip("("))
    return {id for way in ways if _label(text).startswith(way) or _is_text(way, _label(text))}


def _ways(line: str) -> frozenset[str]:
    """Return the line, folded, with and without courtesy at its ends, which may be part of a move's text."""
    words = line.split()
    return frozenset(filter(None, (_folded(" ".join(words)), _folded(" ".join(_without_courtesy(words))))))


def _is_text(said: str, text: str) -> bool:
    """Return whether somebody who said so means the text of a move: "引くでお願いします" means "引く"."""
    if not said.startswith(text):
        return False
    rest = said[len(text) :]
    is_apart = not (rest[:1].isascii() and rest[:1].isalnum())
    return is_apart and all(map(_is_courtesy, _tokens(rest)))


def _number(tokens: Sequence[str]) -> tuple[int, bool, tuple[str, ...]] | None:
    """Return the only number, whether it is marked as one ("#", "No."), and the other words; None if these say more."""
    numbers = [at for at, token in enumerate(tokens) if token.isdecimal()]
    if len(numbers) != 1:
        return None
    (at,) = numbers
    length = 2 if tokens[at - 1 : at] in {(".",), (":",)} else 1
    begin = at - length if at >= length and tokens[at - length] in MARKS else at
    rest = (*tokens[:begin], *tokens[at + 1 :])
    is_marked = begin < at or "".join(tokens[at + 1 : at + 2]).startswith("番")
    return (int(tokens[at]), is_marked, rest) if all(map(_is_courtesy, rest)) else None


def _says_otherwise(line: str, moves: Moves, also: Mapping[str, str], ids: set[str]) -> bool:
    """Return whether a line below the answer names another move than `ids`, or takes the answer back."""
    words = [token for token in _tokens(line) if token not in PUNCTUATION and token != "?"]
    takes_back = all(word in CORRECTIONS or _is_courtesy(word) for word in words) or _has_numbers(line, moves)
    if takes_back and any(word in CORRECTIONS for word in words):
        return True
    seen = _folded(line)
    for text in [_label(text) for id, text in moves if id in ids]:
        seen = seen.replace(text, " ")  # in the words of the answer itself another move's may stand
    likely = words if len(words) <= BRIEF else words[:1]
    numbers = {moves[int(word) - 1][0] for word in likely if word.isdecimal() and 1 <= int(word) <= len(moves)}
    return bool((numbers | _meanings(line, moves, also) | _named(seen, moves, also)) - ids)


def _has_numbers(line: str, moves: Moves) -> bool:
    return any(token.isdecimal() and 1 <= int(token) <= len(moves) for token in _tokens(line))


def _named(line: str, moves: Moves, also: Mapping[str, str]) -> set[str]:
    """Return the ids of the moves whose text, or another word for them, stands anywhere in the line."""
    seen, tokens = _folded(line), _tokens(line)
    ids = {id for id, text in moves if _stands_in(_label(text), seen)}
    # Japanese has no spaces between words
    return ids | {id for word, id in also.items() if (word in tokens if word.isascii() else word in seen)}


def _stands_in(text: str, line: str) -> bool:
    """Return whether the text stands in the line as words of its own. Numbers are read elsewhere."""
    is_there = bool(text) and not text.isdecimal() and text in line
    return is_there and bool(re.search(rf"(?<![a-z0-9]){re.escape(text)}(?![a-z0-9])", line))


def is_greeting(line: str) -> bool:
    """Return whether the line only greets, thanks, or names the program that has sent the mail."""
    tokens = [token for token in _tokens(line) if token not in PUNCTUATION]
    is_short = len(tokens) <= 8 and not any(token.isdecimal() or token == "?" for token in tokens)
    if not tokens or not is_short:
        return False
    if _DEVICE.fullmatch(line):
        return True
    return tokens[0] in GREETINGS or (not tokens[0].isascii() and tokens[0].startswith(GREETINGS))


def _without_courtesy(words: Sequence[str]) -> Sequence[str]:
    """Return the words without those of courtesy at both ends, and without punctuation at the end."""
    begin, end = 0, len(words)
    while begin < end and all(map(_is_courtesy, _tokens(words[begin]))):
        begin += 1
    while begin < end and all(map(_is_courtesy, _tokens(words[end - 1]))):
        end -= 1
    kept = list(words[begin:end])
    return [*kept[:-1], kept[-1].rstrip(".,!。、！")] if kept else kept


def _tokens(line: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(_without_notation(line.replace("’", "'")).casefold()))


def _without_notation(line: str) -> str:
    return _NOTATION.sub(lambda found: " " if found["apart"] else "", line)


def _cleaned(line: str) -> str:
    """Return the line as a reader sees it: without invisible signs, and with wide signs made narrow."""
    seen = "".join(sign for sign in line[:LINE] if unicodedata.category(sign) != "Cf" or sign == _OVERRIDE)
    # ² and ② are signs of their own, also beside a digit
    apart = "".join(f" {sign} " if unicodedata.category(sign) == "No" else sign for sign in _UNSEEN.sub("", seen))
    # one sign may be many when it is made narrow
    narrow = unicodedata.normalize("NFKC", apart)[:LINE]
    return " ".join("".join(str(int(sign)) if sign.isdecimal() else sign for sign in narrow).split())


_DIGITS = "〇一二三四五六七八九"
_COUNTED = re.compile(rf"(?<![{_DIGITS}十百])(?:([{_DIGITS}]?)十([{_DIGITS}]?)|([{_DIGITS}]))(?=番|つ目)")
_BULLET = re.compile(r"\A[-–•・] (?=\w)")


def _plain(line: str) -> str:
    """Return a cleaned line without the sign of a list before it, and with numbers like 三番 in digits."""
    return _COUNTED.sub(lambda found: str(_counted(*found.groups(""))), _BULLET.sub("", line))


def _counted(tens: str, ones: str, alone: str) -> int:
    return _DIGITS.index(alone) or 10 * (_DIGITS.index(tens) or 1) + _DIGITS.index(ones)


def _folded(line: str) -> str:
    """Return a cleaned line in a form that is the same however it is written."""
    return " ".join(_without_notation(line).casefold().split())


@lru_cache(maxsize=256)
def _label(text: str) -> str:
    """Return the text of a move in that form: it is compared with each line of a reply."""
    return _folded(_plain(_cleaned(text)))
