"""The full-screen viewer of a match: the table with the last changes highlighted, and the events in words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from itertools import accumulate
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static

from domain import texts
from domain.game import Lang
from replays.commands import reading
from replays.film import Film, viewers
from replays.log import FOREIGN, TRUTH, Log, Viewer
from replays.printing import WORDS, plain

SAY = texts.read("replays.step", "words")

Span = tuple[int, int]
"""Characters of a line: the first, and the one after the last."""

ALIKE = 0.5
"""How similar two lines must be to count as one line that changed, from 0 to 1."""

# numbers and words are replaced as a whole, Japanese text character by character
_PARTS = re.compile(r"[0-9]+|[A-Za-z]+|\s+|.")


def changes(before: str, after: str) -> tuple[tuple[Span, ...], ...]:
    """Return for each line of `after` the spans that `before` does not have."""
    old, new = before.split("\n"), after.split("\n")
    by_line: list[tuple[Span, ...]] = [()] * len(new)
    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what in {"replace", "insert"}:
            by_line[c:d] = _block(old[a:b], new[c:d])
    return tuple(by_line)


def _block(old: list[str], new: list[str]) -> Iterator[tuple[Span, ...]]:
    """Yield the spans of lines that replace others; each is compared with the first similar line that is left."""
    rest = [_PARTS.findall(line) for line in old]
    for line in new:
        parts = _PARTS.findall(line)
        for i, other in enumerate(rest):
            likeness = SequenceMatcher(None, other, parts, autojunk=False)
            if likeness.ratio() >= ALIKE:
                del rest[: i + 1]
                yield _spans(likeness, parts)
                break
        else:
            yield ((0, len(line)),) if line else ()


def _spans(likeness: SequenceMatcher[str], parts: list[str]) -> tuple[Span, ...]:
    spans: list[Span] = []
    starts = [0, *accumulate(map(len, parts))]
    kept = ""
    for what, _, _, c, d in likeness.get_opcodes():
        if what == "equal":
            kept = "".join(parts[c:d])
        elif c < d:
            # two spans with only a space between them become one
            first = spans.pop()[0] if spans and kept.isspace() else starts[c]
            spans.append((first, starts[d]))
    return tuple(spans)


CHANGED = "bold $text-warning on $warning-muted"
WIDE = 120
"""The number of columns from which on the events stand beside the table."""


class Help(ModalScreen[None]):
    """The page of keys; any key closes it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Yield the page's text."""
        yield Static(Content(self._text))

    def on_key(self, event: events.Key) -> None:
        """Close the page."""
        event.stop()
        self.dismiss()

    def on_click(self) -> None:
        """Close the page."""
        self.dismiss()


def _key(keys: str, action: str, *, is_first: bool = False) -> Binding:
    return Binding(keys, action, show=False, priority=is_first)


