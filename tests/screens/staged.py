"""A house in which every page has something to show: matches of each game, and all that waits for Ann."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.catalogue import Catalogue
from service import wiring
from service.config import Config
from tests.service.house import House, Visitor, drawing, play_out
from tests.service.jobs.workrun import reviewer
from tests.service.web.pages.onloopback import on_loopback

NAMES = ("Ann", "なまえがとてもながいひと", "Bartholomew of the Hills", "cy", "Dee & <Eve>")
"""Of who sits at the tables: long ones among them, and one that is not to be taken for a tag."""

START, MIDDLE, END = MOMENTS = ("start", "middle", "end")

SHORT: dict[str, Any] = {"three-magic": {"laps": 1}}
"""Options of a game that takes long."""

SAID = (
    "Good luck, all of you!",
    "よろしくお願いします。",
    "https://example.org/a-long-address-without-any-space-in-it-that-has-to-be-broken-somewhere-or-it-sticks-out",
)


@dataclass(frozen=True)
class Stage:
    """Where it is served, and what is there."""

    url: str
    token: str
    """Ann's."""
    ann: str
    """Her id."""
    matches: dict[tuple[str, str], str]
    """By game and moment."""
    others: dict[str, str]
    """More matches, by what there is to see of them."""
    packs: dict[str, str]
    """A pack's name, by game."""
    people: Sequence[Visitor] = ()
    """All who sit there, Ann first."""
    rename: Callable[[Visitor, str], None] = lambda player, name: None
    """Gives one of them another name."""


@contextmanager
def staged(folder: Path, moments: Sequence[str] = MOMENTS, seed: int | None = 1) -> Iterator[Stage]:
    """The house, served. `moments`: those of which each game has a match; the first game has one of each.

    `seed`: of all cards and dice; without one they are others each time.
    """
    rooms = Catalogue().rooms
    with closing(wiring.build(Config(data=folder / "data", bot_pause=0.0))) as service:
        with drawing(seed):
            house = House(service)
            people = [house.player(name) for name in NAMES]
            matches = {
                (slug, moment): played(people, slug, moment, room.game.seats[-1])
                for at, (slug, room) in enumerate(rooms.items())
                for moment in (moments if at else MOMENTS)
            }
            reviewed = matches[next(iter(rooms)), END]
            assert people[0].post(f"/matches/{reviewed}/reviews", {"seat": 0}).status_code == 202
            while people[0].get(f"/matches/{reviewed}/reviews/0").json["state"] == "wanted":
                reviewer(house).review([reviewed], lambda: False)
            others = waiting(people, next(iter(rooms)))
            packs = {slug: next(iter(room.packs)) for slug, room in rooms.items()}

        def rename(player: Visitor, name: str) -> None:
            service.accounts.rename(service.accounts.asker(player.token or ""), name)

        with on_loopback(house) as url:
            yield Stage(url, people[0].token or "", people[0].id, matches, others, packs, people, rename)


def played(people: list[Visitor], game: str, moment: str, most: int) -> str:
    """A match of that game at that moment; Ann sits there, and something was said."""
    seated = people[: min(most, 4)]
    more = {"options": SHORT[game]} if game in SHORT else {}
    match = seated[0].open_with(*seated[1:], game=game, talk="open", clock={"preset": "day"}, **more)
    for player, text in zip(seated, SAID, strict=False):
        assert player.post(f"/matches/{match}/talk", {"text": text}).status_code < 300
    if moment == START:
        return match
    if moment == END:
        play_out(match, seated)
        return match
    # in the middle, and it is Ann who is asked
    play_out(match, seated, most=24)
    while not seated[0].moves(match)["moves"] and play_out(match, seated, most=1):
        pass
    return match


def waiting(people: list[Visitor], game: str) -> dict[str, str]:
    """A match that waits for players, one by invitation alone, one with an offer, one that was given up; and what Ann
    has beside her seats.
    """
    ann, bob, cyd = people[:3]
    found = {"open": bob.open_with(game=game, clock={"preset": "three-days"})}
    found["own"] = ann.open(game, [{"bot": "random"}, None], visibility="link")
    found["invited"] = bob.open(game, [{"player": ann.id}, {"player": bob.id}], visibility="private")
    found["offered"] = cyd.open_with(bob, game=game)
    assert cyd.post(f"/matches/{found['offered']}/offers", {"player": ann.id}).status_code < 300
    found["aborted"] = ann.open_with(bob, game=game)
    assert ann.post(f"/matches/{found['aborted']}/abort").status_code < 300
    for path, body in (("/me/bots", {"name": "An engine with a long name"}), ("/me/tokens", {"name": "a script"})):
        answer = ann.post(path, body)
        assert answer.status_code < 300, (path, answer.json)
    return found
