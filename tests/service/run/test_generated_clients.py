"""Clients that are generated from `openapi.yaml` alone: they are made without a complaint, compile, and one plays a
match.
"""

from __future__ import annotations

import importlib
import pkgutil
import shutil
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.run import openapi
from tests.service.house import House
from tests.service.run.uprun import DEADLINE, TREE, ran
from tests.service.web.pages.onloopback import on_loopback

pytestmark = pytest.mark.faults

PACKAGE = "generated_foldtable"

AS_TEXT = """\
project_name_override: generated-foldtable
post_hooks: []
content_type_overrides:
  application/toml: text/plain
  application/atom+xml: text/plain
  application/x-ndjson: text/plain
"""
"""The generator's settings: what kinds of answers are to be taken as text."""

API_TOOLS = TREE / ".api-tools"
"""Where `make api-tools` installs what reads the document from outside."""
NODE = API_TOOLS / "node_modules" / ".bin"
GENERATOR = API_TOOLS / "generator" / "bin"
"""openapi-generator with a Java of its own, and what its Python clients need."""
FILES = 440
"""A client has at most so many files of code."""

needs_node = pytest.mark.skipif(
    not NODE.is_dir() or shutil.which("node") is None, reason="make api-tools installs it where npm is"
)
needs_generator = pytest.mark.skipif(not GENERATOR.is_dir(), reason="make api-tools installs it")


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The package that openapi-python-client makes of the document; whatever it can't make out fails."""
    config = tmp_path / "generator.yaml"
    config.write_text(AS_TEXT, encoding="utf-8")
    command = (sys.executable, "-m", "openapi_python_client", "generate", "--path", openapi.FILE, "--fail-on-warning")
    made = ran(*command, "--meta", "none", "--output-path", tmp_path / PACKAGE, "--config", config, cwd=tmp_path)
    assert made.returncode == 0, made.stdout + made.stderr
    assert len(files(tmp_path / PACKAGE, ".py")) <= FILES
    monkeypatch.syspath_prepend(str(tmp_path))
    return importlib.import_module(PACKAGE)


def files(folder: Path, suffix: str) -> list[Path]:
    return list(folder.rglob(f"*{suffix}"))


def compiled(*sources: Path | str) -> str:
    # elsewhere than in the tree, whose own types tsc would read
    done = ran(NODE / "tsc", "--noEmit", "--strict", "--target", "es2022", *sources, cwd=Path(sources[-1]).parent)
    assert (done.returncode == 0) == (done.stdout == "")
    return done.stdout


def generate(kind: str, within: Path) -> Path:
    """The client that openapi-generator makes of the document, without a word to it about what to leave out."""
    shutil.copy(openapi.FILE, within)  # it reads no file in a folder with a space in its name
    command = (GENERATOR / "openapi-generator-cli", "generate", "-g", kind, "-i", openapi.FILE.name, "-o", "made")
    made = ran(*command, cwd=within)
    assert made.returncode == 0, made.stdout + made.stderr
    return within / "made"


def part(name: str) -> Any:
    return importlib.import_module(f"{PACKAGE}.{name}")


class Player:
    """Somebody who knows nothing but the generated package."""

    def __init__(self, url: str) -> None:
        self.models = part("models")
        how = {"base_url": url, "timeout": httpx.Timeout(DEADLINE), "httpx_args": {"trust_env": False}}
        stranger = part("client").Client(**how)
        made = part("api.players.sign_up").sync(client=stranger, body=self.models.SignUp(name="Ann"))
        assert isinstance(made, self.models.NewPlayer)
        stranger.get_httpx_client().close()
        self.client = part("client").AuthenticatedClient(token=made.token, **how)

    def ask(self, operation: str, *args: Any, **more: Any) -> Any:
        return part(f"api.{operation}").sync(*args, client=self.client, **more)

    def open(self, *seats: Any) -> str:
        opened = self.ask("matches.open_match", body=self.models.MatchWanted(game="magicative", seats=list(seats)))
        assert isinstance(opened, self.models.NewMatch), opened
        return str(opened.id)

    def sit(self, match: str, seat: int) -> None:
        seated = self.ask("matches.take_seat", match, body=self.models.SeatWanted(seat=seat))
        assert seated.status in {self.models.Status.OPEN, self.models.Status.PLAYING}

    def move(self, match: str, number: int) -> bool:
        """Make the last move, if one is asked: whether one was."""
        if self.ask("matches.get_match", match).decision is None:
            return False
        moves = self.ask("moves.list_moves", match)
        chosen = self.models.MoveById(decision=moves.decision, id=moves.moves[-1].id)
        answer = self.ask("moves.make_move", match, body=chosen, idempotency_key=f"move-{number}")
        assert hasattr(answer, "receipt"), answer
        return True