class Stepper(App[None]):
    """The app that steps through a match."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
    BINDINGS: ClassVar[list[BindingType]] = [
        _key("right,l,space", "event(1)"),
        _key("left,h", "event(-1)"),
        _key("down,j", "move(1)"),
        _key("up,k", "move(-1)"),
        _key("home", "edge(False)"),
        _key("end", "edge(True)"),
        _key("g", "ask('go')", is_first=True),
        _key("m", "ask('move')", is_first=True),
        _key("slash", "ask('find')", is_first=True),
        _key("n", "found(1)"),
        _key("N", "found(-1)"),
        *(_key(str(seat), f"look({seat})") for seat in range(10)),
        _key("s", "look(None)"),
        _key("a", f"look({TRUTH})"),
        _key("d", "changes"),
        _key("L", "language"),
        _key("pagedown", "scroll(1)"),
        _key("pageup", "scroll(-1)"),
        _key("question_mark", "help"),
        _key("escape", "close"),
        _key("q,ctrl+c,ctrl+q", "quit"),
    ]

    def __init__(self, log: Log, viewer: Viewer, version: int | None, lang: Lang) -> None:
        """Fold and draw the match. Raises any of FOREIGN for a log that the rules did not make."""
        super().__init__()
        self.match = log
        self.lang = lang
        self.is_marking = True
        self._films: dict[Viewer, Film] = {}
        self.film = self._film(viewer)
        self.version = min(version or self.film.head, self.film.head)
        self._asked = ""
        self._sought = ""

    def _film(self, viewer: Viewer) -> Film:
        if viewer not in self._films:
            film = Film(self.match, viewer)
            # drawn here, so that errors are raised before anything is shown
            for lang in SAY:
                film.drawn(lang)
                film.told(lang)
            self._films[viewer] = film
        return self._films[viewer]

    # What is on the screen

    def compose(self) -> ComposeResult:
        """Yield the table, with the events below or beside it."""
        yield Static(id="title")
        yield Static(id="place")
        with Container(id="body"):
            with VerticalScroll(id="table", can_focus=False):
                yield Static(id="table-text")
            yield OptionList(id="events", markup=False, compact=True)
        yield Static(id="said")
        yield Input(id="prompt", compact=True, select_on_focus=False)
        yield Static(id="keys")

    def on_mount(self) -> None:
        """Keep all keys for the app."""
        self.query_one("#events").can_focus = False
        self.action_close()
        self._resized()

    def on_resize(self) -> None:
        """Break lines anew, and keep what changed visible."""
        self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        self._list_events()
        self._show()

    def _list_events(self) -> None:
        """List all events; a long one continues below its own text."""
        listed = self.query_one("#events", OptionList)
        numbers = len(str(self.film.head))
        under = "\n" + " " * (numbers + 2)
        padding = listed.get_component_styles("option-list--option").padding.width
        width = max(10, listed.scrollable_content_region.width - padding - len(under))
        listed.set_options(
            f"{version:>{numbers}}  " + under.join(line.plain for line in Content(text).wrap(width))
            for version, text in enumerate(self.film.told(self.lang), 1)
        )

    def _show(self) -> None:
        frame, say = self.film.frame(self.version), SAY[self.lang]
        title, status = self.match.game.title, WORDS[self.lang][self.film.status]
        whose = _called(self.film.viewer, WORDS[self.lang])
        self._put("title", f"{title.get(self.lang, title['en'])} · {self.match.id} · {status} · {whose}")
        moment = frame.at[:19].replace("T", " ")
        parts = [say["place"].format(version=frame.version, head=self.film.head, move=frame.move, at=moment)]
        if frame.to_act:
            parts.append(say["to_act"].format(seats=", ".join(map(str, frame.to_act))))
        if frame.points:
            parts.append(say["points"].format(points=" ".join(map(str, frame.points))))
        self._put("place", " · ".join(parts))
        self._put("keys", say["keys"])
        self.query_one("#table-text", Static).update(self.table())
        self.query_one("#events", OptionList).highlighted = self.version - 1
        # the first refresh may lay out the panes, the second one their content
        self.call_after_refresh(self.call_after_refresh, self._scroll)

    def _put(self, where: str, text: str) -> None:
        self.query_one(f"#{where}", Static).update(Content(plain(text)))

    def table(self) -> Content:
        """Return the table with what the last event changed highlighted."""
        text = self.film.drawn(self.lang)[self.version - 1]
        if not text:
            return Content(SAY[self.lang]["no_table"])
        lines = []
        for line, spans in zip(text.split("\n"), self._changes(), strict=True):
            lines.append(Content(line))
            for first, last in spans:
                lines[-1] = lines[-1].stylize(CHANGED, first, last)
        return Content("\n").join(lines)

    def _changes(self) -> tuple[tuple[Span, ...], ...]:
        before, text = ("", *self.film.drawn(self.lang))[self.version - 1 : self.version + 1]
        # all of the first table is new, so nothing is highlighted
        return changes(before if before and self.is_marking else text, text)

    def _scroll(self) -> None:
        """Scroll to what changed, and to the event."""
        self.query_one("#events", OptionList).scroll_to_highlight()
        pane = self.query_one("#table", VerticalScroll)
        width = max(1, pane.scrollable_content_region.width)
        rows, changed = 0, []
        lines = self.film.drawn(self.lang)[self.version - 1].split("\n")
        for line, spans in zip(lines, self._changes(), strict=True):
            if spans:
                changed.append(rows)
            rows += len(Content(line).wrap(width))
        top, height = pane.scroll_offset.y, pane.scrollable_content_region.height
        if changed and not all(top <= row < top + height for row in changed):
            pane.scroll_to(y=max(0, changed[0] - 1), animate=False)

    def say(self, name: str, **values: object) -> None:
        """Show a sentence in the status line."""
        self._put("said", SAY[self.lang][name].format(**values))

    # The actions of keys

    def go(self, version: int) -> None:
        """Show another version."""
        self._put("said", "")
        if version < 1:
            self.say("first")
        elif version > self.film.head:
            self.say("last")
        self.version = max(1, min(version, self.film.head))
        self._show()

    def action_event(self, by: int) -> None:
        """Go one event forward or back."""
        self.go(self.version + by)

    def action_move(self, by: int) -> None:
        """Go to the beginning of the next move or the one before."""
        moves = [frame.move for frame in self.film.frames]
        move = moves[self.version - 1]
        if by > 0:
            self.go(bisect_right(moves, move) + 1)
        else:
            here = bisect_left(moves, move) + 1
            self.go(here if here < self.version else bisect_left(moves, move - 1) + 1 if move else 0)

    def action_edge(self, is_last: bool) -> None:
        """Go to the first or the last event."""
        self.go(self.film.head if is_last else 1)

    def action_look(self, viewer: Viewer) -> None:
        """Show the match as another viewer sees it."""
        say, may = SAY[self.lang], viewers(self.match)
        if viewer not in may:
            self.say("no_eyes", whose=_called(viewer, say), open=", ".join(_called(each, say) for each in may))
            return
        try:
            self.film = self._film(viewer)
        except (*reading.TOLD, *FOREIGN) as error:
            self._put("said", say["broken"].format(reason=reading.in_one_line(error)))
            return
        self._list_events()
        self.go(self.version)

    def action_changes(self) -> None:
        """Switch highlighting of changes on or off."""
        self.is_marking = not self.is_marking
        self._show()
        self.say("changes_on" if self.is_marking else "changes_off")

    def action_language(self) -> None:
        """Switch to the other language."""
        self.lang = "en" if self.lang == "ja" else "ja"
        self._list_events()
        self.go(self.version)

    def action_scroll(self, by: int) -> None:
        """Scroll the table by a page."""
        pane = self.query_one("#table", VerticalScroll)
        pane.scroll_relative(y=by * max(1, pane.size.height - 1), animate=False)

    def action_help(self) -> None:
        """Show the page of keys."""
        self.push_screen(Help(SAY[self.lang]["help"]))

    # Questions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Let the keys of questions come first, so that typing can begin at once; but not while one is asked."""
        return action != "ask" or not (self.query_one("#prompt").display or isinstance(self.screen, Help))

    def action_ask(self, what: str) -> None:
        """Ask for a version, for a move, or for a text to search."""
        last = self.film.head if what == "go" else self.film.frames[-1].move
        prompt = self.query_one("#prompt", Input)
        self._asked = what
        prompt.value = ""
        prompt.placeholder = SAY[self.lang][what].format(last=last)
        prompt.display = prompt.can_focus = True
        self.set_focus(prompt)

    def action_close(self) -> None:
        """Close the question."""
        prompt = self.query_one("#prompt", Input)
        prompt.display = prompt.can_focus = False
        self.set_focus(None)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Act on the answer to the question."""
        self.action_close()
        if not (text := event.value.strip()):
            return
        if self._asked == "find":
            self._sought = text
            self._find(1, self.version - 1)
            return
        moves = [frame.move for frame in self.film.frames]
        first, last = (1, self.film.head) if self._asked == "go" else (0, moves[-1])
        if not (text.isascii() and text.isdecimal() and first <= int(text) <= last):
            self.say("no_number", text=text, first=first, last=last)
        else:
            self.go(int(text) if self._asked == "go" else bisect_left(moves, int(text)) + 1)

    def action_found(self, by: int) -> None:
        """Go to the next event with the searched text, or the one before."""
        if self._sought:
            self._find(by, self.version)
        else:
            self.say("no_search")

    def _find(self, by: int, after: int) -> None:
        sought = self._sought.casefold()
        hits = [i for i, text in enumerate(self.film.told(self.lang), 1) if sought in text.casefold()]
        if not hits:
            self.say("not_found", text=self._sought)
            return
        at = (bisect_right(hits, after) if by > 0 else bisect_left(hits, after) - 1) % len(hits)
        self.go(hits[at])
        self.say("found", text=self._sought, at=at + 1, count=len(hits))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Go to the event that was clicked."""
        self.go(event.option_index + 1)


def _called(viewer: Viewer, words: Mapping[str, str]) -> str:
    return words["none"] if viewer is None else words["all"] if viewer == TRUTH else words["seat"].format(seat=viewer)
