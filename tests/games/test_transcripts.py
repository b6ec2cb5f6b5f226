"""Whole matches are told as they always were, line by line."""

from __future__ import annotations

import pytest

from tests import transcripts
from tests.laws.rooms import SLUGS
from tests.laws.table import BOTS

LONGEST = pytest.mark.soak
"""Matches by chance take the longest, and less comes about in them than in those of bots that want something."""


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=LONGEST if kind == "random" else ()) for kind in BOTS])
@pytest.mark.parametrize("slug", SLUGS)
def test_a_match_is_told_line_by_line_as_its_transcript_says(slug: str, kind: str) -> None:
    path = transcripts.path_of(slug, kind)
    assert path.is_file(), f"python -m tests.transcripts --write {slug}"
    written = path.read_text(encoding="utf-8")
    played = transcripts.replay(slug, written)
    told = transcripts.transcript(played).split("\n")
    for number, (line, now) in enumerate(zip(written.split("\n"), told, strict=False), 1):
        assert now == line, f"{path.name}, line {number}: python -m tests.transcripts --write {slug} shows the rest"
    assert len(told) == written.count("\n") + 1
    assert played.truth.is_over
