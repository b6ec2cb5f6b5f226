"""Pages to look at: made here, served from our own files, and without a script as good as with one."""

from __future__ import annotations

from service.web.pages import assets, games, home, lobby, signing, table

BLUEPRINTS = (
    *(assets.blueprint, home.blueprint, signing.blueprint, lobby.blueprint, table.blueprint),
    games.blueprint,
)

__all__ = ["BLUEPRINTS"]
