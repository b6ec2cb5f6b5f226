"""Audits a match: everything that docs/log.md lets anybody check, and by the rules at hand what only they can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from domain import matches
from domain.catalogue import Catalogue
from events import canonical
from events.receipts import Key, Receipt, begun_anew
from replays.checking.audit import forks, proof, rules
from replays.checking.audit.proof import Lines, fields
from replays.checking.audit.report import JUDGING, Fault, Report, sort
from replays.files.format import BadFile, Export, File


def audit(
    file: File,
    catalogue: Catalogue,
    held: Sequence[Receipt] = (),
    *,
    published: Sequence[Key] | None = None,
    is_inside: bool = False,
) -> Report:
    """Make every check on an export.

    Shape:   `published` are the keys that the service is known to have, `held` receipts that players hold.
             `is_inside`: it comes from the store itself, which may tell everything of a running match, and has no
             receipts where the service's key is not at hand.

    Where the match's version of the rules is not at hand, the checks that need it are not made, and the report says so.
    """
    lines = Lines(file)
    found = [*proof.faults(lines, is_inside=is_inside), *forks.faults(lines)]
    found += filter(None, (proof.held(lines, receipt) for receipt in held))
    if published is not None and tuple(published[: len(file.header.keys)]) != file.header.keys:
        found.append(Fault(0, "key", file.header.match, 0, "the keys are not those that the service published"))
    header = lines.header
    why_not = rules.not_at_hand(header.game, header.rules, header.match, catalogue)
    if not why_not:
        found += _by_the_rules(file, catalogue, lines, found)
    return _report(lines, sort(found), held, why_not)


def unread(match_id: str, error: BadFile) -> Report:
    """The report on a file that can't be read."""
    return Report(ok=False, match_id=match_id, events=0, failures=(Fault(0, "file", "", 0, str(error)).failure,))


def _by_the_rules(file: File, catalogue: Catalogue, lines: Lines, before: list[Fault]) -> list[Fault]:
    if any(fault.check in {"header", "order"} for fault in before):
        # no log that could be played again; what is wrong has been said
        return []
    try:
        export = Export(file, "the file")
    except BadFile as error:
        return [Fault(0, "order", lines.header.match, 0, str(error))]
    return list(rules.faults(export, catalogue, lines.parents))


def _report(lines: Lines, found: list[Fault], held: Sequence[Receipt], why_not: str) -> Report:
    header = lines.header
    is_receipt_wrong = any(fault.check in {"key", "receipt"} for fault in found)
    receipts = () if is_receipt_wrong else (*lines.file.receipts, *held)
    return Report(
        ok=not found,
        match_id=header.match,
        events=len(lines.file.events),
        failures=tuple(fault.failure for fault in found),
        viewer=header.viewer,
        status=header.status,
        keys=tuple(dict.fromkeys(receipt.key for receipt in receipts)),
        begun_anew=begun_anew(header.keys),
        receipts=len(receipts),
        **_chance(lines)._asdict(),
        parents=lines.parents,
        not_checked=JUDGING if why_not else (),
        why_not=why_not,
    )


class _Chance(NamedTuple):
    """What the log tells of the seed; nothing if the match never started, or is not over."""

    chance: str | None = None
    last_nonce: int | None = None
    taken_again: tuple[int, ...] = ()


def _chance(lines: Lines) -> _Chance:
    """Who had a part in the seed, whose nonce came last, and who sat down again once a nonce was known."""
    kinds = [event.type for event in lines.own]
    seats = fields(lines.own[0]).get("seats") if kinds else None
    if not lines.is_over or matches.STARTED not in kinds or type(seats) is not int:
        return _Chance()
    nonces: dict[int, bool] = {}
    left, again = set(), set()
    is_known = False
    for event in lines.own[: kinds.index(matches.STARTED)]:
        said = fields(event)
        seat = said.get("seat")
        if type(seat) is not int or not 0 <= seat < seats:
            continue
        if event.type == "match/SeatTaken":
            if is_known and seat in left:
                again.add(seat)
            # the last one stands last
            nonces.pop(seat, None)
            nonces[seat] = _is_nonce(said.get("nonce"))
            is_known = is_known or nonces[seat]
        elif event.type == "match/SeatLeft":
            left.add(seat)
            nonces.pop(seat, None)
    brought = [seat for seat, is_brought in nonces.items() if is_brought]
    return _Chance("seats" if brought else "server alone", brought[-1] if brought else None, tuple(sorted(again)))


def _is_nonce(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(canonical.raw(value, 32))
    except canonical.NotCanonical:
        return False
