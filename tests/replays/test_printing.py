"""Nothing that a foreign file says is obeyed by a terminal or a page, and no file is written where it says."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import domain.games
from domain.catalogue import Catalogue
from events.memory import MemoryRecorder
from replays.files import exports
from replays.film import Film
from replays.log import TRUTH, Log
from replays.printing import picture, plain, plain_lines, say_either
from replays.report import page
from tests.replays.checking.second import needs_node, run
from tests.replays.commands.typed import as_json, refused, replays, stored
from tests.replays.exported import finished, keyring, opened, private_key
from tests.replays.forgery import Forger
from tests.replays.staged import Stage
from tests.typed import at_a_terminal

EVIL = "\x1b[2J\x1b]0;x\x07\r\n\x9b31m\u202eevil\u2066\u200b\U000e0041\x7f\u2028all holds:"
OBEYED = [*"\x1b\x07\r\x9b\u202e\u2066\u200b\U000e0041\x7f\u2028"]
CARD = "\\u001B[2J\\u009B1m\\u202Ex\\n\\u2028"
"""A card's name, as TOML tells it."""


def obeyed(text: str) -> list[str]:
    """What a terminal would obey, but for the ends of lines."""
    return [sign for sign in OBEYED if sign in text]


def evil_pack() -> bytes:
    """A match whose pack has an evil name, by an operator who has signed it."""
    bad = Forger(finished("ttmp"))
    bad.header["pack"]["name"] = bad.events[0]["public"]["pack"] = EVIL
    bad.reseal(private_key())
    return bad.data


def evil_cards() -> bytes:
    """A match whose cards have evil names."""
    room = Catalogue((domain.games,)).rooms["ttmp"]
    house = room.packs["house"]
    data = re.sub(r'(?m)^(name|ja) = "(?!house)', lambda found: found[0] + CARD, house.data.decode()).encode()
    assert data != house.data
    room.add_pack("evil.toml", data)
    room.offer_only({"evil"})
    catalogue, recorder = Catalogue((domain.games,)), MemoryRecorder()
    catalogue.rooms["ttmp"] = room
    staged = Stage(recorder, room, "m_1", ["greedy", "random"])
    staged.seat_all()
    staged.finish()
    return b"".join(exports.lines(Log(recorder, "m_1", catalogue), keyring()))


def evil_failures() -> bytes:
    """A file that fails wherever it can be made to speak."""
    bad = Forger(finished("ttmp"))
    bad.header["status"] = bad.header["viewer"] = bad.header["game"] = EVIL
    bad.events[5]["type"] = bad.events[6]["actor"] = EVIL
    bad.events[5]["public"][EVIL.encode("ascii", "ignore").decode()] = EVIL
    return bad.data


def evil_parent() -> bytes:
    """A match that says it goes on from somewhere evil."""
    bad = Forger(finished("ttmp"))
    bad.events[1].update(type="match/Forked", public={"parent": EVIL, "version": 1, "hash": EVIL})
    bad.reseal(private_key())
    return bad.data


FILES = {"pack": evil_pack, "cards": evil_cards, "failures": evil_failures, "parent": evil_parent}


@pytest.fixture(params=FILES)
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "evil.jsonl"
    path.write_bytes(FILES[request.param]())
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "--all"),
        ("audit", "--json", "--all"),
        ("show",),
        ("show", "--lang", "ja"),
        ("show", "--json"),
        ("validate",),
        ("validate", "--json"),
        ("import", "--data", "{data}"),
        ("import", "--unaudited", "--data", "{data}"),
        ("step",),
        ("tabulate", "-o", "{data}.db"),
    ],
)
def test_no_command_prints_what_a_terminal_obeys(file: Path, words: tuple[str, ...], tmp_path: Path) -> None:
    command, *more = (word.format(data=tmp_path / "data") for word in words)
    done = replays(command, file, *more)
    assert obeyed(done.stdout + done.stderr) == []
    # nor does it seem to say what it has not said
    assert not any(line.startswith("all holds:") for line in done.stdout.splitlines()) or done.returncode == 0
    assert (done.stdout + done.stderr).strip()
    if "--json" in words and done.stdout:
        json.loads(done.stdout)
        assert done.stdout.count("\n") == 1


@needs_node
def test_nor_does_the_second_verifier(file: Path) -> None:
    for options in ((), ("--json",)):
        done = run(*options, file)
        assert done.stdout
        assert obeyed(done.stdout + done.stderr) == []
        if options:
            json.loads(done.stdout)


