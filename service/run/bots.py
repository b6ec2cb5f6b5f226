"""The commands of bots as `./foldtable bots` runs them, which can save matches as files, and review such files.

Saved matches are played as the service plays matches, so they can be audited and replayed.
"""

from __future__ import annotations

import gc
import os
from base64 import b32encode
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.console import Console
from rich.progress import track

from bots import named
from bots.__main__ import Play, Table, Wrong, cli, main
from bots.choose import Bot
from bots.review import DIGITS, Decision, LuckAndPlay, NotOver, Reviewer, moments, parts
from bots.search.thought import Budget
from bots.simulate import Played, result
from domain import matches, play, texts
from domain.catalogue import Catalogue, PackFile
from domain.chance import Chance, Simulation
from domain.game import Game, Lang, Seat
from domain.play import Stuck, Told
from domain.secrecy import redact
from events import keyring
from events.chain import Head, now, stamp
from events.files import write_whole
from events.memory import MemoryRecorder
from events.receipts import Receipt
from events.store import Write
from replays.checking.audit import audit
from replays.commands import Commands, finite
from replays.commands.reading import PRINTED
from replays.files import exports
from replays.files.format import ALL, BadFile, Export, read_file
from replays.film import Film, viewers
from replays.log import TRUTH, Log, OtherRules, UnknownMatch, codec_of, private_stream, seal
from replays.printing import pour, say_either
from service.matches import reviews


class Setting(msgspec.Struct, frozen=True):
    """The setting of a match."""

    game: Game[Any, Any, Any]
    pack: PackFile
    options: Any
    names: tuple[str, ...]
    """The bots by seat."""
    seed: str


class Archive:
    """A folder with a file for each match. Nothing in it is overwritten."""

    def __init__(self, folder: Path, catalogue: Catalogue, files: list[Path]) -> None:
        """Make the folder if it is missing. `files` gets the files that are written. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._catalogue = catalogue
        self._signer = _Signer()
        self._files = files

    def play(self, setting: Setting, bots: Sequence[Bot], chance: Chance) -> Played:
        """Play a match and save it. Returns how it went. `chance`: the chance of the bots.

        The match's id and secret depend only on the setting, so the same setting gives the same match, in a file of
        the same name. Its times and its signature differ.
        Raises:  Refusal for options that can't be played; Stuck; OSError, FileExistsError if the file exists.
        """
        match_id = f"m_{b32encode(_digest('id', setting)[:10]).decode().lower()}"
        file = self._folder / f"{match_id}.jsonl"
        if file.exists():
            raise FileExistsError(str(file))
        table = _Table(setting, match_id, bots, chance)
        played = table.play()
        lines = exports.lines(Log(table.recorder, match_id, self._catalogue), self._signer)
        if not write_whole(file, b"".join(lines), mode=0o666, is_first=True):
            raise FileExistsError(str(file))
        self._files.append(file)
        return played


def _digest(what: str, setting: Setting) -> bytes:
    options = msgspec.json.encode(setting.options).decode()
    parts = (what, setting.game.slug, setting.game.version, setting.pack.hash, options, setting.names, setting.seed)
    return sha256(msgspec.json.encode(parts)).digest()


class _Signer:
    """Signs the receipts of files, which an audit needs, with a key that is never stored."""

    def __init__(self) -> None:
        self._private = Ed25519PrivateKey.generate()
        self.keys = (keyring.new_key(self._private, stamp(now())),)

    def sign(self, stream: str, head: Head) -> Receipt:
        """Return the receipt for the end of a stream."""
        return keyring.sign(self._private, self.keys[0], stream, head)


class _Table:
    """A running match with its logs."""

    def __init__(self, setting: Setting, match_id: str, bots: Sequence[Bot], chance: Chance) -> None:
        """Open the match. Raises Refusal."""
        self.recorder = MemoryRecorder()
        self._id = match_id
        self._at = stamp(now())
        self._game = setting.game
        self._secret = _digest("secret", setting)
        self._bots = bots
        self._chance = chance
        self._longest = self._answers = 0
        self._told: list[Any] = []
        pack = setting.pack
        opened, self._state = play.open_match(
            setting.game,
            pack.pack,
            pack_name=pack.name,
            pack_hash=pack.hash,
            seats=len(bots),
            options=setting.options,
            secret=self._secret.hex(),
        )
        self._append(match_id, (opened,))
        self._seen = [matches.begin(setting.game, pack.pack, redact(opened.event, seat)) for seat in range(len(bots))]
        """What each seat sees."""

    def play(self) -> Played:
        """Let everybody sit down and play to the end. Returns how it went. Raises Stuck."""
        for seat in range(len(self._bots)):
            self._tell(play.take_seat(self._game, self._state, seat))
        game = self._game
        while asked := matches.to_act(game, self._state):
            if self._state.moves > game.bound:
                raise Stuck(f"{game.slug}: more than {game.bound} moves, the most that a match can take")
            self._step(asked[0])
        return result(game, self._state.table, self._state.moves + self._answers, self._told, self._longest)

    def _step(self, seat: Seat) -> None:
        """Let the seat answer; after the last answer under seal, close the answers."""
        game, state = self._game, self._state
        decision, move = matches.decision_of(game, state, seat), self._choose(seat)
        if not matches.is_sealed(game, state):
            self._tell(play.played(game, state, seat, decision, move, play.dice(state))[0])
            return
        told = play.seal(game, state, seat, decision, move)
        sealed = self._append(private_stream(self._id, seat), (told,))
        self._answers += 1
        self._state = matches.answered(game, state, seat, told.event, sealed.hex())
        if play.is_complete(game, self._state):
            self._tell(play.closed(game, self._state, play.dice(self._state))[0])

    def _choose(self, seat: Seat) -> Any:
        seen = self._seen[seat].table
        self._longest = max(self._longest, len(self._game.legal(seen, seat)))
        return self._bots[seat].choose(self._game, seen, seat, self._chance)

    def _tell(self, told: tuple[Told, ...]) -> None:
        """Append events to the match's log, and show each seat its part."""
        self._append(self._id, told)
        events = [entry.event for entry in told]
        self._told += (event for event in events if not isinstance(event, matches.EVENTS))
        self._state = matches.fold(self._game, self._state, events)
        for seat, seen in enumerate(self._seen):
            self._seen[seat] = matches.fold(self._game, seen, [redact(event, seat) for event in events])

    def _append(self, stream: str, told: Iterable[Told]) -> bytes:
        """Append events to a stream. Returns the hash of the last one."""
        head = self.recorder.head(stream)
        stored = seal(codec_of(self._game), head, stream, told, self._at, self._secret)
        self.recorder.append(self._id, [Write(stream, head.version, stored)])
        return stored[-1].hash


