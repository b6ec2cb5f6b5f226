"""Audits a match: makes every check of docs/log.md, as far as the match's version of the rules is available.

Here are the report, the checks of keys, receipts and forks (LOG-8 to LOG-10), and who had a part in the seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import msgspec

from domain import matches
from domain.catalogue import Catalogue
from events import chain, receipts
from events.chain import Head, Shown
from events.receipts import Key, Receipt, begun_anew
from replays.checking import proof, rules
from replays.checking.proof import BY_RULES, JUDGING, ORDER, UNREAD, Failure, Fault, Lines, fields, is_same
from replays.files.format import ALL, File

GRACES = frozenset({"return", "passed"})
"""The reasons for which a new player of a seat gets a later deadline."""


class Nonce(msgspec.Struct, frozen=True):
    """A nonce that a player has brought and kept."""

    nonce: str


class InVain(msgspec.Struct, frozen=True):
    """A nonce with which a player was refused a seat: the log need not have it."""

    in_vain: str


Held = Receipt | Nonce | InVain
"""What a player holds of a match."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an audit. `ok`: every check that could be made holds; see `not_checked`."""

    ok: bool
    match_id: str
    events: int
    failures: tuple[Failure, ...]
    viewer: int | str | None = None
    status: str = ""
    keys: tuple[str, ...] = ()
    """The names of the keys that signed the receipts."""
    begun_anew: tuple[str, ...] = ()
    """The names of keys that were made after a loss: the key before does not vouch for them."""
    receipts: int = 0
    """The number of receipts that hold."""
    chance: str | None = None
    """`seats` if any seat brought a nonce, else `server alone`; None until the match is over."""
    last_nonce: int | None = None
    """The seat whose nonce came last, among those in the seed."""
    taken_again: tuple[int, ...] = ()
    """The seats that were left and taken again when a nonce was known: who knew the secret could try nonces there."""
    extended_again: tuple[int, ...] = ()
    """The seats that got more than one grace for a decision."""
    own_nonces: tuple[int, ...] = ()
    """The seats whose nonce in the seed is one that the reader holds."""
    unbound_nonces: tuple[int, ...] = ()
    """Those of them before whose nonce the reader held no receipt, so that the secret could be chosen to suit it."""
    overtaken_nonces: tuple[int, ...] = ()
    """Those of them for which the log has somebody else's nonce after the last receipt that the reader held before: it
    may have been chosen by somebody who knew theirs."""
    parents: tuple[str, ...] = ()
    """The matches that a fork continues."""
    skipped: int = 0
    """The number of events in private streams whose schema is not known here, so that the rules can't judge them."""
    not_checked: tuple[str, ...] = ()
    """The clauses of checks that were left out, since the match's version of the rules is not available."""
    why_not: str = ""
    """The sentence that says why; "" if every check was made."""
    pack: str = ""
    """The name of the pack whose numbers the file brings."""
    is_pack_known: bool = True
    """Whether a pack with these numbers is offered here. If not, only the file says by which numbers it was played."""

    @property
    def is_unread(self) -> bool:
        """Whether the first failure is that something could not be read."""
        return bool(self.failures) and self.failures[0].check in UNREAD


def sort(faults: list[Fault]) -> list[Fault]:
    """Return the faults with those of the log before those of the rules, each by place and then by check.

    Of several faults of one event and one check, only the first is kept.
    """
    first: dict[tuple[str, int, str], Fault] = {}
    for fault in sorted(faults, key=lambda fault: (fault.check in BY_RULES, fault.place, ORDER[fault.check])):
        first.setdefault((fault.stream, fault.version, fault.check), fault)
    return list(first.values())


