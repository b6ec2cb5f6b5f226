"""The pages: made by the service, from its own files only; everything works without scripts too."""

from service.web.pages import (
    assets,
    docs,
    games,
    lessons,
    lobby,
    opening,
    page,
    people,
    replay,
    settings,
    sign_in,
    table,
)

PARTS = (assets, docs, games, lessons, lobby, opening, people, replay, settings, sign_in, table)

BLUEPRINTS = tuple(part.blueprint for part in PARTS)