def saving(table: Table, folder: str, files: list[Path]) -> Play:
    """Return a function that plays and saves a match. `files` gets the files. Raises Wrong."""
    if not folder:
        raise Wrong("Name a folder for --save; the current one is a dot.")
    try:
        archive = Archive(Path(folder), Catalogue(), files)
    except OSError as error:
        raise Wrong(f"{folder}: {error.strerror}") from error

    def played(order: tuple[str, ...], seed: str) -> Played:
        setting = Setting(table.room.game, table.pack, table.options, order, seed)
        try:
            return archive.play(setting, [named(name) for name in order], Simulation(seed))
        except FileExistsError as error:
            raise Wrong(f"{error} exists already: name another folder, or another --seed.") from error
        except OSError as error:
            raise Wrong(f"{folder}: {error.strerror}") from error

    return played


@cli.command("review")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", type=int, required=True, help="The seat whose decisions are judged, from 0.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=45.0,
    callback=finite,
    show_default=True,
    help="How long all decisions take together.",
)
@click.option("--lang", type=click.Choice(texts.LANGS), default="en", show_default=True, help="Language of moves.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    help="Also write the match as a page with the review, here; - prints it instead.",
)
def review_file(file: Path, seat: int, seconds: float, lang: Lang, as_json: bool, html: Path | None) -> None:
    """Tell where a seat gained and lost in the finished match of FILE, and how much was luck.

    A decision is judged by what the seat knew then. Shares are shares of the first place, in percent.
    """
    _check(html, as_json=as_json)
    log, export = _audited(file)
    if not 0 <= seat < log.opening.seats:
        raise Wrong(f"{file} has {log.opening.seats} seats, from 0; there is no seat {seat}.")
    try:
        log.need_own_rules()
        reviewer = Reviewer(log.game, log.pack.pack, log.events(TRUTH), seat, log.id, by_clock=log.sealed_by_clock())
    except (NotOver, OtherRules) as error:
        raise Wrong(f"{file}: {error}") from error
    screen = Console(stderr=True)
    steps = track(range(reviewer.total), "Judging", console=screen, disable=not screen.is_terminal, transient=True)
    judged = [reviewer.decision(number, Budget(seconds=seconds / reviewer.total)) for number in steps]
    film = Film(log, seat)
    found = reviews.MatchReview(
        match=log.id,
        seat=seat,
        state="done",
        total=reviewer.total,
        decisions=tuple([reviews.decision_in_words(film, seat, one, lang) for one in judged]),
        moments=moments(judged),
        account=reviewer.account(),
    )
    if html != PRINTED:
        say_either(found, _in_lines(found, log.game.title[lang], log.opening.seats), as_json=as_json)
    if html is not None:
        _write(html, _page(log, film, found, [judged[at] for at in found.moments], lang, export))


def _check(html: Path | None, *, as_json: bool) -> None:
    """Raise Wrong if the page can't be written there, before a minute is spent on it."""
    if html == PRINTED and as_json:
        raise Wrong("--json and --html - can't both be printed: name a file for the page.")
    if html is None or html == PRINTED:
        return
    if os.path.lexists(html):
        raise Wrong(f"{html} exists already: name another file.")
    if not html.parent.is_dir():
        raise Wrong(f"{html.parent} is no folder: make it first.")
    if not os.access(html.parent, os.W_OK):
        raise Wrong(f"{html.parent} can't be written to: name another folder.")