def audit(
    file: File,
    catalogue: Catalogue,
    held: Sequence[Held] = (),
    *,
    published: Sequence[Key] | None = None,
    is_inside: bool = False,
    is_signed: bool = True,
) -> Report:
    """Make every check on an export, and return the report.

    If the match's version of the rules is not available, the checks that need it are left out, and the report says so.
    Shape:   `published`: the keys that the service is known to have. `held`: the receipts and nonces that a player
             holds, in the order in which they got them. `is_inside`: the export comes from the store itself, so it may
             hold everything of a running match. `is_signed`: it must have its receipts, which it has not if the
             service's key is not available.
    """
    lines = Lines(file)
    header = lines.header
    faults = [*proof.faults(lines, is_inside=is_inside), *_forks(lines)]
    # LOG-8; only the first of them is reported: see `sort`
    faults += (Fault(0, "key", header.match, 0, reason) for reason in receipts.faults_of(header.keys))
    if is_signed:
        faults += _signed(lines)
    faults += [*_held_receipts(lines, held), *_held_nonces(lines, held)]
    if published is not None and tuple(published[: len(header.keys)]) != header.keys:
        faults.append(Fault(0, "key", header.match, 0, "the keys are not those that the service published"))
    room = catalogue.rooms.get(header.game)
    is_pack_known = room is None or header.pack.hash in {pack.hash for pack in room.packs.values()}
    why_not = rules.not_at_hand(header.game, header.rules, header.match, catalogue)
    # with a fault of the header or the order it can't be played again
    if not why_not and not any(fault.check in {"header", "order"} for fault in faults):
        faults += map(lines.placed, rules.faults(lines, catalogue))
    return _report(lines, sort(faults), held, why_not, is_pack_known=is_pack_known)


def unread(match_id: str, reason: str) -> Report:
    """Return the report on a file that can't be read."""
    return Report(ok=False, match_id=match_id, events=0, failures=(Fault(0, "file", "", 0, reason).failure,))


