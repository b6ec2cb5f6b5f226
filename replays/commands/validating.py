"""The command `validate`: what would change in stored matches under the rules at hand?"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click
import msgspec

from domain.catalogue import Catalogue
from events.store import Reader, StoreError
from replays.checking import validate as validating
from replays.checking.validate import Kind, Verdict
from replays.commands import parallel, reading
from replays.commands.place import Place, at_place
from replays.commands.reading import Wrong
from replays.printing import say, say_json


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def validate(context: click.Context, match_or_file: str | None, place: Place, all_matches: bool, as_json: bool) -> None:
    """Play matches again with the code at hand, and print which give the same events.

    Exit code 0: no errors (matches of other versions of the rules may differ). 1: matches of this version
    differ. 2: some can't be read.
    """
    if all_matches == (match_or_file is not None):
        raise Wrong("name a match or a file, or say --all-matches")
    if match_or_file is None:
        verdicts = list(parallel.ask_all(_validate_one, place, reading.ids(place), "validating"))
    else:
        with reading.opened(match_or_file, place) as log:
            if not log.is_over and reading.is_file(match_or_file):
                raise Wrong(
                    f"{match_or_file} holds what its reader may see of a running match: it can't be played again."
                )
            verdicts = [validating.validate(log.store, log.id, log.catalogue)]
    result = _sorted(verdicts)
    if as_json:
        say_json(result)
    else:
        say(_words(result))
    wrong = [verdict for verdict in verdicts if verdict.is_fault]
    context.exit(0 if not wrong else 2 if any(fault.kind is Kind.UNREADABLE for fault in wrong) else 1)


def _validate_one(place: Place, store: Reader, catalogue: Catalogue, match_id: str) -> Verdict:
    try:
        return validating.validate(store, match_id, catalogue)
    except StoreError as error:
        first = validating.Difference(1, "", reading.in_one_line(error))
        return Verdict(match_id, "", 0, 0, Kind.UNREADABLE, 0, first)


def _sorted(verdicts: list[Verdict]) -> ValidationOfAll:
    by_kind: dict[Kind, list[Verdict]] = {kind: [] for kind in Kind}
    for verdict in verdicts:
        by_kind[verdict.kind].append(verdict)
    return ValidationOfAll(
        ok=not any(verdict.is_fault for verdict in verdicts),
        matches=len(verdicts),
        events=sum(verdict.events for verdict in verdicts),
        same=len(by_kind[Kind.SAME]),
        upcast=len(by_kind[Kind.UPCAST]),
        differing=tuple(by_kind[Kind.DIFFERING]),
        unreadable=tuple(by_kind[Kind.UNREADABLE]),
    )


def _words(result: ValidationOfAll) -> Iterable[str]:
    for verdict in (*result.differing, *result.unreadable):
        first: Any = verdict.first
        clause = f" ({first.clause})" if first.clause else ""
        versions = "" if verdict.rules == verdict.at_hand else f" [version {verdict.rules}; at hand {verdict.at_hand}]"
        yield f"{verdict.match_id}{versions}: {verdict.kind}, version {first.version}{clause}: {first.reason}"
    counts = (result.same, result.upcast, len(result.differing), len(result.unreadable))
    summary = ", ".join(f"{count} {kind}" for count, kind in zip(counts, Kind, strict=True))
    yield f"{result.matches} matches, {result.events} events: {summary}"