def _page(
    log: Log, film: Film, found: reviews.MatchReview, costly: Sequence[Decision], lang: Lang, export: bytes
) -> str:
    """Return the match as a page that begins with what the seat saw, with its review."""
    # the library takes a while to load
    from replays import report

    moves = []
    for one in costly:
        told = {each: reviews.decision_in_words(film, found.seat, one, each) for each in texts.LANGS}
        own = {each: next(move.text for move in said.moves if move.move == one.move) for each, said in told.items()}
        best = {each: said.moves[0].text for each, said in told.items()}
        gains = {each: said.gains for each, said in told.items()}
        moves.append(report.CostlyMove(one.version, one.own.behind, one.own.error, own, best, gains))
    assert found.account is not None
    words = {each: dict(said) for each, said in texts.read("service.web.pages", "words/review").items()}
    notes = {
        "luck-unclear": found.account.is_luck_unclear,
        "not-own": any(one.by != "seat" for one in found.decisions),
        "resigned": any(isinstance(event, matches.MatchConceded) for event in log.events(TRUTH)),
    }
    review = report.ReviewedSeat(
        found.seat,
        parts(found.account, log.opening.seats),
        tuple(moves),
        words,
        found.account.luck_error,
        tuple(name for name, holds in notes.items() if holds),
    )
    return report.page(log, viewers(log), found.seat, lang, export, review=review)


def _write(file: Path, text: str) -> None:
    """Write the page, or print it. Raises Wrong, if there is such a file already too."""
    if file == PRINTED:
        pour(text.encode().splitlines(keepends=True))
        return
    try:
        if write_whole(file, text.encode(), mode=0o666, is_first=True):
            return
    except OSError as error:
        raise Wrong(f"{file}: {error.strerror}") from error
    raise Wrong(f"{file} exists already: name another file.")


def _audited(file: Path) -> tuple[Log, bytes]:
    """Return the log of a file that holds all of a match, and audits; and the file's content. Raises Wrong."""
    try:
        catalogue, lines = Catalogue(), read_file(file)
        export = Export(lines, str(file))
        report = audit(lines, catalogue)
        if report.failures:
            raise Wrong(f"{file} does not audit: {report.failures[0].reason}")
        if lines.header.viewer != ALL:
            raise Wrong(f"{file} does not hold all cards: only the file of a match that is over does.")
        export.pack_for(catalogue)
        # not read once more: it may be a pipe
        return Log(export, export.header.match, catalogue), b"".join(exports.again(lines))
    except (BadFile, OtherRules, UnknownMatch) as error:
        raise Wrong(str(error)) from error


PARTS = {"luck": "luck", "own": "own moves", "others": "moves of others", "play": "moves of both"}
"""What the parts of a result are called."""


def _in_lines(found: reviews.MatchReview, title: str, seats: int) -> Iterator[str]:
    account = found.account
    assert account is not None
    yield f"{title}, seat {found.seat}: {found.total} decisions. Shares of the first place, in percent:"
    yield f"  at the start      {100 * account.start:6.1f}"
    for name, share in parts(account, seats).items():
        if name in PARTS:
            yield f"  {PARTS[name]:<17} {_signed(share):>6}{_range(account) if name == 'luck' else ''}"
    yield f"  result            {100 * account.result:6.1f}"
    yield "What moves give one seat they take from the others, so they are compared with those of all seats on average."
    if _range(account):
        yield "Luck is estimated from a few other draws. If it is more than told, the moves gave that much less."
    if account.is_luck_unclear:
        yield "Whether luck helped or hurt can't be told here."
    if any(one.by != "seat" for one in found.decisions):
        yield "Some moves were made by the clock or by a bot for the player: they count above, but not as mistakes."
    if not found.moments:
        yield "No move cost certainly more than 5 points."
    for place in found.moments:
        one = found.decisions[place]
        own, best = next(move for move in one.moves if move.move == one.move), one.moves[0]
        yield f"After event {one.version}: cost {100 * own.behind:.1f} points, ± {200 * own.error:.1f}"
        yield f"  played: {own.text} ({100 * own.share:.1f})"
        yield f"  better: {best.text} ({100 * best.share:.1f})"
        yield f"  some moves later: {best.points - own.points:+.1f} points, best other {best.others - own.others:+.1f}"
        if one.gains:
            yield f"  what it gains: {'; '.join(one.gains)}"


def _signed(share: float) -> str:
    """Return a share in percent, with its sign, and never "-0.0"."""
    return f"{round(100 * share, 1) + 0.0:+.1f}"


def _range(account: LuckAndPlay) -> str:
    """Return the range in which luck very likely lies; "" if nobody found it out, or nothing was left to chance."""
    margin = 2 * round(account.luck_error or 0.0, DIGITS)
    return f", very likely from {_signed(account.luck - margin)} to {_signed(account.luck + margin)}" if margin else ""


def run() -> None:
    """Run the command that was typed. Its reader may stop reading, and a disk may be full."""
    main(saving, Commands(cli.name, commands=cli.commands, help=cli.help))


if __name__ == "__main__":
    # matches make no reference cycles, and looking for them would take a twentieth of the time
    gc.set_threshold(100_000)
    run()
