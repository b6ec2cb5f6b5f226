"""The workers' way to the service: a client of its HTTP interface."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import msgspec

from events.files import read_small
from service.work import BotTurnsTaken, BotTurnTaken, Turn

PATIENCE = 8.0
"""Seconds that an answer may take: a worker that gives no sign of life for longer counts as hanging."""


class Unanswered(RuntimeError):
    """The service does not answer, or answers with an error: try again, at least `after` seconds later."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class Denied(Unanswered):
    """The service answers that it does not do it, so that trying again changes nothing."""


_turns_decoder = msgspec.json.Decoder(BotTurnsTaken)


class Door:
    """A client of the service's HTTP interface, with the workers' token, on a connection that is kept."""

    def __init__(self, url: str, token: Path | str, transport: httpx2.BaseTransport | None = None) -> None:
        """`token`: the workers' token, or the file that contains it."""
        self._token = token
        # never through a proxy: only this service may see the token
        self._client = httpx2.Client(base_url=url, timeout=PATIENCE, trust_env=False, transport=transport)
        self._client.headers["Content-Type"] = "application/json"

    def post(self, path: str, body: dict[str, Any]) -> bytes:
        """Ask the service to do something. Returns its answer. Raises Unanswered."""
        return _content(self._send("POST", path, msgspec.json.encode(body)))

    def get(self, path: str) -> bytes:
        """Return what the service answers there. Raises Unanswered."""
        return _content(self._send("GET", path))

    def take(self, wanted: list[Turn]) -> tuple[BotTurnTaken, ...]:
        """Send the turns. Returns the result of each, in their order. Raises Unanswered."""
        return _turns_decoder.decode(self.post("/api/bots/turns", {"turns": wanted})).turns

    def pack(self, game: str, hash: str) -> bytes | None:
        """Return the text of a pack with which a match is played; None if there is no such pack. Raises Unanswered."""
        answer = self._send("GET", f"/api/games/{game}/packs/{hash}")
        return None if answer.status_code == 404 else _content(answer)

    def _send(self, method: str, path: str, body: bytes | None = None) -> httpx2.Response:
        try:
            if "Authorization" not in self._client.headers:
                self._show_token()
            answer = self._client.request(method, path, content=body)
            if answer.status_code == 401:
                self._show_token()
                answer = self._client.request(method, path, content=body)
        except (httpx2.TransportError, OSError) as error:
            raise Unanswered(f"{method} {path}: {error}") from error
        return answer

    def _show_token(self) -> None:
        token = self._token if isinstance(self._token, str) else read_small(self._token).decode("ascii").strip()
        self._client.headers["Authorization"] = f"Bearer {token}"


def _content(answer: httpx2.Response) -> bytes:
    if answer.status_code == 200:
        return answer.content
    code = ""
    with suppress(msgspec.DecodeError):
        code = str(msgspec.json.decode(answer.content, type=dict[str, Any]).get("code", ""))
    after = answer.headers.get("Retry-After", "")
    is_final = 400 <= answer.status_code < 500 and answer.status_code not in {401, 429}
    raise (Denied if is_final else Unanswered)(
        f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {code}",
        float(after) if after.isdecimal() else 0.0,
    )
