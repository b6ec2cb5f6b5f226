"""Rule texts as parts of a page: every clause has an anchor, and every mention of a clause is a link to it.

The texts come from rooms, but are treated like anybody's text: HTML in them is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

CLAUSE = re.compile(r"([0-9A-Z]+-[0-9]+) ")
"""The beginning of an item that is a clause."""
COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
MENTION = re.compile(r"(?<![0-9A-Za-z-])[0-9A-Z]+-[0-9]+(?![0-9A-Za-z])")
"""A mention of a clause, also between Japanese letters."""
JAPANESE = re.compile("[々〇ぁ-ヿ一-鿿](?:[「」（）()・、。]*[々〇ぁ-ヿ一-鿿])*")
"""A game's words as they are in the original, in a text of another language."""
SOURCE = re.compile(r"\[([A-Z])\]")
"""The mark in rule texts of where a clause comes from."""

Figure = Callable[[str, str], str]
"""(name, caption) -> the HTML of a drawn example."""


class Rendered(NamedTuple):
    """A text as HTML, without its title. The anchor of a clause is as `3m-12` for 3M-12."""

    title: str
    body: Markup
    headings: dict[str, str]
    """The headings of the second level by anchor, for a table of contents."""
    clauses: tuple[str, ...]


class Writer(RendererHTML):
    """Writes HTML. `env` says what it needs to know of the page."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return text with links to the clauses that it mentions, and with marks of sources."""
        known, link = env["known"], env["link"]

        def mention(match: re.Match[str]) -> str:
            clause = match[0]
            return f'<a class="mention" href="{link}#{clause.lower()}">{clause}</a>' if clause in known else clause

        html = MENTION.sub(mention, escapeHtml(tokens[idx].content))
        if env["lang"] != "ja":
            html = JAPANESE.sub(r'<span lang="ja">\g<0></span>', html)
        return SOURCE.sub(r'<span class="source">\1</span>', html)

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return a fenced part: a figure, or else code."""
        kind, _, name = tokens[idx].info.strip().partition(" ")
        if kind == "figure" and env["figure"] is not None:
            return str(env["figure"](name, tokens[idx].content.strip()))
        return f"<pre><code>{escapeHtml(tokens[idx].content)}</code></pre>\n"

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the start of a table, in a box that scrolls, also by keys, if it is wider than the screen."""
        return '<div class="wide" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Return the end of a table."""
        return "</table></div>\n"


def rendered(
    text: str,
    figure: Figure | None = None,
    link: str = "",
    clauses: Sequence[str] | None = None,
    beside: Mapping[str, Markup] = MappingProxyType({}),
    *,
    lang: str,
) -> Rendered:
    """Return the text as HTML. A fenced part that is a figure, "```figure name", contains its caption.

    Shape:   `link`: the URL of the rules, before the anchors of mentioned clauses; "" on their own page. `clauses`: the
             clauses that can be mentioned; None for those of the text. `beside`: HTML beside a clause's number.
             `lang`: the text's.
    """
    reader = MarkdownIt("commonmark", {"html": False}, renderer_cls=Writer).enable("table").disable("image")
    tokens = reader.parse(COMMENT.sub("", text))
    own, headings, title = tuple(_clauses(tokens, beside)), _headings(tokens), ""
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        title = tokens[1].content
        del tokens[:3]  # the page shows the title elsewhere
    env = {"known": frozenset(own if clauses is None else clauses), "link": link, "figure": figure, "lang": lang}
    return Rendered(title, Markup(reader.renderer.render(tokens, reader.options, env)), headings, own)


def _headings(tokens: list[Token]) -> dict[str, str]:
    """Give each heading of the second level an anchor. Returns these headings by anchor."""
    headings: dict[str, str] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            anchor = f"part-{len(headings) + 1}"
            token.attrSet("id", anchor)
            headings[anchor] = tokens[at + 1].content
    return headings


def _clauses(tokens: list[Token], beside: Mapping[str, Markup]) -> list[str]:
    """Give each item that is a clause an anchor, and make its number a link to it. Returns the clauses."""
    clauses: list[str] = []
    for at, token in enumerate(tokens):
        if token.type != "list_item_open" or tokens[at + 2].type != "inline":
            continue
        parts = tokens[at + 2].children or []
        if not parts or parts[0].type != "text" or not (number := CLAUSE.match(parts[0].content)):
            continue
        clause = number[1]
        token.attrSet("id", clause.lower())
        token.attrSet("class", "clause")
        parts[0].content = parts[0].content[number.end() :]
        # HTML, since a text would become a mention of itself; a clause has only digits, letters and a hyphen
        link = f'<a href="#{clause.lower()}" class="number">{clause}</a> {beside.get(clause, "")}'
        parts.insert(0, Token("html_inline", "", 0, content=link))
        clauses.append(clause)
    return clauses
