"""The doctor: checks everything that a service needs, changes nothing, and says what is wrong and what to do."""

from __future__ import annotations

import os
from pathlib import Path

from service.run.doctor import report, store, surroundings
from service.run.doctor.report import Examined, Severity, words


def examine(data: Path | None, redis: str | None, *, is_all: bool) -> Examined:
    """Return all findings. `is_all`: check the hash chains of all matches, not only of some."""
    config, finding = report.read_settings(data, redis)
    findings = (
        finding,
        *report.unknown_settings(os.environ),
        *surroundings.examine_files(config),
        *store.examine(config, is_all=is_all),
        *surroundings.examine_packs(config),
        *surroundings.examine_redis(config),
        *surroundings.examine_mail(config),
        *surroundings.examine_pictures(),
    )
    return Examined(ok=all(each.level is not Severity.FAULT for each in findings), findings=findings)
