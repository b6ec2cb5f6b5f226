"""The commands that check matches: `audit` by docs/log.md, and `validate` by the rules at hand."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec

from domain.catalogue import Catalogue
from domain.matches import Status
from events import chain
from events.keyring import Keyring, KeysUnusable
from events.keyring import published as published_keys
from events.receipts import Key, Keys
from events.store import Reader, StoreError
from replays import player
from replays.checking import audit as audits
from replays.checking import rules
from replays.checking.audit import Held, InVain, Nonce, Report
from replays.checking.rules import Kind, Verdict
from replays.commands import Wrong, conclude, counted, reading
from replays.commands.reading import TOLD, Place, at_place
from replays.files import exports
from replays.files.format import MARKS, PACKED, BadFile, read, read_file, receipt_of
from replays.log import FOREIGN, Log, UnknownMatch
from replays.printing import say, say_either


class AuditOfAll(msgspec.Struct, frozen=True):
    """The result of an audit of a store."""

    ok: bool
    matches: int
    events: int
    failures: tuple[Report, ...]
    """The reports of the matches that failed."""
    unjudged: tuple[str, ...] = ()
    """The ids of matches without their version of the rules: their moves, chance and result were not checked."""


@click.command()
@click.argument("match_or_file", required=False)
@at_place
@click.option("--all", "is_all", is_flag=True, help="Print every failure, not only the first.")
@click.option(
    "--receipt",
    "receipts",
    type=click.Path(path_type=Path),
    multiple=True,
    help="A file with your evidence: receipts, answers, your nonce. May be given more than once.",
)
@click.option("--keys", type=click.Path(path_type=Path), help="A file with the keys that the service published.")
@click.option("--all-matches", is_flag=True, help="Audit every match of the store.")
@reading.as_json
@click.pass_context
def audit(
    context: click.Context,
    match_or_file: str | None,
    place: Place,
    is_all: bool,
    receipts: tuple[Path, ...],
    keys: Path | None,
    all_matches: bool,
    as_json: bool,
) -> None:
    """Make every check of docs/log.md on an export, or on a match of the store.

    Exit code 0: everything that can be checked holds. 1: something does not. 2: it could not be read.
    """
    if all_matches == (match_or_file is not None):
        raise Wrong("name a match or a file, or say --all-matches")
    if match_or_file is None:
        if receipts or keys:
            raise Wrong("receipts and keys are compared with one match: name it")
        context.exit(_audit_all(context, place, as_json=as_json))
    held = [item for path in receipts for item in read_held(path)]
    published = read_keys(keys) if keys else None
    report = _report(match_or_file, place, held, published)
    if not is_all:
        report = msgspec.structs.replace(report, failures=report.failures[:1])
    is_doubtful = reading.is_file(match_or_file) and published is None
    conclude(context, code := 2 if report.is_unread else 0 if report.ok else 1)
    say_either(report, told(report, is_doubtful=is_doubtful), as_json=as_json)
    context.exit(code)


def _report(name: str, place: Place, held: list[Held], published: tuple[Key, ...] | None) -> Report:
    if not reading.is_file(name):
        with reading.reading(name), reading.store(place, name) as (store, catalogue):
            return audit_stored(place, store, catalogue, name, held, published)
    try:
        file = read_file(Path(name))
    except BadFile as error:
        return audits.unread("", str(error))
    return audits.audit(file, reading.catalogue_of(place), held, published=published)


def audit_stored(
    place: Place,
    store: Reader,
    catalogue: Catalogue,
    match_id: str,
    held: Sequence[Held] = (),
    published: Sequence[Key] | None = None,
) -> Report:
    """Return the report on a match of the store, which knows everything of it. Raises UnknownMatch."""
    try:
        keyring = Keyring(place.keys)
    except KeysUnusable:
        keyring = None
    try:
        lines = b"".join(exports.lines(Log(store, match_id, catalogue), keyring, is_inside=True))
        file = read(io.BytesIO(lines), match_id)
        is_signed = bool(file.header.keys)
        if not is_signed:
            # what players hold is compared with the keys that the store publishes
            header = msgspec.structs.replace(file.header, keys=published_keys(store))
            file = msgspec.structs.replace(file, header=header)
    except UnknownMatch:
        raise
    except (*TOLD, *FOREIGN) as error:
        return audits.unread(match_id, reading.in_one_line(error))
    # a new catalogue, so that the pack is judged as the file has it, not as the store keeps it
    return audits.audit(file, catalogue, held, published=published, is_inside=True, is_signed=is_signed)


def _audit_all(context: click.Context, place: Place, *, as_json: bool) -> int:
    matches = events = 0
    failed = []
    unjudged: list[str] = []
    for report in reading.ask_all(audit_stored, place, reading.ids(place), "auditing"):
        matches, events = matches + 1, events + report.events
        if report.not_checked:
            unjudged.append(report.match_id)
        if not report.ok:
            failed.append(msgspec.structs.replace(report, failures=report.failures[:1]))
            conclude(context, 1)
            if not as_json:
                say([f"{report.match_id}: {report.failures[0].line}"])
    does = "does" if len(failed) == 1 else "do"
    lines = [f"{counted(matches, events)}: {f'{len(failed)} {does} not hold' if failed else 'all hold'}"]
    if unjudged:
        lines.append(f"of {len(unjudged)} the rules are not at hand; their moves, chance and result were not checked")
    conclude(context, code := 0 if not failed else 2 if all(report.is_unread for report in failed) else 1)
    say_either(AuditOfAll(not failed, matches, events, tuple(failed), tuple(unjudged)), lines, as_json=as_json)
    return code


MOST_HELD = 1 << 28
"""The most bytes of a file of receipts or keys."""


@contextmanager
def _read(path: Path, what: str) -> Iterator[bytes]:
    """Yield the content of a file that should hold these. Turns all errors into Wrong."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_HELD + 1)
        if len(content) > MOST_HELD:
            raise ValueError(f"it is larger than {MOST_HELD >> 20} MiB")
        if content.startswith(PACKED):
            raise ValueError("it is compressed: unpack it first")
        if content.startswith(MARKS):
            raise ValueError("it begins with a byte order mark: save it as UTF-8 without one")
        yield content
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise Wrong(f"{path} holds no {what}: {reading.in_one_line(error)}") from error


