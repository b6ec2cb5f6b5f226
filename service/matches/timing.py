"""The time of a match, as somebody may see it now."""

from __future__ import annotations

from typing import Any

from domain import deadlines, matches
from service.durations import format_duration
from service.matches import terms
from service.matches.deadlines import moment_of
from service.matches.look import Look
from service.matches.terms import Clock


def described(clock: Clock) -> dict[str, Any]:
    """A clock, in the words in which one is wanted."""
    return {
        "preset": clock.preset,
        "allowance": format_duration(clock.allowance),
        "claims": format_duration(clock.claims),
        "bank": format_duration(clock.bank),
        "defaults": clock.defaults,
        "bot": clock.bot,
        "resignation": clock.resignation,
    }


def shown(look: Look) -> dict[str, Any]:
    """By which clock the match is played, what is due when, and whether it is paused."""
    return {
        "clock": _clock(look),
        "deadlines": _deadlines(look),
        "pause": {"paused": look.state.clocks.is_paused, "agreed": look.pausing},
    }


def _clock(look: Look) -> dict[str, Any] | None:
    told, kept = look.state.clocks.terms, look.terms
    if told is None:
        return None
    clock = Clock(
        allowance=told.allowance,
        claims=told.claims,
        bank=told.bank,
        defaults=told.defaults,
        bot=kept.bot if kept else terms.STAND_IN,
        resignation="rules" if kept and kept.resignation == terms.RULES else "bot",
        preset=kept.preset if kept else None,
    )
    banks = [format_duration(deadlines.bank(look.state.clocks, chair.seat)) for chair in look.entry.chairs]
    return {**described(clock), "banks": banks}


def _deadlines(look: Look) -> list[dict[str, Any]]:
    """What is due, as far as they know: under seal what they are asked themselves, and nobody else's."""
    state, game = look.state, look.log.game
    if not look.is_playable or state.clocks.terms is None or state.clocks.is_paused:
        return []
    found = []
    for seat in matches.to_act(game, state):
        moment = moment_of(matches.due_of(game, state, seat))
        if moment and look.entry.chairs[seat].is_asked_itself:
            decision = matches.decision_of(game, state, seat)
            found.append({"seat": seat, "decision": decision, "due": moment})
    return found
