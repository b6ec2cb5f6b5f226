"""The shapes of what is answered to who tries."""

from __future__ import annotations

from marshmallow import fields

from service.web.answers import Moves, drawn
from service.web.shape import Shape, listed, text


class Trial(Moves):
    """What may be chosen once some moves were made."""

    tried = listed(fields.String())
    scene = drawn()


class TouchRefusal(Shape):
    """What the rules say."""

    code = text()
    clause = text()
    detail = text()


class Touch(Shape):
    """Why no move begins with it."""

    touched = text()
    refusal = fields.Nested(TouchRefusal, required=True, allow_none=True)
