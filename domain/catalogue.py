"""Finds the games' rooms and what lies in them: packs, rules, introductions, and their examples.

Importing a room reads its files, and so does this module. Beside it only `texts` touches a file in the domain.
"""

from __future__ import annotations

import importlib
import pkgutil
import tomllib
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from types import ModuleType
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

import domain.games
from domain import lessons
from domain.game import Game, Lang, PackError, Seat, Value
from domain.lessons import Lesson
from domain.scene import Scene


class Example(Value, frozen=True):
    """A moment of a match between bots."""

    until: str
    """The class of the event after which the table is shown."""
    nth: Annotated[int, Meta(ge=1)] = 1
    """Which event of this class, from 1."""
    settled: bool = False
    """Whether everything that the move brings about happens first."""
    seats: int = 0
    """The number of players; 0 for the fewest possible."""
    seed: str = "0"
    """The seed of chance."""
    bot: str = "greedy"
    """The bot that plays all seats."""
    options: dict[str, Any] = {}
    """The match's options."""
    eyes: Literal["actor", "other", "nobody"] = "actor"
    """Who looks: the seat of the event, the seat after it, or a spectator."""
    zones: tuple[str, ...] = ()
    """The zones to show, with `{seat}` for the seat of the event; empty for the whole table."""


def seat_of(event: Any) -> Seat:
    """Return the seat that an event is about; 0 if it is about none."""
    seat = getattr(event, "seat", 0)
    return seat if isinstance(seat, int) else 0


def looked_at(scene: Scene, example: Example, seat: Seat) -> Scene:
    """Return the part of a scene that the example shows. Zones of one seat alone are shown without its heading."""
    if not example.zones:
        return scene
    wanted = [name.format(seat=seat) for name in example.zones]
    zones = [zone for name in wanted for zone in scene.zones if zone.id == name]
    if len({zone.seat for zone in zones}) == 1:
        zones = [msgspec.structs.replace(zone, seat=()) for zone in zones]
    shown = {zone.seat for zone in zones}
    scores = tuple(score for score in scene.scores if (score.seat,) in shown)
    return Scene(line="", turn=(), zones=tuple(zones), scores=scores)


class PackFile(msgspec.Struct, frozen=True):
    """A pack as a file and as the value that was read from it."""

    name: str
    data: bytes
    hash: str
    """SHA-256 of `data`, hexadecimal; a match's opening event names it."""
    pack: Any


class Room:
    """A game and the content of its folder."""

    def __init__(self, game: Game[Any, Any, Any], module: ModuleType) -> None:
        self.game = game
        self._folder = files(module)
        names = sorted(entry.name for entry in self._folder.joinpath("packs").iterdir() if entry.name.endswith(".toml"))
        self.packs: dict[str, PackFile] = {}
        """The packs with which a match may be opened, by name. Replaced as a whole, so it may be iterated meanwhile."""
        self.kept: dict[str, PackFile] = {}
        """All packs whose content is at hand, by hash. A match keeps the content with which it was opened."""
        self.elsewhere: Callable[[str], bytes | None] = lambda hash: None
        """Returns the bytes of a pack that is not at hand, by its hash; None if it is not found."""
        for name in sorted(names, key=lambda name: (name != "house.toml", name)):
            self.add_pack(name, self._folder.joinpath("packs", name).read_bytes())

    def add_pack(self, file: str, data: bytes) -> PackFile:
        """Check a pack file, offer it by the file's name, and return it. Raises PackError."""
        pack = msgspec.structs.replace(self.keep_pack(file, data), name=_name(file))
        self.packs = {**self.packs, pack.name: pack}
        return pack

    def offer_only(self, names: Collection[str]) -> None:
        """Offer only the packs with these names. The content of the others stays at hand."""
        self.packs = {name: pack for name, pack in self.packs.items() if name in names}

    def keep_pack(self, file: str, data: bytes) -> PackFile:
        """Check a pack file, keep its content for the matches that name it, and return it. Raises PackError."""
        pack = _parsed(self.game.parse_pack, data, file)
        kept = PackFile(name=_name(file), data=data, hash=sha256(data).hexdigest(), pack=pack)
        return self.kept.setdefault(kept.hash, kept)

    def pack_of(self, hash: str) -> PackFile | None:
        """Return the pack with that content; None if it is not found, or can't be played with."""
        pack = self.kept.get(hash)
        if pack is None and (data := self.elsewhere(hash)) is not None and sha256(data).hexdigest() == hash:
            try:
                pack = self.keep_pack(f"{hash}.toml", data)
            except PackError:
                return None
        return pack

    def rules(self, lang: str = "en") -> str:
        """Return the rules by clause, as Markdown; in English if there is no text in that language."""
        return self._text("RULES", lang)

    def howto(self, lang: str = "en") -> str:
        """Return the introduction of two minutes, as Markdown; "" if the room has none."""
        return self._text("HOWTO", lang) if self._folder.joinpath("HOWTO.md").is_file() else ""

    def examples(self) -> dict[str, Example]:
        """Return the moments that `howto` shows, by name. Raises ValidationError, TOMLDecodeError."""
        file = self._folder.joinpath("examples.toml")
        content = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        return msgspec.convert(content, dict[str, Example], strict=True)

    def lesson(self) -> Lesson[Any, Any] | None:
        """Return the lesson; None if the room has none. Raises PackError."""
        file = self._folder.joinpath(lessons.FILE)
        if not file.is_file():
            return None
        return lessons.read_lesson(file.read_bytes(), self.game, [pack.name for pack in self.kept.values()])

    def _text(self, name: str, lang: str) -> str:
        own = self._folder.joinpath(f"{name}.{lang}.md")
        return (own if own.is_file() else self._folder.joinpath(f"{name}.md")).read_text(encoding="utf-8")


@lru_cache(maxsize=64)
def _parsed(parse: Callable[[bytes, str], Any], data: bytes, file: str) -> Any:
    """Return what was read from a pack file. It is a value, so whoever opens the rooms again may get the same one."""
    return parse(data, file)


def _name(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".toml")


class Catalogue:
    """All games, by slug."""

    def __init__(self, packages: Iterable[ModuleType] = (domain.games,)) -> None:
        """Import the rooms. `packages`: where to look; each package inside that has a `GAME` is a room."""
        self.rooms: dict[str, Room] = {}
        for package in packages:
            for entry in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
                module = importlib.import_module(f"{package.__name__}.{entry.name}")
                if isinstance(game := getattr(module, "GAME", None), Game):
                    self.rooms[game.slug] = Room(game, module)

    def game(self, slug: str) -> Game[Any, Any, Any]:
        """Return the game with that slug. Raises KeyError."""
        return self.rooms[slug].game

    def title(self, slug: str, lang: Lang) -> str:
        """Return the title of the game with that slug; the slug if there is none, as in a store of another release."""
        return self.rooms[slug].game.title[lang] if slug in self.rooms else slug
