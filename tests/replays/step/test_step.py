"""`python -m replays step`: the viewer in a terminal, on matches that were played, and what it marks as new."""

from __future__ import annotations

import asyncio
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from html import unescape
from pathlib import Path

import pytest
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from replays.commands.reading import viewer_of as first
from replays.files import exports
from replays.film import Film, viewers
from replays.log import TRUTH, Log, Viewer
from replays.step import Help, Stepper, changes
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.commands.typed import TREE, refused, stored
from tests.replays.exported import keyring, opened
from tests.replays.timed import log_of, stage


@cache
def film_of(match: str, viewer: Viewer = TRUTH) -> Film:
    """What the viewer is to show, drawn once for all tests."""
    return Film(log_of(match), viewer)


class Screen:
    """The viewer while a test types."""

    def __init__(self, app: Stepper, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def type(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        # the panes first, then what they scroll to
        for _ in range(3):
            await self.pilot.pause()

    def text(self, where: str) -> str:
        content = self.app.query_one(f"#{where}", Static).content
        assert isinstance(content, Content)
        return content.plain

    @property
    def highlighted(self) -> list[str]:
        """The parts of the table that are highlighted."""
        content = self.app.table()
        return [content.plain[span.start : span.end] for span in content.spans]

    @property
    def event(self) -> str:
        """The event that is highlighted in the list, without its line breaks."""
        option = self.app.query_one("#events", OptionList).highlighted_option
        assert option is not None
        return " ".join(str(option.prompt).split())

    @property
    def painted(self) -> str:
        """All that can be read on the screen; a run of spaces is one."""
        lines = re.findall(r"<text [^>]*>([^<]*)</text>", self.app.export_screenshot())
        return " ".join(unescape("".join(lines)).replace("\N{NO-BREAK SPACE}", " ").split())


def on_screen(
    log: Log,
    script: Callable[[Screen], Awaitable[None]],
    viewer: Viewer = TRUTH,
    at: int | None = None,
    lang: str = "en",
    size: tuple[int, int] = (80, 24),
) -> Stepper:
    """Start the viewer, let the script type, and end it."""
    app = Stepper(log, viewer, at, lang)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(Screen(app, pilot))

    asyncio.run(run())
    return app


def test_keys_go_by_event_and_by_move() -> None:
    log = log_of("o_three-magic")
    film = film_of(log.id)
    moves = [frame.move for frame in film.frames]

    async def script(screen: Screen) -> None:
        async def goes(key: str, version: int) -> None:
            await screen.type(key)
            frame = film.frame(version)
            assert screen.app.version == version, key
            assert f"version {version}/{film.head} · move {frame.move} ·" in screen.text("place")
            assert screen.event == f"{version} {film.told('en')[version - 1]}"
            assert screen.app.table().plain == film.drawn("en")[version - 1]

        assert screen.app.version == film.head
        await screen.type("home")
        assert (screen.app.version, screen.app.table().plain) == (
            1,
            "The match has not started: there is no table yet.",
        )
        await screen.type("left")
        assert (screen.app.version, screen.text("said")) == (1, "This is the first event.")
        await screen.type("g", "3", "0", "enter")
        here = moves[30]
        first, second = moves.index(here + 1) + 1, moves.index(here + 2) + 1
        for key, version in (
            *(("l", 31), ("space", 32), ("h", 31), ("right", 32), ("left", 31), ("down", first), ("j", second)),
            *(("k", first), ("right", first + 1), ("up", first), ("up", moves.index(here) + 1), ("end", film.head)),
        ):
            await goes(key, version)
        await screen.type("right")
        assert (screen.app.version, screen.text("said")) == (film.head, "This is the last event.")
        await screen.type("q")

    assert on_screen(log, script).return_code == 0


def test_numbers_and_clicks_go_anywhere() -> None:
    log = log_of("o_three-magic")
    moves = [frame.move for frame in film_of(log.id).frames]

    async def script(screen: Screen) -> None:
        await screen.type("m", "9", "enter")
        ninth = moves.index(9) + 1
        assert screen.app.version == ninth
        for keys, says in (
            (("g", "0"), f"'0' is no number from 1 to {len(moves)}."),
            (("g", *"99999"), "'99999' is no number"),
            (("m", "x"), "'x' is no number from 0 to"),
            (("m", "²"), "'²' is no number"),
        ):
            await screen.type(*keys, "enter")
            assert says in screen.text("said")
            assert screen.app.version == ninth
        # what is not sent does nothing, and the keys are the viewer's again
        await screen.type("g", "1", "escape", "right")
        assert screen.app.version == ninth + 1
        assert not screen.app.query_one("#prompt", Input).display

    on_screen(log, script)

    async def click(screen: Screen) -> None:
        await screen.pilot.click("#events", offset=(5, 2))
        await screen.settle()
        assert screen.app.version == 2
        assert screen.event.startswith("2 ")

    on_screen(log_of("o_high-card"), click, at=1)


def test_searching_goes_to_the_events_that_say_it_and_around() -> None:
    log = log_of("o_three-magic")
    told = film_of(log.id).told("en")
    found = [i for i, text in enumerate(told, 1) if "discards" in text.lower()]
    assert len(found) > 1

    async def script(screen: Screen) -> None:
        await screen.type("n")
        assert screen.text("said") == "Nothing is searched for yet: press /."
        await screen.type("slash", *"DisCards", "enter")
        assert screen.app.version == found[0]
        assert f"1 of {len(found)} events that say 'DisCards'" in screen.text("said")
        await screen.type("n")
        assert screen.app.version == found[1]
        await screen.type("N", "N")
        assert screen.app.version == found[-1]
        await screen.type("n")
        assert screen.app.version == found[0]
        # what are keys elsewhere are letters here
        await screen.type("slash", *"gm/Lq", "enter")
        assert (screen.app.version, screen.text("said")) == (found[0], "No event says 'gm/Lq'.")

    on_screen(log, script, at=1)


def test_other_eyes_see_what_they_saw_and_nobody_all_cards_of_a_running_match() -> None:
    log = log_of("o_three-magic")

    async def script(screen: Screen) -> None:
        for key, viewer, whose in (
            ("1", 1, "as seat 1 sees it"),
            ("s", None, "as anybody sees it"),
            ("a", TRUTH, "all cards open"),
            ("0", 0, "as seat 0 sees it"),
        ):
            await screen.type(key)
            film = film_of(log.id, viewer)
            assert screen.app.table().plain == film.drawn("en")[39]
            assert screen.event == f"40 {film.told('en')[39]}"
            assert whose in screen.text("title")
        await screen.type("7")
        assert screen.text("said") == "Not open here: seat 7. To look from: all cards, nobody, seat 0, seat 1, seat 2."
        assert screen.app.film.viewer == 0

    on_screen(log, script, at=40)

    async def script_of_running(screen: Screen) -> None:
        await screen.type("a")
        assert screen.text("said") == "Not open here: all cards. To look from: nobody, seat 0, seat 1, seat 2."
        assert screen.app.film.viewer == 1
        await screen.type("2")
        assert screen.app.film.viewer == 2
        assert screen.app.table().plain == film_of("r_three-magic", 2).drawn("en")[-1]

    on_screen(log_of("r_three-magic"), script_of_running, viewer=1)


def fresh(before: str, after: str) -> set[str]:
    """Lines that their paragraph, the middle or a seat's, did not have before."""
    pairs = zip(before.split("\n\n"), after.split("\n\n"), strict=False)
    return {line for old, new in pairs for line in new.split("\n") if line not in old.split("\n")}


@pytest.mark.parametrize(("slug", "lang"), list(zip(SLUGS, ["en", "ja"] * 9, strict=False)))
def test_what_changed_is_highlighted_and_in_sight(slug: str, lang: str) -> None:
    log = log_of(f"o_{slug}")
    drawn = film_of(log.id).drawn(lang)
    changed = [i for i in range(2, len(drawn)) if drawn[i] != drawn[i - 1] and drawn[i - 1]][:40:13]

    async def script(screen: Screen) -> None:
        seen = 0
        for i in changed:
            screen.app.go(i + 1)
            await screen.settle()
            new = screen.highlighted
            # a line may now be as another seat's was
            assert all(part not in drawn[i - 1].split("\n") or part in fresh(drawn[i - 1], drawn[i]) for part in new)
            if new:
                seen += 1
                # a long part may be broken into two lines, also where it has no spaces
                assert new[0].split()[0][:12] in screen.painted
        assert seen > len(changed) // 2
        await screen.type("d")
        assert screen.highlighted == []
        await screen.type("d")
        assert screen.highlighted != [] or not new

    on_screen(log, script, at=2, lang=lang)


def test_it_fits_small_and_large_terminals_in_both_languages_with_a_page_of_keys() -> None:
    log = log_of("o_magicative")
    film = film_of(log.id)

    async def script(screen: Screen) -> None:
        for width, height in ((80, 24), (200, 60), (40, 12), (120, 30)):
            await screen.pilot.resize_terminal(width, height)
            await screen.settle()
            painted = screen.painted
            assert "MAGICATIVE" in painted
            assert "version 30/" in painted
            assert screen.event.split()[1] in painted
            table, listed = (screen.app.query_one(f"#{name}").region for name in ("table", "events"))
            assert (table.x < listed.x) == (width >= 120)
            assert (table.y < listed.y) == (width < 120)
            assert min(table.height, listed.height) >= 1
        await screen.type("L")
        assert screen.app.table().plain == film.drawn("ja")[29]
        assert screen.event == " ".join(f"30 {film.told('ja')[29]}".split())
        assert "マジカティブ" in screen.text("title")
        await screen.type("question_mark")
        assert isinstance(screen.app.screen, Help)
        assert "キー" in screen.painted
        await screen.type("q")
        assert screen.app.is_running
        assert not isinstance(screen.app.screen, Help)

    on_screen(log, script, at=30)


def test_it_begins_with_the_eyes_that_the_log_is_for() -> None:
    running, over = (log_of(name) for name in ("r_three-magic", "o_three-magic"))
    assert [first(running, None), first(running, 2), first(over, None), first(over, 0)] == [None, 2, TRUTH, 0]
    for seat in (None, 1):
        file = Log(opened(b"".join(exports.lines(running, keyring(), seat))), running.id, CATALOGUE)
        assert first(file, None) == seat
        assert viewers(file) == ((None,) if seat is None else (None, seat))


def marked(before: str, after: str) -> str:
    """The text after, with what is new in brackets."""
    lines = []
    for line, spans in zip(after.split("\n"), changes(before, after), strict=True):
        parts, at = [], 0
        for begin, end in spans:
            parts += [line[at:begin], "[", line[begin:end], "]"]
            at = end
        lines.append("".join(parts) + line[at:])
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("deck 24\nhand", "deck 24\nhand", "deck 24\nhand"),
        ("Seat 0: 260 od", "Seat 0: 250 od", "Seat 0: [250] od"),
        ("hand: fire 1 · wood 2", "hand: fire 1 · wood 2 · fire 3", "hand: fire 1 · wood 2[ · fire 3]"),
        ("hand: fire 1 · wood 2", "hand: wood 2", "hand: wood 2"),
        ("a\nb", "a\nnew line\nb", "a\n[new line]\nb"),
        ("a\nb\nc", "a\nc", "a\nc"),
        ("a", "a\n\nb", "a\n\n[b]"),
        ("Seat 1: swaps now; goal 10", "Seat 1: in turn; goal 10", "Seat 1: [in turn]; goal 10"),
        ("Now: dealing.", "Everything else\nis new", "[Everything else]\n[is new]"),
        ("席0：260オド、手札5枚", "席0：250オド、手札5枚", "席0：[250]オド、手札5枚"),
        ("手札：木0 木4★", "手札：木0 火2 木4★", "手札：木0 [火2 ]木4★"),
        ("one 1\ntwo 2\nthree 3", "two 9\nthree 3\nfour 4", "two [9]\nthree 3\n[four 4]"),
    ],
)
def test_what_is_new_is_marked_by_words_and_by_japanese_signs(before: str, after: str, expected: str) -> None:
    assert marked(before, after) == expected
    assert expected.replace("[", "").replace("]", "") == after


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder of the service with a short match of Three Magic that runs."""
    with stored(tmp_path) as recorder:
        stage(recorder, "three-magic", "m_high", 12)
    return tmp_path


def test_without_a_terminal_it_says_so_in_one_line(data: Path) -> None:
    refused("needs a terminal", "step", "m_high", "--data", data)
    refused("has versions 1 to", "step", "m_high", "--data", data, "--at", "999")
    refused("there is no seat 4", "step", "m_high", "--data", data, "--seat", "4")
    refused("There is no match", "step", "m_none", "--data", data)


def test_in_a_terminal_it_starts_reacts_to_keys_and_quits(data: Path) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "replays", "step", "m_high", "--data", str(data), "--seat", "1", "--at", "3"]
    environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=TREE, env=environment, start_new_session=True
    )
    os.close(theirs)
    try:
        for painted, keys in (("version 3/", "\x1b[C"), ("version 4/", "g20\r"), ("version 20/", "L"), ("スリー", "q")):
            read, until = b"", time.monotonic() + 60
            while painted.encode() not in read:
                assert time.monotonic() < until, read[-2000:]
                if select.select([ours], [], [], 1)[0]:
                    read += os.read(ours, 1 << 16)
            os.write(ours, keys.encode())
        # what is still painted has to be read, and the other end of a terminal that nobody holds any more can't be
        with suppress(OSError):
            while select.select([ours], [], [], 60)[0] and os.read(ours, 1 << 16):
                pass
        assert process.wait(60) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
