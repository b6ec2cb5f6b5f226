"""Makes plain text of an HTML page, for mails without plain text. Quoted lines get the mark of plain text, `>`."""

from __future__ import annotations

from html.parser import HTMLParser

LINES = frozenset({"br", "p", "div", "li", "tr", "h1", "h2", "h3", "h4", "table", "hr", "pre", "ul", "ol"})
"""Elements that begin a new line."""

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
"""Texts in the class or id of an element that contains an older mail, or says who wrote that."""

VOID = frozenset({"br", "hr", "img", "meta", "link", "input", "area", "base", "col", "embed", "source", "track", "wbr"})
DEPTH = 200
"""The most elements inside each other; deeper elements count as part of the last one."""


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
    """Return the page without comments, up to a comment that does not end.

    For such comments the library would search the page again and again.
    """
    parts, end = [], 0
    while (begin := page.find("<!--", end)) >= 0:
        parts.append(page[end:begin])
        if (close := page.find("-->", begin + 4)) < 0:
            return "".join(parts)
        end = close + 3
    return "".join((*parts, page[end:]))


def text_of_html(page: str) -> str:
    """Return the page as plain text, with older mails marked by `>`."""
    reader = _Reader()
    reader.feed(_without_comments(page))
    reader.close()
    lines = "".join(reader.words).split("\n")
    return "\n".join(line.strip() for line in lines)
