"""The museum: logs as they were stored, that must fold for ever.

    python -m tests.museum --add 1 three-magic    puts logs there, named by the rules' version and this number
    python -m tests.museum --digest three-magic   tells again what the logs' last views look like, logs untouched
    python -m tests.museum --add 2 ttmp --bots greedy --options '{"modes": ["hard"]}'
                                                  puts one there, of these bots and with these options
    python -m tests.museum --add 4 magicative --bots greedy --concede 20
                                                  puts one of two seats there that is given up after as many turns

A log is never rewritten. Beside it stand the pack that it was played with and what must come of it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from domain import matches
from domain.catalogue import Catalogue
from domain.game import Game, Standing, move_id
from domain.matches import Match
from events import chain
from events.chain import Stored, secrets_of
from events.codec import tell
from events.store import Recorder, Write
from replays.log import Log, codec_of
from tests.laws.rooms import SLUGS, room_of
from tests.laws.table import BOTS, Played, play_match

GAMES = Path(__file__).parent / "games"


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stored event as a line of JSON; its three columns of canonical bytes stand in it as they are."""

    stream: str
    version: int
    type: str
    schema: int
    at: str
    actor: str
    move: int
    public: msgspec.Raw
    secret: msgspec.Raw
    commits: msgspec.Raw
    hash: str


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What hangs beside a log."""

    game: str
    version: int
    """Of the rules."""
    pack: str
    """The pack file's text."""
    head: str
    """Hash of the match's last event."""
    standing: Standing
    views: dict[str, str]
    """SHA-256 of each viewer's last view as JSON, by seat, and by `table` for somebody without one."""
    defaults: str = ""
    """SHA-256 of what the clock would have played, see `defaults_digest`; "" where nobody noted it."""


def to_line(event: Stored) -> bytes:
    fields = msgspec.structs.asdict(event)
    raw = {name: msgspec.Raw(fields[name]) for name in ("public", "secret", "commits")}
    return msgspec.json.encode(Line(**(fields | raw | {"hash": event.hash.hex()})))


def from_line(line: bytes) -> Stored:
    fields = msgspec.structs.asdict(msgspec.json.decode(line, type=Line))
    raw = {name: bytes(fields[name]) for name in ("public", "secret", "commits")}
    return Stored(**(fields | raw | {"hash": bytes.fromhex(fields["hash"])}))


def streams_of(path: Path) -> dict[str, list[Stored]]:
    """The logs in a file, the match's own one first."""
    streams: dict[str, list[Stored]] = {}
    for line in path.read_bytes().splitlines():
        event = from_line(line)
        streams.setdefault(event.stream, []).append(event)
    return streams


def label_of(path: Path) -> Label:
    return msgspec.json.decode(path.with_suffix(".json").read_bytes(), type=Label)


def kept(path: Path, recorder: Recorder, catalogue: Catalogue) -> Log:
    """The logs in a file, put into a store, and the pack that they were played with into the catalogue."""
    label, streams = label_of(path), streams_of(path)
    catalogue.rooms[label.game].keep_pack("museum.toml", label.pack.encode())
    match_id = next(iter(streams))
    recorder.append(match_id, [Write(stream, 0, tuple(events)) for stream, events in streams.items()])
    return Log(recorder, match_id, catalogue)


def fold(label: Label, log: list[Stored], viewer: int | None, *, is_open: bool = False) -> Match[Any]:
    """What the viewer knows at the end of the log; `is_open`: the truth."""
    game = game_of(label)
    pack, codec = game.parse_pack(label.pack.encode(), "the museum's pack"), codec_of(game)
    events = []
    for event in log:
        shown = secrets_of(event) if is_open else _shown(event, viewer)
        events.append(codec.read(event.type, event.schema, tell(event.public, shown)))
    return matches.fold(game, matches.begin(game, pack, events[0]), events[1:])


def view_digest(label: Label, log: list[Stored], viewer: int | None) -> str:
    seen = fold(label, log, viewer)
    view = room_of(label.game).game.view(seen.table, viewer)
    return sha256(msgspec.json.encode(view, order="sorted")).hexdigest()


