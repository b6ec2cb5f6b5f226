"""The moves of a seat: first the action; then, if tips are placed, how many."""

from __future__ import annotations

from domain.game import Move, Seat
from domain.games.terraformers.components import Box, Name


class UseBox(Move, frozen=True):
    """Choose a power box of the seat's own sheet; tips follow. Rule: TF-8 (a), TF-13."""

    box: Box


class UseCard(Move, frozen=True):
    """Choose a box card on the table; tips follow. Rule: TF-8 (b), TF-19."""

    card: Name


class UseCardOn(Move, frozen=True):
    """Choose a box card that works on another player, and name that player; tips follow. Rule: TF-8 (b), TF-19."""

    card: Name
    other: Seat


class Acquire(Move, frozen=True):
    """Choose a species on the table or of another player; tips follow. Rule: TF-8 (c), TF-20."""

    card: Name


class Guard(Move, frozen=True):
    """Choose the seat's own species; tips follow. Rule: TF-8 (c), TF-22."""

    card: Name


class Place(Move, frozen=True):
    """Place that many tips on what was chosen. Rule: TF-10, TF-13, TF-19, TF-20."""

    tips: int
    """How many."""


class PutBack(Move, frozen=True):
    """Put the seat's species back on the table, for one tip. Rule: TF-8 (d), TF-23."""


class Copy(Move, frozen=True):
    """Before the action: name another species, to gain its ability. Rule: TF-8, TF-37."""

    card: Name


class Pass(Move, frozen=True):
    """Play no more this round. Rule: TF-8 (e), TF-9."""


TerraformersMove = UseBox | UseCard | UseCardOn | Acquire | Guard | Place | PutBack | Copy | Pass
