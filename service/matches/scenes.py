"""The scenes of a match, with players' names in them: now and after each event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from domain import matches
from domain.game import Game, Lang
from domain.matches import Match, Status
from domain.scene import Scene, said_by
from replays import words
from replays.log import TRUTH, Viewer
from service.matches.look import Look
from service.matches.states import Recent


def is_set_up(state: Match[Any]) -> bool:
    """Return whether there is a table to see; a fork has one before anybody sits down."""
    return state.is_fork or (state.status != Status.OPEN and all(state.taken))


def drawn(game: Game[Any, Any, Any], table: Any, viewer: Viewer, lang: Lang, names: tuple[str, ...]) -> Scene:
    """Return the table as the viewer may see it, with these names of seats."""
    scene: Scene = game.scene(game.view(table, viewer), lang)
    return said_by(scene, lambda text: words.named(text, names))


Kept = Recent[tuple[str, Viewer], Match[Any]]
"""By match and viewer: what they knew after the last event whose scene they got."""


def after_each(
    look: Look, after: int, versions: Iterable[int], lang: Lang, names: tuple[str, ...], kept: Kept
) -> Iterator[Any]:
    """Yield the scene after each of these consecutive events, the first of which follows `after`.

    Yields None where the event left the table as it was, or there was none yet. Before the start a seat can be left,
    and sees no more than anybody. `kept` lets a reader who continues begin where they were.
    """
    log, game, wanted = look.log, look.log.game, tuple(versions)
    if not wanted:
        return
    viewer = look.viewer
    known = kept.get((log.id, viewer))
    base = known if known is not None and known.version <= after else None
    state = base if base and base.version == after else log.fold(viewer, base, after) if after else None
    shown = _seen(state, viewer) if state else None
    for event in log.events(viewer, after, len(wanted)):
        state = matches.begin(game, log.pack.pack, event) if state is None else matches.evolve(game, state, event)
        # the last state has the asker's own sealed answer added
        table = _seen(look.state if state.version == look.state.version else state, viewer)
        is_new, shown = table is not None and table is not shown, table
        if state.version == wanted[-1]:
            kept.put((log.id, viewer), state)
        yield drawn(game, table, viewer, lang, names) if is_new else None


def _seen(state: Match[Any], viewer: Viewer) -> Any:
    """Return the table if it can be seen, else None."""
    may_see = is_set_up(state) and (state.status != Status.OPEN or viewer == TRUTH)
    return state.table if may_see else None
