"""Audits a match: everything that docs/log.md lets anybody check, and by the rules at hand what only they can."""

from __future__ import annotations

from collections.abc import Sequence

from domain import match
from domain.catalogue import Catalogue
from events.receipts import Key, Receipt
from replays.audit import forks, proof, rules
from replays.audit.proof import Lines, fields
from replays.audit.report import Fault, Report, sort
from replays.files import BadFile, Export, File


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
    """
    lines = Lines(file)
    found = [*proof.faults(lines, is_inside=is_inside), *forks.faults(lines)]
    found += filter(None, (proof.held(lines, receipt) for receipt in held))
    if published is not None and tuple(published[: len(file.header.keys)]) != file.header.keys:
        found.append(Fault(0, "key", file.header.match, 0, "the keys are not those that the service published"))
    found += _by_the_rules(file, catalogue, lines, found)
    return _report(lines, sort(found), held)


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


def _report(lines: Lines, found: list[Fault], held: Sequence[Receipt]) -> Report:
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
        receipts=len(receipts),
        chance=_chance(lines) if lines.is_over else None,
        parents=lines.parents,
    )


def _chance(lines: Lines) -> str | None:
    """Who had a part in the seed; None if the match never started."""
    nonces: dict[object, object] = {}
    for event in lines.own:
        if event.type == "match/SeatTaken":
            said = fields(event)
            nonces[str(said.get("seat"))] = said.get("nonce")
        elif event.type == "match/SeatLeft":
            nonces.pop(str(fields(event).get("seat")), None)
        elif event.type == match.STARTED:
            return "seats" if any(nonces.values()) else "server alone"
    return None
