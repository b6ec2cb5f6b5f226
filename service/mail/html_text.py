"""The words of a page, for mails that come as nothing else; what is quoted in it is marked as in a plain text."""

from __future__ import annotations

from html.parser import HTMLParser

LINES = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "table", "hr", "pre", "ul", "ol"})
"""Elements that begin a line."""

DROPPED = frozenset({"script", "style", "head", "title", "template"})
QUOTES = (
    "gmail_quote",
    "gmail_attr",
    "moz-cite-prefix",
    "yahoo_quoted",
    "protonmail_quote",
    "divrplyfwdmsg",
    "appendonsend",
)
"""In the class or id of what holds an older mail, or tells whose it is."""

VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "source", "track", "wbr"})
DEPTH = 200
"""Elements in one another; what is deeper is left out."""


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._open: list[tuple[str, bool, bool]] = []
        """The elements that are open: name, whether they are dropped, whether they are quoted."""

    @property
    def _now(self) -> tuple[bool, bool]:
        return self._open[-1][1:] if self._open else (False, False)

    def _break(self) -> None:
        self.words.append("\n> " if self._now[1] else "\n")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        is_dropped, is_quoted = self._now
        marks = " ".join(value or "" for name, value in attrs if name in {"class", "id"}).lower()
        is_quoted = is_quoted or tag == "blockquote" or any(mark in marks for mark in QUOTES)
        if tag not in VOID and len(self._open) < DEPTH:
            self._open.append((tag, is_dropped or tag in DROPPED, is_quoted))
        if tag in LINES or tag == "blockquote":
            self._break()

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, *_ in self._open):
            while self._open.pop()[0] != tag:
                pass
            if tag in LINES or tag == "blockquote":
                self._break()

    def handle_data(self, data: str) -> None:
        is_dropped, is_quoted = self._now
        if not is_dropped:
            self.words.append(" ".join(data.split()) if not is_quoted else "> " + " ".join(data.split()))


def _without_comments(page: str) -> str:
    """The page up to a comment that does not end; the library would look for each one's end anew."""
    parts, end = [], 0
    while (begin := page.find("<!--", end)) >= 0:
        parts.append(page[end:begin])
        if (close := page.find("-->", begin + 4)) < 0:
            return "".join(parts)
        end = close + 3
    return "".join((*parts, page[end:]))


def text_of_html(page: str) -> str:
    """The page as plain text, older mails in it behind `>`."""
    reader = _Reader()
    reader.feed(_without_comments(page))
    reader.close()
    lines = "".join(reader.words).split("\n")
    return "\n".join(line.strip() for line in lines)
