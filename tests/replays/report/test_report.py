"""`python -m replays report`: a match as one page."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64decode
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain import play
from domain.catalogue import Catalogue
from domain.game import Lang
from events.memory import MemoryRecorder
from replays import player, table
from replays.files import exports
from replays.film import Film, Reel, reel, viewers
from replays.log import TRUTH, Log, Viewer
from replays.report import HERE, SAY, _inlined, eyes_of, page
from tests.laws.rooms import CATALOGUE, SLUGS
from tests.replays.commands.typed import exported, printed, refused, stored
from tests.replays.exported import forked, keyring, opened
from tests.replays.reels import scene_of
from tests.replays.staged import SECRET
from tests.replays.timed import Timed, log_of, stage

NAMESPACE = "http://www.w3.org/2000/svg"
"""An address that nobody asks for: it names what SVG is."""


every_page = pytest.mark.parametrize(
    "slug", [slug if slug in {"ttmp", "terraformers"} else pytest.param(slug, marks=pytest.mark.soak) for slug in SLUGS]
)
"""Pages are made in one way: two stand for all, one of hands and one without."""


@cache
def page_of(slug: str) -> str:
    """Return the page of a match that is over."""
    return whole(log_of(f"o_{slug}"))


class Parts(HTMLParser):
    """What a page is made of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self._inside = (found.get("id") or "module") if tag == "script" else ""

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.scripts[self._inside] = self.scripts.get(self._inside, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""


def told(text: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(Parts(text).scripts["match-data"])
    return data


def unpacked(text: str, name: str) -> bytes:
    """What lies packed in the page."""
    return gzip.decompress(b64decode(Parts(text).scripts[name]))


def films(text: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(unpacked(text, "films-data"))
    return found


def reel_of(films: dict[str, Any], lang: str, eyes: str) -> Reel:
    """One of them, as the page puts it together."""
    spoken = films["spoken"][lang]
    frames = [
        {
            **dict(zip(("at", "actor", "type", "moves"), event, strict=True)),
            "version": version,
            "text": spoken["texts"][text],
            "scene": scene,
            "chapter": spoken["chapters"].get(str(version)),
            "aside": version in spoken["asides"],
        }
        for version, (event, text, scene) in enumerate(zip(films["events"], *spoken["seen"][eyes], strict=True), 1)
    ]
    return msgspec.convert({**{name: spoken[name] for name in ("scenes", "zones", "pieces")}, "frames": frames}, Reel)


def whole(log: Log, lang: Lang = "en", **more: Any) -> str:
    """The page of a match that is over."""
    return page(log, viewers(log), TRUTH, lang, b"".join(exports.lines(log, keyring())), **more)


def running(log: Log, seat: int | None) -> str:
    """The page of a match that runs, for a seat or for anybody."""
    eyes: tuple[Viewer, ...] = (None,) if seat is None else (None, seat)
    return page(log, eyes, seat, "en", b"".join(exports.lines(log, keyring(), seat)))


@every_page
def test_the_page_shows_every_viewer_every_version_in_both_languages(slug: str) -> None:
    log = log_of(f"o_{slug}")
    text = page_of(slug)
    data, found = told(text), films(text)
    assert data["eyes"] == [eyes_of(viewer) for viewer in viewers(log)]
    for viewer in viewers(log):
        for lang in ("en", "ja"):
            film = Film(log, viewer)
            shown, expected = reel_of(found, lang, eyes_of(viewer)), reel(film, lang)
            assert shown.frames == tuple(
                msgspec.structs.replace(frame, scene=mine.scene)
                for frame, mine in zip(expected.frames, shown.frames, strict=True)
            )
            for version in range(1, film.head + 1):
                assert scene_of(shown, version) == scene_of(expected, version)
    for spoken in found["spoken"].values():
        for name in ("texts", "scenes", "zones", "pieces"):
            kept = [json.dumps(one, sort_keys=True) for one in spoken[name]]
            assert len(set(kept)) == len(kept)


SIZES = {"three-magic": 570}
"""KiB of a whole match's page; 340 where none are named."""


@pytest.mark.parametrize("slug", ["three-magic", *(pytest.param(slug, marks=pytest.mark.soak) for slug in SLUGS)])
def test_a_page_is_small_enough_to_be_mailed(slug: str) -> None:
    staged = stage(MemoryRecorder(), slug, "m_whole")
    text = whole(Log(staged.recorder, staged.id, CATALOGUE))
    assert len(text.encode()) < SIZES.get(slug, 340) * 1024


@every_page
def test_the_page_is_one_file_and_asks_nobody_for_anything(slug: str) -> None:
    text = page_of(slug)
    parts = Parts(text)
    assert not re.findall(r"https?://[^\s'\"]*", text.replace(NAMESPACE, ""))
    assert not [
        value
        for _, found in parts.tags
        for name, value in found.items()
        if name in {"src", "srcset", "data", "action", "background"}
        or (name == "href" and not (value or "").startswith("#"))
    ]
    assert not {tag for tag, _ in parts.tags} & {"link", "img", "iframe", "object", "embed", "base", "form"}
    assert not re.search(r"@import|url\((?!#)", text[: text.index("</style>")])
    policy = next(found for tag, found in parts.tags if found.get("http-equiv") == "Content-Security-Policy")
    said = policy["content"] or ""
    assert said.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in said
    assert "style=" not in text[: text.index("<script")]


@pytest.mark.parametrize("slug", SLUGS)
def test_of_a_running_match_the_page_is_made_of_what_its_seat_was_told(slug: str) -> None:
    log = log_of(f"r_{slug}")
    for seat in (None, *range(log.opening.seats)):
        text = running(log, seat)
        assert SECRET not in text + json.dumps(films(text))
        assert told(text)["eyes"] == (["nobody"] if seat is None else ["nobody", str(seat)])
        # the file has nothing but what the seat may read: who only reads it writes the same page
        export = b"".join(exports.lines(log, keyring(), seat))
        assert unpacked(text, "export-data") == export
        theirs = Log(opened(export), log.id, CATALOGUE)
        eyes = viewers(theirs)
        assert page(theirs, eyes, eyes[-1], "en", export) == text


MEAN = "</script><img src onerror=alert(1)>&\"'"


def mean_log() -> Log:
    """A match whose pack and one of whose cards have a name that would be HTML, if it were let."""
    catalogue, recorder = Catalogue(), MemoryRecorder()
    room = catalogue.rooms["terraformers"]
    data = next(iter(room.packs.values())).data.decode()
    for name in ("Giants", "巨人族"):
        assert f'"{name}"' in data
        data = data.replace(f'"{name}"', json.dumps(MEAN))
    kept = room.keep_pack("mean.toml", data.encode())
    room.packs = {MEAN: msgspec.structs.replace(kept, name=MEAN)}
    staged = Timed(recorder, room, "m_mean", ["greedy"] * 3, planet="first-game")
    staged.seat_all()
    for _ in range(40):
        staged.step()
    staged.abort()
    return Log(recorder, "m_mean", catalogue)


def test_names_that_would_be_html_are_names() -> None:
    text, usual = whole(mean_log()), page_of("terraformers")
    assert "onerror=alert(1)" in text
    assert "<img" not in text
    assert [tag for tag, _ in Parts(text).tags] == [tag for tag, _ in Parts(usual).tags]
    data = told(text)
    assert data["pack"] == MEAN
    assert any(MEAN in one for one in films(text)["spoken"]["en"]["texts"])
    for bad in ("let a = '</script>'", "// <!-- so", "b{content:'</STYLE'}"):
        with pytest.raises(ValueError, match="can't stand in a page"):
            _inlined("bad.js", bad)


def test_every_module_is_in_the_page_and_what_is_said_is_written_down() -> None:
    for package in (player, table):
        assert {path.name for path in package.FOLDER.glob("*.js")} == {*package.MODULES}
    template = (HERE / "page.html.j2").read_text(encoding="utf-8")
    said = set(re.findall(r"""data-say="(\w+)\"""", template)) | set(re.findall(r"say\.(\w+)", template))
    said |= set(re.findall(r"""say\('([\w-]+)'""", (HERE / "page.js").read_text(encoding="utf-8")))
    assert said <= SAY["en"].keys() | player.SAY["en"].keys()


def test_what_is_packed_does_not_name_the_system_on_which_it_was_since_only_some_pythons_do() -> None:
    assert [b64decode(Parts(page_of("ttmp")).scripts[name])[9] for name in ("films-data", "export-data")] == [255, 255]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_without_scripts_the_header_is_there_in_its_language(lang: str) -> None:
    log = log_of("o_magicative")
    text = whole(log, lang)
    assert f'<html lang="{lang}">' in text
    assert f"<title>{log.game.title[lang]} · o_magicative</title>" in text
    assert f"<span data-title>{log.game.title[lang]}</span>" in text
    assert SAY[lang]["noscript"] in text
    assert told(text)["lang"] == lang


def forked_log() -> tuple[Log, bytes]:
    """A match that goes on from another one, as its export tells it, and that export."""
    export = forked()
    found = opened(export)
    return Log(found, found.header.match, CATALOGUE), export


def test_a_match_that_has_no_table_and_a_fork_have_a_page() -> None:
    recorder, room = MemoryRecorder(), CATALOGUE.rooms["three-magic"]
    waiting = Timed(recorder, room, "m_open", ["greedy"] * 3)
    assert films(running(Log(recorder, "m_open", CATALOGUE), None))["spoken"]["en"]["scenes"] == []
    waiting.tell(play.abort(waiting.state, "operator"))
    text = whole(Log(recorder, "m_open", CATALOGUE))
    assert (told(text)["status"], told(text)["result"]) == ("aborted", None)
    assert films(text)["spoken"]["ja"]["scenes"] == []
    log, export = forked_log()
    text = page(log, viewers(log), TRUTH, "en", export)
    parent = told(text)["forked"]
    assert parent["parent"] == "m_0"
    assert f'<dd data-fact="forked">version {parent["version"]} of m_0</dd>' in text


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    with stored(folder) as recorder:
        stage(recorder, "ttmp", "m_over", 40).abort()
        stage(recorder, "ttmp", "m_runs", 5)
    return folder


def test_the_command_writes_what_the_match_or_the_file_has(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def eyes(*args: str | Path, name: str = "page.html") -> tuple[str, list[str]]:
        """Whose eyes the written page begins with, and which ones it has."""
        output = ("-o", name) if name == "page.html" else ()
        assert printed("report", *args, *output, "--force") == ("" if output else f"{name}\n")
        found = told(Path(name).read_text(encoding="utf-8"))
        return found["seen"], found["eyes"]

    everybody = ["all", "nobody", "0", "1", "2"]
    assert eyes("m_over", "--data", data, name="m_over.html") == ("all", everybody)
    assert eyes("m_over", "--data", data, "--seat", "1", "--lang", "ja") == ("1", everybody)
    assert told(Path("page.html").read_text(encoding="utf-8"))["lang"] == "ja"
    assert eyes("m_runs", "--data", data) == ("nobody", ["nobody"])
    assert eyes("m_runs", "--data", data, "--seat", "2") == ("2", ["nobody", "2"])
    for match, seat, expected in (
        ("m_over", (), ("all", everybody)),
        ("m_runs", (), ("nobody", ["nobody"])),
        ("m_runs", ("--seat", "1"), ("1", ["nobody", "1"])),
    ):
        file = exported(data, match, tmp_path / f"{match}{len(seat)}.jsonl", *seat)
        assert eyes(file) == expected
        assert unpacked(Path("page.html").read_text(encoding="utf-8"), "export-data") == file.read_bytes()
    refused("not what seat 0 does", "report", tmp_path / "m_runs2.jsonl", "--seat", "0", "-o", "page.html")
