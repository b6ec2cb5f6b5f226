"""The pages: made by the service, from its own files only; everything works without scripts too."""

from __future__ import annotations

from service.web.pages import (
    assets,
    deeds,
    games,
    home,
    lobby,
    looks,
    mailed,
    opening,
    people,
    programs,
    replay,
    settings,
    sign_in,
    table,
    ticking,
    trouble,
    turns,
    watch,
)

BLUEPRINTS = (
    assets.blueprint,
    deeds.blueprint,
    games.blueprint,
    home.blueprint,
    lobby.blueprint,
    looks.blueprint,
    mailed.blueprint,
    opening.blueprint,
    people.blueprint,
    programs.blueprint,
    replay.blueprint,
    settings.blueprint,
    sign_in.blueprint,
    table.blueprint,
    ticking.blueprint,
    turns.blueprint,
    watch.blueprint,
)
