"""Audits a match: makes every check of docs/log.md, as far as the match's version of the rules is available."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from domain.catalogue import Catalogue
from events.receipts import Key, Receipt, begun_anew
from replays.checking.audit import chance, forks, proof, rules
from replays.checking.audit.proof import Lines, fields
from replays.checking.audit.report import JUDGING, Fault, Nonce, Report, sort
from replays.files.format import BadFile, Export, File

GRACES = frozenset({"return", "passed"})
"""The reasons for which a new player of a seat gets a later deadline."""


def audit(
    file: File,
    catalogue: Catalogue,
    held: Sequence[Receipt | Nonce] = (),
    *,
    published: Sequence[Key] | None = None,
    is_inside: bool = False,
) -> Report:
    """Make every check on an export, and return the report.

    If the match's version of the rules is not available, the checks that need it are left out, and the report says so.
    Shape:   `published`: the keys that the service is known to have. `held`: the receipts and nonces that a player
             holds, in the order in which they got them. `is_inside`: the export comes from the store itself, so it may
             hold everything of a running match, and no receipts if the service's key is not available.
    """
    lines = Lines(file)
    faults = [*proof.faults(lines, is_inside=is_inside), *forks.faults(lines)]
    faults += filter(None, (proof.held(lines, item) for item in held if isinstance(item, Receipt)))
    faults += chance.held(lines, held)
    if published is not None and tuple(published[: len(file.header.keys)]) != file.header.keys:
        faults.append(Fault(0, "key", file.header.match, 0, "the keys are not those that the service published"))
    header = lines.header
    why_not = rules.not_at_hand(header.game, header.rules, header.match, catalogue)
    if not why_not:
        faults += _by_the_rules(file, catalogue, lines, faults)
    return _report(lines, sort(faults), held, why_not)


def unread(match_id: str, error: BadFile) -> Report:
    """Return the report on a file that can't be read."""
    return Report(ok=False, match_id=match_id, events=0, failures=(Fault(0, "file", "", 0, str(error)).failure,))


def _by_the_rules(file: File, catalogue: Catalogue, lines: Lines, before: list[Fault]) -> list[Fault]:
    if any(fault.check in {"header", "order"} for fault in before):
        # it can't be played again; the faults that were found say why
        return []
    return list(rules.faults(Export(file, "the file"), catalogue, lines.parents))


def _report(lines: Lines, faults: list[Fault], held: Sequence[Receipt | Nonce], why_not: str) -> Report:
    header = lines.header
    is_receipt_wrong = any(fault.check in {"key", "receipt"} for fault in faults)
    signed = (*lines.file.receipts, *(receipt_held for receipt_held in held if isinstance(receipt_held, Receipt)))
    receipts = () if is_receipt_wrong else signed
    return Report(
        ok=not faults,
        match_id=header.match,
        events=len(lines.file.events),
        failures=tuple(fault.failure for fault in faults),
        viewer=header.viewer,
        status=header.status,
        keys=tuple(dict.fromkeys(receipt.key for receipt in receipts)),
        begun_anew=begun_anew(header.keys),
        receipts=len(receipts),
        **chance.of(lines, held)._asdict(),
        extended_again=_extended_again(lines),
        parents=lines.parents,
        not_checked=JUDGING if why_not else (),
        why_not=why_not,
    )


def _extended_again(lines: Lines) -> tuple[int, ...]:
    """Return the seats that got more than one grace for a decision, as releases before this rule allowed."""
    graces: Counter[tuple[int, int]] = Counter()
    for event in lines.own:
        extended = fields(event) if event.type == "match/DeadlineExtended" else {}
        seat, decision = extended.get("seat"), extended.get("decision")
        if extended.get("reason") in GRACES and type(seat) is int and type(decision) is int:
            graces[seat, decision] += 1
    return tuple(sorted({seat for (seat, _), times in graces.items() if times > 1}))