def game_of(label: Label) -> Game[Any, Any, Any]:
    """The game by the log's own version of the rules; by the newest, which only reads, where that is not at hand."""
    newest = room_of(label.game).game
    return newest.by(label.version) or newest


def defaults_digest(label: Label, log: list[Stored]) -> str:
    """SHA-256 of the default move at each decision of the log, which an audit holds the clock's moves against."""
    game = game_of(label)
    pack, codec = game.parse_pack(label.pack.encode(), "the museum's pack"), codec_of(game)
    found: list[str] = []
    for seat in range(len(fold(label, log[:1], None).taken)):
        told = [codec.read(one.type, one.schema, tell(one.public, _shown(one, seat))) for one in log]
        state = matches.begin(game, pack, told[0])
        for event in told[1:]:
            if isinstance(event, matches.MoveMade) and event.seat == seat and event.cause is not matches.Cause.FORCED:
                found.append(move_id(game.default(state.table, seat)))
            state = matches.evolve(game, state, event)
    return sha256(" ".join(found).encode()).hexdigest()


def _shown(event: Stored, viewer: int | None) -> dict[str, Any]:
    return {path: one for path, one in secrets_of(event).items() if viewer in one.readers}


def write_label(path: Path, slug: str, version: int, pack: str) -> None:
    log = next(iter(streams_of(path).values()))
    bare = Label(slug, version, pack, log[-1].hash.hex(), Standing(points=(), ranking=(), over=False), {})
    game = game_of(bare)
    truth = fold(bare, log, None, is_open=True)
    viewers = (*range(len(truth.taken)), None)
    views = {name_of(viewer): view_digest(bare, log, viewer) for viewer in viewers}
    # a promise, like the log: what was noted once is not told again
    defaults = label_of(path).defaults if path.with_suffix(".json").exists() else defaults_digest(bare, log)
    label = msgspec.structs.replace(bare, standing=game.standing(truth.table), views=views, defaults=defaults)
    path.with_suffix(".json").write_bytes(msgspec.json.format(msgspec.json.encode(label), indent=1) + b"\n")


def name_of(viewer: int | None) -> str:
    return "table" if viewer is None else str(viewer)


def viewer_of(name: str) -> int | None:
    return None if name == "table" else int(name)


def add(
    slug: str, number: int, kinds: tuple[str, ...] = tuple(BOTS), options: str = "", turns: int | None = None
) -> None:
    """Put a log of each kind of bot there, with options drawn or said as JSON. Refuses to touch one that is there."""
    folder = GAMES / slug.replace("-", "_") / "museum"
    folder.mkdir(exist_ok=True)
    wanted = msgspec.json.decode(options, type=room_of(slug).game.Options) if options else None
    for kind in kinds:
        played: Played = play_match(slug, number, kind, wanted, turns)
        assert turns is None or played.truth.conceded is not None, "it ended before it could be given up"
        path = folder / f"v{played.game.version}-{number}-{kind}.jsonl"
        assert not path.exists(), f"{path.name} is there, and is never rewritten"
        logs = (played.stored(), *(log for _, log in sorted(played.private.items())))
        path.write_bytes(b"".join(to_line(event) + b"\n" for log in logs for event in log))
        assert chain.head_of(played.stored()).hash == next(iter(streams_of(path).values()))[-1].hash
        write_label(path, slug, played.game.version, played.pack.data.decode())


def main(arguments: list[str]) -> None:
    """Add logs, or tell again what comes of those that are there."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--add", type=int, metavar="NUMBER")
    task.add_argument("--digest", action="store_true")
    parser.add_argument("--bots", nargs="+", choices=BOTS, default=tuple(BOTS))
    parser.add_argument("--options", default="", metavar="JSON")
    parser.add_argument("--concede", type=int, metavar="TURNS")
    parser.add_argument("games", nargs="*", metavar="GAME")
    given = parser.parse_args(arguments)
    for slug in given.games or SLUGS:
        if given.add is not None:
            add(slug, given.add, tuple(given.bots), given.options, given.concede)
            continue
        for path in sorted((GAMES / slug.replace("-", "_") / "museum").glob("*.jsonl")):
            label = label_of(path)
            write_label(path, slug, label.version, label.pack)


if __name__ == "__main__":
    main(sys.argv[1:])
