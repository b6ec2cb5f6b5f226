"""Finds the rooms and what is printed in them: packs, rule texts, and how a game is played.

Importing a room reads files, and so does this: the packs and texts that lie in a room's own folder. Nothing else
in the domain touches a file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Collection, Iterable
from hashlib import sha256
from importlib.resources import files
from types import ModuleType
from typing import Any

import msgspec

import domain.games
from domain.examples import Example, read_examples
from domain.game import Game, PackError


class PackFile(msgspec.Struct, frozen=True):
    """A pack as printed, and as read."""

    name: str
    data: bytes
    hash: str
    """SHA-256 of `data`, hexadecimal: what a match's opening event names."""
    pack: Any


class Room:
    """A game and what lies in its folder."""

    def __init__(self, game: Game[Any, Any, Any], module: ModuleType) -> None:
        self.game = game
        self._folder = files(module)
        names = sorted(entry.name for entry in self._folder.joinpath("packs").iterdir() if entry.name.endswith(".toml"))
        self.packs: dict[str, PackFile] = {}
        """Those that a match may be opened with, by name. Replaced as a whole: whoever goes through it may go on."""
        self.kept: dict[str, PackFile] = {}
        """All whose content is at hand, by hash: a match keeps the content it was opened with."""
        self.elsewhere: Callable[[str], bytes | None] = lambda hash: None
        """Where to ask for the content of a pack that is not at hand, by its hash."""
        for name in sorted(names, key=lambda name: (name != "house.toml", name)):
            self.add_pack(name, self._folder.joinpath("packs", name).read_bytes())

    def add_pack(self, file: str, data: bytes) -> PackFile:
        """Check a pack file's bytes and offer it by the file's name. Raises PackError."""
        found = msgspec.structs.replace(self.keep_pack(file, data), name=_name(file))
        self.packs = {**self.packs, found.name: found}
        return found

    def offer_only(self, names: Collection[str]) -> None:
        """Offer the packs of these names and no others; what was kept of the others stays at hand."""
        self.packs = {name: found for name, found in self.packs.items() if name in names}

    def keep_pack(self, file: str, data: bytes) -> PackFile:
        """Check a pack file's bytes and have its content at hand, for the matches that name it. Raises PackError."""
        pack = self.game.parse_pack(data, file)
        found = PackFile(name=_name(file), data=data, hash=sha256(data).hexdigest(), pack=pack)
        return self.kept.setdefault(found.hash, found)

    def pack_of(self, hash: str) -> PackFile | None:
        """The pack of that content, wherever it is; None where it is nowhere, or can't be played with."""
        found = self.kept.get(hash)
        if found is None and (data := self.elsewhere(hash)) is not None and sha256(data).hexdigest() == hash:
            try:
                found = self.keep_pack(f"{hash}.toml", data)
            except PackError:
                return None
        return found

    def rules(self, lang: str = "en") -> str:
        """The rules by clause, as Markdown; English where there is no text in that language."""
        return self._text("RULES", lang)

    def howto(self, lang: str = "en") -> str:
        """How the game is played, for who has two minutes, as Markdown; nothing where the room does not say it."""
        return self._text("HOWTO", lang) if self._folder.joinpath("HOWTO.md").is_file() else ""

    def examples(self) -> dict[str, Example]:
        """The moments that `howto` shows, by name."""
        file = self._folder.joinpath("examples.toml")
        return read_examples(file.read_text(encoding="utf-8")) if file.is_file() else {}

    def _text(self, name: str, lang: str) -> str:
        own = self._folder.joinpath(f"{name}.{lang}.md")
        return (own if own.is_file() else self._folder.joinpath(f"{name}.md")).read_text(encoding="utf-8")


def _name(file: str) -> str:
    return file.rpartition("/")[2].removesuffix(".toml")


class Catalogue:
    """All the games at hand, by their slug."""

    def __init__(self, packages: Iterable[ModuleType] = (domain.games,)) -> None:
        """`packages`: where to look; every package inside that names a `GAME` is a room."""
        self.rooms: dict[str, Room] = {}
        for package in packages:
            for found in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
                module = importlib.import_module(f"{package.__name__}.{found.name}")
                if isinstance(game := getattr(module, "GAME", None), Game):
                    self.rooms[game.slug] = Room(game, module)

    def game(self, slug: str) -> Game[Any, Any, Any]:
        """The game of that slug; KeyError when there is none."""
        return self.rooms[slug].game
