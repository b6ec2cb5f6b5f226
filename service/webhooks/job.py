"""A job: what is due to one account is begun, a little at a time, so that accounts take turns.

It is a hint and no more. A job that is lost, or done twice, changes nothing: the table says what is due, and a claim
there who sends it.
"""

from __future__ import annotations

from service.webhooks.delivering import Courier

NAME = "foldtable-webhooks"
"""The queue's."""

JOB = "service.webhooks.job.deliver"

_courier: Courier | None = None


def prepare(courier: Courier) -> None:
    """Have the jobs of this process done by that courier."""
    global _courier  # noqa: PLW0603  # RQ calls a function by its name: there is nobody to hand it over
    _courier = courier


def deliver(account: str) -> int:
    """The job: how many deliveries were begun."""
    assert _courier is not None, "called by a process that delivers"
    return _courier.deliver(account)
