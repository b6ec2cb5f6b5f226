"""What `service copy` takes over beside the events."""

from __future__ import annotations

TOLD = """
players: id name kind email created owner login password confirmed mailbox email_next
tokens: hash id player name scopes created expires number kind used
recoveries: hash at
passes: hash id maker created expires player
vacations: id player since until days
pulse: name at
outages: id began ended
outbox: id kind player address lang about at due tries
webhooks: id player number name url kinds secret former former_until created failing disabled reason
mailing: player address lang turns news hour zone digest stopped bounces answers answers_since
matches by id: id game status visibility creator created link origin size \
    allowance claims bank defaults ended how moves moved talk
listed by match: list moment match
seats by match: match seat player bot reserved created stand_in resigned pausing points place has_quit by_clock handed \
    status
quiet by match: match player
tidings by match: match kind seat player since at due tries
history by match: player created match seat
rematches by match: match next
offers by match: match seat player accepted at bot
consents by match: match seat consenting
talk by match: match number change seat player text at
reports by match: match number reporter author seat text reason at
mutes: player muted at
agreements by match: match seat
sittings by match: match player times
declined by match: match player
clocks by match: match preset bot resignation outage
pauses by match: match reason since due
reminders by match: match seat since at
reminded by match: match seat since player due at
requests by id: id digest answer at
commands by match: match id digest spans
decisions by match: match seat since due who
proofs by match: match proof
kept by name: name content
set_aside by match: follower match position stream version error at again
played: partition game seats matches moves least most
results: partition who game seats matches won shared points
orders by match: match seat judged
deliveries by home: home id webhook player kind seat decision body at status asked due tries tried answer problem
"""
"""A line a table: its columns, and the one by which its rows lie in a partition. What others name comes first."""


def _table(line: str) -> tuple[str, tuple[str, ...], str]:
    named, _, columns = line.partition(":")
    table, _, home = named.partition(" by ")
    return table, tuple(columns.split()), home


TABLES = tuple(_table(line) for line in TOLD.strip().splitlines())
"""Each table with its columns, and the one that tells the partition, "" where its rows tell it or need none."""
