"""The demo of the first start: a match of bots, a match with a free seat, and a player who may take it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shlex import quote
from threading import Event
from typing import Any

import httpx2
from jinja2 import Environment, StrictUndefined

from events.files import write_whole

WATCHED = {"game": "three-magic", "seats": [{"bot": "random"}, {"bot": "greedy"}, {"bot": "greedy"}]}
"""A match of bots only."""

PLAYED = {"game": "magicative", "seats": [None, {"bot": "greedy"}]}
"""A short match with a free seat."""

TRIES = 3
"""The number of times that a refused request is sent again."""

SHOWN = 5
"""The most matches that are printed."""

MOST = 100
"""The number of matches that one request lists."""

MOMENTS = timedelta(minutes=5)
"""On a new store, the most time between the demo's player and the first match."""

TREE = Path(__file__).parents[2]
WORDS = Path(__file__).with_name("demo.txt.j2")


class Patient(httpx2.HTTPTransport):
    """Sends a request again when it was refused with a Retry-After, unless all is to end meanwhile."""

    def __init__(self, stop: Event) -> None:
        super().__init__()
        self._stop = stop

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Return the answer, as `httpx2.BaseTransport` does."""
        for _ in range(TRIES):
            answer = super().handle_request(request)
            after = answer.headers.get("Retry-After", "")
            if answer.status_code not in {429, 503} or not after.isdecimal():
                return answer
            answer.close()
            if self._stop.wait(int(after)):
                break
        return super().handle_request(request)


def show(url: str, data: Path, say: Callable[[str], None], stop: Event) -> None:
    """Open the demo's matches if the store is new, and print where to look, until `stop` is set.

    The token is not printed, since the output may be logged. If this fails, the service keeps running.
    """

    def say_on(line: str) -> None:
        if not stop.is_set():
            say(line)

    # nobody may read it any longer
    with suppress(OSError):
        try:
            _show(url, data / "demo-token", say_on, stop)
        except httpx2.HTTPStatusError as error:
            say_on(f"no match could be opened: {_detail(error.response) or error}".partition("\n")[0])
        except (httpx2.HTTPError, OSError, KeyError, ValueError) as error:
            say_on(f"no match could be opened: {error}".partition("\n")[0])


def _detail(answer: httpx2.Response) -> str:
    """Return why the service has refused; "" if the answer is not the service's."""
    try:
        return str(answer.json()["detail"])
    except (ValueError, KeyError, TypeError):
        return ""


def _show(url: str, file: Path, say: Callable[[str], None], stop: Event) -> None:
    say(f"foldtable is played at {url}/")
    say("Open that in a browser: choose a game, and you sit at a table against bots.")
    with httpx2.Client(base_url=url, timeout=20, trust_env=False, transport=Patient(stop)) as client:
        demo = {"Authorization": f"Bearer {_token(client, file)}"}
        opened = _open(client, demo, datetime.fromtimestamp(file.stat().st_mtime, UTC))
        others = [match for match in _matches(client)["matches"] if match not in opened]
        for line in _told(url, file, [*opened, *others][:SHOWN]).splitlines():
            say(line)


def _token(client: httpx2.Client, file: Path) -> str:
    """Return the demo player's token: the one in the file, if the service still knows it, else that of a new player."""
    token = file.read_text(encoding="ascii", errors="replace").strip() if file.is_file() else ""
    if token.isascii() and token.isprintable() and token:
        answer = client.get("/api/me", headers={"Authorization": f"Bearer {token}"})
        if answer.status_code != 401:
            answer.raise_for_status()
            return token
    token = str(client.post("/api/players", json={"name": "Demo"}).raise_for_status().json()["token"])
    write_whole(file, f"{token}\n".encode())
    return token


def _matches(client: httpx2.Client, demo: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the newest matches; with the demo player's header only their own."""
    query: dict[str, str | int] = {"limit": MOST, **({"mine": "true"} if demo else {})}
    return dict(client.get("/api/matches", params=query, headers=demo or {}).raise_for_status().json())


def _open(client: httpx2.Client, demo: dict[str, str], since: datetime) -> list[dict[str, Any]]:
    """Open what is missing, if the store was new when the player was made. Returns their matches, the oldest first."""
    listed, games = _matches(client), {match["game"] for match in _matches(client, demo)["matches"]}
    moments = [datetime.fromisoformat(match["created"]) for match in listed["matches"]]
    if listed["next"] is None and all(abs(moment - since) < MOMENTS for moment in moments):
        for wanted in (WATCHED, PLAYED):
            if wanted["game"] not in games:
                client.post("/api/matches", headers=demo, json=wanted).raise_for_status()
    return list(reversed(_matches(client, demo)["matches"]))


def _told(url: str, token: Path, matches: list[dict[str, Any]]) -> str:
    """Return what is printed about the matches, and how a program watches and plays them."""
    lines = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    lines.filters["quoted"] = lambda path: quote(str(path))
    house = "./foldtable" if Path.cwd() == TREE else quote(str(TREE / "foldtable"))
    return lines.from_string(WORDS.read_text(encoding="utf-8")).render(
        url=url,
        token=token,
        matches=matches,
        watched=next((match["id"] for match in matches if match["status"] == "playing"), matches[0]["id"]),
        free=next((match["id"] for match in matches if match["status"] == "open"), None),
        house=house if (TREE / ".venv" / "bin" / "python").exists() else "",
        folder="" if token.parent == Path("data") else f" --data {quote(str(token.parent))}",
    )
