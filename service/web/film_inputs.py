"""The shape of what is asked of films."""

from __future__ import annotations

from marshmallow import fields

from service.web.inputs import SAFE, SeatQuery, number


class FilmQuery(SeatQuery):
    """With whose eyes, and from where on."""

    nobody = fields.Boolean(
        load_default=False,
        metadata={"description": "Whether to tell what anybody saw, who did not sit there."},
    )
    after = number(0, SAFE, 0)
