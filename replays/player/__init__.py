"""The browser's player of matches, for the service's replay page and for the report, which is a single file."""

from __future__ import annotations

from replays.player.files import FOLDER, MODULES, STYLE, bundle
from replays.player.words import SAY
