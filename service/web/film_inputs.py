"""The schema of requests for films."""

from __future__ import annotations

from marshmallow import fields

from service.web.inputs import SAFE, SeatQuery, number


class FilmQuery(SeatQuery):
    """Which part of a film, and as whom it is seen."""

    nobody = fields.Boolean(
        load_default=False,
        metadata={"description": "Whether to show only what somebody without a seat saw."},
    )
    after = number(0, SAFE, 0)
