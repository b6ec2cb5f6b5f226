"""Rule texts as parts of a page: every clause has its anchor, and every mention of a clause leads there.

Texts are the rooms' own, and are still read as if anybody had written them: HTML in them is text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

CLAUSE = re.compile(r"([0-9A-Z]+-[0-9]+) ")
"""At the beginning of an item that is a clause."""
COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
MENTION = re.compile(r"(?<![0-9A-Za-z-])[0-9A-Z]+-[0-9]+(?![0-9A-Za-z])")
"""A clause wherever it is named, between Japanese letters too."""
SOURCE = re.compile(r"\[([A-Z])\]")
"""Where a clause comes from, as rule texts mark it."""

Figure = Callable[[str, str], str]
"""(name, caption) -> the HTML of a drawn example."""


class Heading:
    """A heading of a text, for its table of contents."""

    def __init__(self, anchor: str, title: str) -> None:
        self.anchor = anchor
        self.title = title


class Rendered:
    """A text as HTML, its title apart."""

    def __init__(self, title: str, body: Markup, headings: tuple[Heading, ...], clauses: tuple[str, ...]) -> None:
        self.title = title
        self.body = body
        self.headings = headings
        self.clauses = clauses


def anchor_of(clause: str) -> str:
    """Where a clause stands on its page: 3M-12 at `#3m-12`."""
    return clause.lower()


class Writer(RendererHTML):
    """Writes HTML; `env` holds what it is to know of the page."""

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Words, with links to the clauses that they name, and where a clause comes from as a small sign."""
        known, link = env["known"], env["link"]

        def mention(match: re.Match[str]) -> str:
            clause = match[0]
            return f'<a class="mention" href="{link}#{anchor_of(clause)}">{clause}</a>' if clause in known else clause

        html = MENTION.sub(mention, escapeHtml(tokens[idx].content))
        return SOURCE.sub(r'<span class="source">\1</span>', html)

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A figure, or what it is not."""
        kind, _, name = tokens[idx].info.strip().partition(" ")
        if kind == "figure" and env["figure"] is not None:
            return str(env["figure"](name, tokens[idx].content.strip()))
        return f"<pre><code>{escapeHtml(tokens[idx].content)}</code></pre>\n"

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Tables may be wider than a phone: they are moved by themselves, also by keys."""
        return '<div class="wide" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """The end of it."""
        return "</table></div>\n"


def rendered(text: str, figure: Figure | None = None, link: str = "", clauses: Sequence[str] | None = None) -> Rendered:
    """The text's HTML. A fenced part that is a figure, "```figure name", holds its caption.

    Shape:   `link` comes before the anchors of clauses that are mentioned: the address of the rules, or nothing on
             their own page; `clauses` are the clauses that can be mentioned, without it those of the text.
    """
    reader = MarkdownIt("commonmark", {"html": False}, renderer_cls=Writer).enable("table").disable("image")
    tokens = reader.parse(COMMENT.sub("", text))
    found = tuple(_clauses(tokens))
    headings = tuple(_headings(tokens))
    title = _title(tokens)
    env = {"known": frozenset(found if clauses is None else clauses), "link": link, "figure": figure}
    return Rendered(title, Markup(reader.renderer.render(tokens, reader.options, env)), headings, found)


def _title(tokens: list[Token]) -> str:
    """The text's first heading, which is taken out: the page says it."""
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        title = tokens[1].content
        del tokens[:3]
        return title
    return ""


def _headings(tokens: list[Token]) -> list[Heading]:
    """The headings of the second level, each with an anchor of its own."""
    found: list[Heading] = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            heading = Heading(f"part-{len(found) + 1}", tokens[at + 1].content)
            token.attrSet("id", heading.anchor)
            found.append(heading)
    return found


def _clauses(tokens: list[Token]) -> list[str]:
    """The items that are clauses: each gets its anchor, and its number becomes a link to itself."""
    found: list[str] = []
    for at, token in enumerate(tokens):
        if token.type != "list_item_open" or tokens[at + 2].type != "inline":
            continue
        said = tokens[at + 2].children or []
        if not said or said[0].type != "text" or not (number := CLAUSE.match(said[0].content)):
            continue
        clause = number[1]
        token.attrSet("id", anchor_of(clause))
        token.attrSet("class", "clause")
        said[0].content = said[0].content[number.end() :]
        said[:0] = _link(clause)
        found.append(clause)
    return found


def _link(clause: str) -> list[Token]:
    opened, closed = Token("link_open", "a", 1), Token("link_close", "a", -1)
    opened.attrs = {"href": f"#{anchor_of(clause)}", "class": "number"}
    number = Token("code_inline", "span", 0, content=clause)
    number.type = "html_inline"  # digits, letters and a hyphen: nothing to be escaped, and no mention of itself
    return [opened, number, closed, Token("text", "", 0, content=" ")]
