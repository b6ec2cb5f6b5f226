"""The doctor: checks everything that a service needs, changes nothing, and says what is wrong and what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from service import clock
from service.run.doctor import report, store, surroundings
from service.run.doctor.report import Examined, Finding, summed, words


def examine(
    data: Path | None = None, redis: str | None = None, *, is_all: bool = False, now: clock.Now = clock.now
) -> Examined:
    """Return all findings. `is_all`: check the hash chains of all matches, not only of some."""
    return summed(_findings(data, redis, is_all=is_all, now=now))


def _findings(data: Path | None, redis: str | None, *, is_all: bool, now: clock.Now) -> Iterator[Finding]:
    config, finding = report.read_settings(data, redis)
    yield finding
    yield from report.unknown_settings(os.environ)
    yield from surroundings.examine_files(config)
    yield from store.examine(config, now, is_all=is_all)
    yield from surroundings.examine_redis(config, now)
    yield from surroundings.examine_mail(config)
    yield from surroundings.examine_pictures()