def _texts(value: object) -> Iterator[str]:
    """All that is said anywhere in it."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _texts(inner)


@pytest.mark.parametrize("make", [evil_pack, evil_cards])
def test_nor_do_the_film_and_the_page_and_json_says_the_same_when_it_is_read(
    make: Callable[[], bytes], tmp_path: Path
) -> None:
    (tmp_path / "evil.jsonl").write_bytes(make())
    export = opened(make())
    catalogue = Catalogue()
    export.pack_for(catalogue)
    log = Log(export, export.header.match, catalogue)
    film = Film(log, TRUTH)
    for lang in ("en", "ja"):
        told = "".join((*film.told(lang), *film.drawn(lang)))
        assert obeyed(told) == []
        assert "\\u001b" in told
    text = page(log, (TRUTH,), TRUTH, "en", make())
    assert obeyed(text) == []
    films = gzip.decompress(b64decode(text.partition('id="films-data">')[2].partition("<")[0])).decode()
    assert obeyed("".join(_texts(json.loads(films)))) == []
    assert "\\\\u001b" in films
    shown = picture(log, None, 1, "en").events[0].text
    assert (EVIL in shown) == (make is evil_pack)
    assert as_json("show", tmp_path / "evil.jsonl", "--at", "1")["events"][0]["text"] == shown


@given(st.text(st.characters(exclude_categories=["Cs"])))  # what text() draws from, but not found out anew
def test_what_is_plain_is_one_line_and_says_what_it_was(text: str) -> None:
    told = plain(text)
    assert len(told.splitlines()) <= 1
    assert plain(told) == told
    assert json.loads(plain(json.dumps(text, ensure_ascii=False))) == text
    assert plain_lines(text).count("\n") == text.count("\n")


def test_what_people_write_stands_as_it_is() -> None:
    text = 'é 三魔 カ\u3099 אב عرب 👩\u200d🚀 \\ " / ·'
    assert plain(text) == text


# Where files are written


@pytest.mark.parametrize("match_id", ["../out", "/tmp/out", "a/b", ".hidden", "", "-o", "m\n", "é", "m" * 65, "m.x"])
def test_a_file_does_not_say_where_its_page_is_written(
    tmp_path: Path, match_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    bad, file = Forger(finished("ttmp")), tmp_path / "named.jsonl"
    bad.header["match"] = match_id
    for event in bad.events:
        event["stream"] = event["stream"].replace("m_1", match_id)
    file.write_bytes(bad.reseal(private_key()).data)
    for words in (("report", file), ("show", file), ("import", file, "--unaudited", "--data", tmp_path / "data")):
        refused("is no match's id", *words)
    assert [path.name for path in tmp_path.rglob("*.html")] == []
    assert list(here.iterdir()) == []


def test_nothing_is_overwritten_unasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with stored(tmp_path) as recorder:
        Stage(recorder, Catalogue().rooms["ttmp"], "m_1", ["random"] * 2)
    for words in (
        ("report", "m_1"),
        *((command, "m_1", "-o", f"x.{command}") for command in ("report", "export", "tabulate")),
    ):
        out = Path(words[-1] if "-o" in words else "m_1.html")
        assert replays(*words, "--data", tmp_path).returncode == 0
        out.write_text("mine")
        refused(f"{out}: it is there already. --force overwrites a file.", *words, "--data", tmp_path)
        assert out.read_text() == "mine"
        assert replays(*words, "--data", tmp_path, "--force").returncode == 0
        assert out.read_bytes() != b"mine"
    Path("there.html").symlink_to("nowhere")
    refused("there.html: it is there already", "report", "m_1", "-o", "there.html", "--data", tmp_path)


def test_a_dash_is_no_name_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with stored(tmp_path) as recorder:
        Stage(recorder, Catalogue().rooms["ttmp"], "m_1", ["random"] * 2)
    for command, begins in (("export", '{"format"'), ("report", "<!doctype html>")):
        done = replays(command, "m_1", "-o", "-", "--data", tmp_path)
        assert (done.returncode, done.stdout.startswith(begins)) == (0, True)
    refused("- is no file: name one", "tabulate", "-o", "-", "--force", "--data", tmp_path)
    assert not Path("-").exists()


def test_links_that_go_in_a_circle_lead_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").symlink_to("there")
    Path("there").symlink_to("here")
    says = "Too many levels of symbolic links"
    refused(says, "tabulate", "--data", "here")
    refused(
        says, "tabulate", Path(domain.games.__path__[0]).parents[1] / "docs" / "match.jsonl", "--force", "-o", "here"
    )
    assert os.readlink("here") == "there"


def test_an_export_that_is_poured_into_a_terminal_is_shown_and_into_a_pipe_is_itself(tmp_path: Path) -> None:
    (tmp_path / "evil.jsonl").write_bytes(evil_pack())
    assert replays("import", tmp_path / "evil.jsonl", "--unaudited", "--data", tmp_path).returncode == 0
    assert replays("export", "m_1", "--data", tmp_path).stdout.encode() == evil_pack()
    shown, _ = at_a_terminal([sys.executable, "-m", "replays", "export", "m_1", "--data", str(tmp_path)], "stdout")
    assert obeyed(shown.decode().replace("\r\n", "\n")) == []
    assert json.loads(shown.splitlines()[0])["pack"]["name"] == EVIL
    assert sha256(evil_pack()).digest() != sha256(shown).digest()


def test_json_is_utf_8_whatever_else_is_printed_as_and_names_files_whose_names_are_no_text() -> None:
    command = click.command()(lambda: say_either({"file": "札\udcff"}, [], as_json=True))
    said = CliRunner(charset="latin-1").invoke(command)
    assert (said.exit_code, said.stdout_bytes) == (0, '{"file":"札\\udcff"}\n'.encode())