@pytest.mark.sqlite
def test_a_client_of_openapi_python_client_plays_a_match_to_its_end(client: Any, house: House) -> None:
    names = [one.name for one in pkgutil.walk_packages(client.__path__, f"{PACKAGE}.")]
    assert len(names) > 100
    for name in names:
        importlib.import_module(name)
    with on_loopback(house) as url:
        players = [Player(url), Player(url)]
        assert players[0].open(None, players[0].models.PlaceForBot(bot="random"))
        match = players[0].open(None, None)
        for seat, player in enumerate(players):
            player.sit(match, seat)
        made = 0
        while any(player.move(match, made) for player in players):
            made += 1
        assert made > 5
        player = players[0]
        assert player.ask("matches.get_match", match, wait=1).status == player.models.Status.FINISHED
        late = player.ask("moves.make_move", match, body=player.models.MoveById(decision=1, id="none"))
        assert isinstance(late, player.models.Problem)
        assert late.code == "match-finished"
        text = player.ask("export.export_match", match)
        assert text.startswith('{"format":"foldtable-export-2"')
        for player in players:
            player.client.get_httpx_client().close()


IMPORTS = """\
import importlib, pkgutil, openapi_client
for one in pkgutil.walk_packages(openapi_client.__path__, "openapi_client."):
    importlib.import_module(one.name)
print(openapi_client.MoveById(decision=3, id="draw").to_json())
"""


@needs_generator
@pytest.mark.soak
def test_a_python_client_of_openapi_generator_can_be_imported_whole(tmp_path: Path) -> None:
    made = generate("python", tmp_path)
    assert len(files(made / "openapi_client", ".py")) <= FILES
    asked = ran(GENERATOR / "python", "-W", "error", "-c", IMPORTS, cwd=made)
    assert (asked.returncode, asked.stdout) == (0, '{"decision": 3, "id": "draw"}\n'), asked.stderr


@needs_generator
@needs_node
@pytest.mark.soak
def test_a_typescript_client_of_openapi_generator_compiles(tmp_path: Path) -> None:
    sources = files(generate("typescript-fetch", tmp_path), ".ts")
    assert 100 < len(sources) <= FILES
    assert compiled("--module", "commonjs", *sources) == ""


CLIENT = """\
import type { components, operations } from "./api";
const move: components["schemas"]["MoveWanted"] = { decision: 3, id: "draw" };
type Refused = operations["makeMove"]["responses"][409]["content"]["application/problem+json"];
type Opened = operations["openMatch"]["responses"][201]["content"]["application/json"];
export const id = (opened: Opened, no: Refused): string => opened.id + no.code + move.decision;
"""


@needs_node
def test_types_of_openapi_typescript_compile(tmp_path: Path) -> None:
    types, client = tmp_path / "api.d.ts", tmp_path / "client.ts"
    # else what has a default could not be left out of a request
    made = ran(NODE / "openapi-typescript", openapi.FILE, "-o", types, "--default-non-nullable", "false")
    assert made.returncode == 0, made.stderr
    client.write_text(CLIENT, encoding="utf-8")
    assert compiled(types, client) == ""