def _report(lines: Lines, faults: list[Fault], held: Sequence[Held], why_not: str, *, is_pack_known: bool) -> Report:
    header = lines.header
    signed = (*lines.file.receipts, *(item for item in held if isinstance(item, Receipt)))
    if any(fault.check in {"key", "receipt"} for fault in faults):
        signed = ()
    return Report(
        ok=not faults,
        match_id=header.match,
        events=len(lines.file.events),
        failures=tuple(fault.failure for fault in faults),
        viewer=header.viewer,
        status=header.status,
        keys=tuple(dict.fromkeys(receipt.key for receipt in signed)),
        begun_anew=begun_anew(header.keys),
        receipts=len(signed),
        **_chance(lines, held),
        extended_again=_extended_again(lines),
        skipped=sum(event.schema != 1 for stream, own in lines.streams.items() if "/" in stream for _, event in own),
        parents=lines.parents,
        not_checked=JUDGING if why_not else (),
        why_not=why_not,
        pack=header.pack.name,
        is_pack_known=is_pack_known,
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


def _signed(lines: Lines) -> Iterator[Fault]:
    """Yield the faults by LOG-9 of the file's receipts."""
    after = len(lines.file.events)
    places = {stream: number for number, stream in enumerate(lines.streams)}
    by_stream: dict[str, Receipt] = {}
    furthest = 0
    for number, receipt in enumerate(lines.file.receipts):
        if (place := places.get(receipt.stream)) is None or receipt.stream in by_stream:
            yield Fault(after + number, "receipt", receipt.stream, receipt.version, "it is a receipt too many")
            continue
        by_stream[receipt.stream] = receipt
        if place < furthest:
            last = lines.streams[receipt.stream][-1][1]
            yield Fault(after + number, "receipt", receipt.stream, last.version, "its receipt stands too late")
        furthest = max(furthest, place)
    for number, (stream, events) in enumerate(lines.streams.items()):
        last = events[-1][1]
        reason = _unsigned(lines, by_stream[stream], last) if stream in by_stream else "it has no receipt"
        if reason:
            yield Fault(after + number, "receipt", stream, last.version, reason)


def _unsigned(lines: Lines, receipt: Receipt, event: Shown) -> str:
    try:
        receipts.check(receipt, lines.header.keys, Head(event.version, chain.raw_bytes(event.hash, 32), event.at))
    except receipts.Fault as fault:
        return str(fault)
    return ""


def _held_receipts(lines: Lines, held: Sequence[Held]) -> Iterator[Fault]:
    """Yield the faults by LOG-9 of receipts that a player holds."""
    for receipt in held:
        if not isinstance(receipt, Receipt):
            continue
        place, event = lines.at(receipt.stream, receipt.version)
        reason = f"a receipt for version {receipt.version} of {receipt.stream}, which is not here"
        match, viewer = lines.header.match, lines.header.viewer
        is_private = receipt.stream.startswith(f"{match}/")
        if is_private and viewer != ALL and receipt.stream != f"{match}/seat:{viewer}":
            reason += ": while the match runs, only the export of that seat has it"
        elif receipt.stream.split("/")[0] not in {stream.split("/")[0] for stream in lines.streams}:
            reason += ": keep the evidence of each match in a file of its own"
        if event is not None:
            reason = _unsigned(lines, receipt, event)
        if reason:
            yield Fault(place, "receipt", receipt.stream, receipt.version, reason)


SAT, LEFT = "match/SeatTaken", "match/SeatLeft"


def _chance(lines: Lines, held: Sequence[Held]) -> dict[str, Any]:
    """Return the fields of the report about the match's seed; none if the match never started, or is not over."""
    kinds = [event.type for event in lines.own]
    if not lines.is_over or matches.STARTED not in kinds or lines.seats is None:
        return {}
    brought: dict[int, tuple[str, int]] = {}
    left, again = set(), set()
    is_known = False
    for event in lines.own[: kinds.index(matches.STARTED)]:
        data = fields(event) if event.type in {SAT, LEFT} else {}
        if type(seat := data.get("seat")) is not int or not 0 <= seat < lines.seats:
            continue
        brought.pop(seat, None)  # so that the last nonce is the last key
        if event.type == LEFT:
            left.add(seat)
            continue
        if is_known and seat in left:
            again.add(seat)
        if nonce := _nonce(data.get("nonce")):
            brought[seat] = nonce, event.version
            is_known = True
    # who brings a nonce that is in the log already copies it: it is not theirs
    bringers = {nonce: seat for seat, (nonce, _) in reversed(brought.items())}
    own = {
        seat: brought[seat]
        for nonce, seat in sorted(bringers.items(), key=lambda pair: pair[1])
        if Nonce(nonce) in held
    }
    bound = {seat: _bound_at(lines, held, *entry) for seat, entry in own.items()}
    theirs = [version for seat, (_, version) in brought.items() if seat not in own]
    return {
        "chance": "seats" if brought else "server alone",
        "last_nonce": list(brought)[-1] if brought else None,
        "taken_again": tuple(sorted(again)),
        "own_nonces": tuple(own),
        "unbound_nonces": tuple(seat for seat, at in bound.items() if not at),
        "overtaken_nonces": tuple(
            seat for seat, at in bound.items() if at and any(at < version < own[seat][1] for version in theirs)
        ),
    }


def _held_nonces(lines: Lines, held: Sequence[Held]) -> Iterator[Fault]:
    """Yield faults by LOG-9 of nonces that a player brought: the log must have them, even if the seat was left.

    A nonce that no receipt follows may not have arrived: somebody else was faster, or the connection was cut. One that
    was refused, as its holder says before the next receipt, is not in the log because of that.
    """
    in_log = {_nonce(fields(event).get("nonce")) for event in lines.own if event.type == SAT} - {""}
    for place, item in enumerate(held):
        if not isinstance(item, Nonce) or item.nonce in in_log:
            continue
        answers = (
            later for later in islice(held, place, None) if isinstance(later, Receipt) or later == InVain(item.nonce)
        )
        if isinstance(next(answers, None), Receipt):
            reason = "a nonce that is held is not in the log, and receipts were given after it was sent"
            yield Fault(0, "receipt", lines.header.match, 0, reason)


def _bound_at(lines: Lines, held: Sequence[Held], nonce: str, version: int) -> int:
    """Return the version up to which the log was fixed, by a receipt that was held, before the nonce was sent; or 0."""
    before = (item for item in held[: list(held).index(Nonce(nonce))] if isinstance(item, Receipt))
    ours = (item.version for item in before if item.stream == lines.header.match)
    return max((at for at in ours if 1 <= at < version), default=0)


def _nonce(value: object) -> str:
    """Return the nonce; "" for a value that is not one."""
    try:
        return value if isinstance(value, str) and chain.raw_bytes(value, 32) else ""
    except chain.NotCanonical:
        return ""


SHARED = ("game", "version", "pack_hash", "seats", "options")
"""The fields that the opening events of a fork and its parent have in common."""


def _forks(lines: Lines) -> Iterator[Fault]:
    """Yield the faults by LOG-10 of the match, and of each parent that is a fork itself."""
    streams = (lines.header.match, *lines.parents)
    secrets = [_secret_committed(lines, stream) for stream in streams]
    later = Counter(secrets)
    for stream, following, secret in zip(streams, (*streams[1:], ""), secrets, strict=True):
        later[secret] -= 1
        place, forked = lines.at(stream, 2)
        if forked is None or forked.type != matches.FORKED:
            continue
        if secret is not None and later[secret]:
            yield Fault(place, "fork", stream, forked.version, "its secret is not its own: that of its parent is open")
        # without its parent in the file, or with one that stands before it, nothing follows
        if parent := [event for _, event in lines.streams.get(following, ())]:
            yield from _fork(lines.streams[stream], place, forked, parent)
        else:
            yield Fault(place, "fork", stream, forked.version, "what it goes on from is not here")


def _secret_committed(lines: Lines, stream: str) -> str | None:
    """Return the commit to the match's secret, which is the same for the same secret; None if there is none."""
    _, opened = lines.at(stream, 1)
    part = None if opened is None else opened.commits.get("secret")
    return None if part is None else part.commit


def _fork(events: list[tuple[int, Shown]], place: int, forked: Shown, parent: list[Shown]) -> Iterator[Fault]:
    stream = forked.stream
    if reason := _unlike(fields(events[0][1]), fields(forked), parent):
        yield Fault(place, "fork", stream, forked.version, reason)
    copied = [event for event in parent if not event.type.startswith("match/")]
    rest = [(at, event) for at, event in events if at > place]
    for number, (at, event) in enumerate(rest[: len(copied) + 1]):
        if number == len(copied):
            if not event.type.startswith("match/"):
                yield Fault(at, "fork", stream, event.version, "the parent has no such event")
        elif not _is_copy(event, copied[number]):
            reason = f"it is not version {copied[number].version} of the parent"
            yield Fault(at, "fork", stream, event.version, reason)
            return
    if len(rest) < len(copied):
        reason = f"version {copied[len(rest)].version} of the parent is missing"
        yield Fault(events[-1][0], "fork", stream, events[-1][1].version + 1, reason)


def _unlike(opened: dict[str, object], fork_event: dict[str, object], parent: list[Shown]) -> str:
    if not is_same([parent[-1].version, parent[-1].hash], [fork_event.get("version"), fork_event.get("hash")]):
        return "the parent's events do not end with the one that it names"
    theirs = fields(parent[0])
    for name in SHARED:
        if name not in opened or name not in theirs or not is_same(opened[name], theirs[name]):
            return f"the parent was opened with another {name}"
    return ""


def _is_copy(event: Shown, original: Shown) -> bool:
    """Return whether the fork's event is the parent's, as far as the reader can see it."""
    return (
        (event.type, event.schema, bytes(event.public), event.actor, event.move)
        == (original.type, original.schema, bytes(original.public), "service", 0)
        and {path: part.readers for path, part in event.commits.items()}
        == {path: part.readers for path, part in original.commits.items()}
        and all(
            path not in original.secret or bytes(part.value) == bytes(original.secret[path].value)
            for path, part in event.secret.items()
        )
    )