def read_held(path: Path) -> list[Held]:
    """Return the receipts and nonces in a file, in order: one a line, or one JSON object or list of them. Raises Wrong.

    Each is a receipt, a saved answer of the service, `{"nonce": ...}` or `{"in_vain": ...}`; anything else is skipped.
    Their order shows what was held before a nonce was sent.
    """
    with _read(path, "receipts") as text:
        try:
            content = msgspec.json.decode(text)
        except msgspec.DecodeError:
            content = [_value(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        values = content if isinstance(content, list) else [content]
        held = [item for value in values for item in _held_in(value)]
        if not held:
            raise ValueError("no answer in it has one" if values else "it is empty")
    return held


def _value(number: int, line: bytes) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise ValueError(f"line {number}, which may be cut off: {error}") from error


def _held_in(value: Any) -> list[Held]:
    """Return the nonce or the receipt that the value is, or the receipts in an answer of the service, if any."""
    if not isinstance(value, dict) or "domain" in value:
        return [receipt_of(chain.encode_canonical(value))]
    if "nonce" in value:
        return [msgspec.convert(value, Nonce)]
    if "in_vain" in value:
        return [msgspec.convert(value, InVain)]
    # an answer under seal has its receipt for the seat's private log
    parts = [part for part in (value, value.get("sealed")) if isinstance(part, dict)]
    brought = [part["receipt"] for part in parts if part.get("receipt") is not None]
    return [receipt_of(chain.encode_canonical(receipt)) for receipt in brought]


def read_keys(path: Path) -> tuple[Key, ...]:
    """Return the keys in a file, in the form of `GET /api/keys`. Raises Wrong."""
    with _read(path, "keys") as text:
        keys = msgspec.json.decode(text, type=Keys).keys
        if not keys:
            raise ValueError("its list is empty")
    return keys


def told(report: Report, *, is_doubtful: bool) -> Iterable[str]:
    """Yield the report in words. `is_doubtful`: the keys have not been compared with published ones."""
    if report.failures and report.failures[0].check == "file":
        yield f"can't be read: {report.failures[0].reason}"
        return
    whose = "everything" if report.viewer == "all" else "what anybody may see"
    whose = f"what seat {report.viewer} may see" if isinstance(report.viewer, int) else whose
    yield f"{report.match_id}, {report.status}: {report.events} events, {whose}"
    if report.parents:
        yield f"continues {', then '.join(report.parents)}"
    if report.failures:
        yield "FAILED"
        yield from (f"  {failure.line}" for failure in report.failures)
        yield from (f"  {line}" for line in _unjudged(report))
        return
    yield "all holds that can be checked here:" if report.not_checked else "all holds:"
    yield from (f"  {line}" for line in _held(report, is_doubtful=is_doubtful))
    yield "what no check can show:"
    yield from (f"  {text}" for key, text in player.SAY["en"].items() if key.startswith("never_"))


def _unjudged(report: Report) -> Iterable[str]:
    if report.not_checked:
        first, *_, last = report.not_checked
        yield f"NOT checked, {first} to {last} (moves, chance, result): {report.why_not}"


def _held(report: Report, *, is_doubtful: bool) -> Iterable[str]:
    yield "chain, order and commits"
    if report.keys:
        whose = "keys" if len(report.keys) > 1 else "key"
        doubt = ": compare with what the service published (--keys)" if is_doubtful else ""
        receipts = "1 receipt" if report.receipts == 1 else f"{report.receipts} receipts"
        yield f"{receipts}, by the {whose} {', '.join(report.keys)}{doubt}"
    for key in report.begun_anew:
        yield f"{key} begins the keys anew: the key before it was lost, and did not sign it"
    if report.not_checked:
        yield from _unjudged(report)
    elif report.viewer == "all":
        yield "every move was legal, and its events are those of the rules"
        if report.status == Status.FINISHED:
            yield "the result is that of the rules"
        yield "every shuffle and roll comes from the seed"
    else:
        yield "it can be folded; moves and chance can be judged when the match is over"
    if not report.is_pack_known:
        yield (
            f"no pack that is offered here has the numbers of the file's own pack, {report.pack!r}:"
            " compare them with those by which you have played"
        )
    if report.skipped:
        yield f"NOT checked: private events of a schema that is not known here ({report.skipped})"
    if report.chance:
        yield f"chance: {_chance(report)}"
    for seat in report.unbound_nonces:
        yield f"you hold no receipt from before the nonce of seat {seat}: the secret may have been chosen to suit it"
    for seat in report.overtaken_nonces:
        yield (
            f"another nonce is in the log between your last receipt and the nonce of seat {seat}: it may have been"
            " chosen by somebody who knew yours"
        )
    for seat in report.taken_again:
        yield f"seat {seat} was left, and taken again once a nonce was known"
    for seat in report.extended_again:
        yield f"seat {seat} was given more than one grace for a decision, which the service no longer does"


def _chance(report: Report) -> str:
    """Return a sentence about who had a part in the seed, as far as the reader can know."""
    if report.chance != "seats":
        return "server alone, since no seat brought a nonce"
    last = f"the nonce of seat {report.last_nonce} came last"
    if not report.own_nonces:
        return (
            f"seats had a part in the seed, but you hold none of their nonces (--receipt); {last},"
            " and whoever brought it chose the seed if they knew the secret"
        )
    own = f"your nonce is in it (seat {', '.join(map(str, report.own_nonces))})"
    if report.last_nonce not in report.own_nonces:
        return f"{own}; {last}, and whoever knew the secret could choose that one to suit them"
    is_doubtful = report.last_nonce in {*report.unbound_nonces, *report.overtaken_nonces}
    return f"{own} and came last" if is_doubtful else f"not the service's alone: {own} and came last"


class ValidationOfAll(msgspec.Struct, frozen=True):
    """The results for all matches of a store."""

    ok: bool
    matches: int
    events: int
    same: int
    upcast: int
    differing: tuple[Verdict, ...]
    unreadable: tuple[Verdict, ...]


@click.command()
@click.argument("match_or_file", required=False)
@at_place
@click.option("--all-matches", is_flag=True, help="Validate every match of the store.")
@reading.as_json
@click.pass_context
def validate(context: click.Context, match_or_file: str | None, place: Place, all_matches: bool, as_json: bool) -> None:
    """Play matches again with the code at hand, and print which give the same events.

    Exit code 0: no errors (matches of other versions of the rules may differ). 1: matches of this version
    differ. 2: some can't be read.
    """
    if all_matches == (match_or_file is not None):
        raise Wrong("name a match or a file, or say --all-matches")
    if match_or_file is None:
        verdicts = list(reading.ask_all(_validate_one, place, reading.ids(place), "validating"))
    else:
        with reading.opened(match_or_file, place) as log:
            if not log.is_over and reading.is_file(match_or_file):
                raise Wrong(
                    f"{match_or_file} holds what its reader may see of a running match: it can't be played again."
                )
            verdicts = [rules.validate(log.store, log.id, log.catalogue)]
    by_kind = {kind: tuple(verdict for verdict in verdicts if verdict.kind is kind) for kind in Kind}
    wrong = [verdict for verdict in verdicts if verdict.is_fault]
    result = ValidationOfAll(
        ok=not wrong,
        matches=len(verdicts),
        events=sum(verdict.events for verdict in verdicts),
        same=len(by_kind[Kind.SAME]),
        upcast=len(by_kind[Kind.UPCAST]),
        differing=by_kind[Kind.DIFFERING],
        unreadable=by_kind[Kind.UNREADABLE],
    )
    code = 0 if not wrong else 2 if any(fault.kind is Kind.UNREADABLE for fault in wrong) else 1
    conclude(context, code)
    say_either(result, _verdict_lines(result), as_json=as_json)
    context.exit(code)


def _validate_one(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> Verdict:
    try:
        return rules.validate(store, match_id, catalogue)
    except StoreError as error:
        first = rules.Difference(1, "", reading.in_one_line(error))
        return Verdict(match_id, "", 0, 0, Kind.UNREADABLE, 0, first)


def _verdict_lines(result: ValidationOfAll) -> Iterable[str]:
    for verdict in (*result.differing, *result.unreadable):
        first: Any = verdict.first
        clause = f" ({first.clause})" if first.clause else ""
        versions = "" if verdict.rules == verdict.at_hand else f" [version {verdict.rules}; at hand {verdict.at_hand}]"
        yield f"{verdict.match_id}{versions}: {verdict.kind}, version {first.version}{clause}: {first.reason}"
    counts = (result.same, result.upcast, len(result.differing), len(result.unreadable))
    summary = ", ".join(f"{count} {kind}" for count, kind in zip(counts, Kind, strict=True))
    yield f"{counted(result.matches, result.events)}: {summary}"
