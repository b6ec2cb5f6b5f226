"""The service's HTTP interface, as the workers use it: many turns in one request."""

from __future__ import annotations

from pathlib import Path

import httpx2
import msgspec

from service.matches import turns

PATIENCE = 8.0
"""Seconds that an answer may take: a worker that gives no sign of life for longer counts as hanging."""


class Unanswered(RuntimeError):
    """The service does not answer, or answers with an error: try again, at least `after` seconds later."""

    def __init__(self, message: str, after: float = 0.0) -> None:
        super().__init__(message)
        self.after = after


class _Problem(msgspec.Struct, frozen=True):
    code: str = ""


_answer = msgspec.json.Decoder(turns.BotTurnsTaken)


class Door:
    """A client of the service's HTTP interface, with the workers' token, on a connection that is kept."""

    def __init__(self, url: str, token: Path | str, transport: httpx2.BaseTransport | None = None) -> None:
        """`token`: the workers' token, or the file that contains it."""
        self._token = token
        # never through a proxy: only this service may see the token
        self._client = httpx2.Client(base_url=url, timeout=PATIENCE, trust_env=False, transport=transport)
        self._client.headers["Content-Type"] = "application/json"

    def take(self, wanted: list[turns.Turn]) -> tuple[turns.BotTurnTaken, ...]:
        """Send the turns. Returns the result of each, in their order. Raises Unanswered."""
        answer = self._send("/api/bots/turns", msgspec.json.encode({"turns": wanted}))
        if answer.status_code != 200:
            raise _unexpected(answer)
        return _answer.decode(answer.content).turns

    def fire(self, match_ids: list[str]) -> None:
        """Ask the service to do what is due in these matches. Raises Unanswered."""
        answer = self._send("/api/clocks", msgspec.json.encode({"matches": match_ids}))
        if answer.status_code != 200:
            raise _unexpected(answer)

    def follow_orders(self, match_ids: list[str]) -> None:
        """Ask the service to follow the standing orders in these matches. Raises Unanswered."""
        answer = self._send("/api/orders", msgspec.json.encode({"matches": match_ids}))
        if answer.status_code != 200:
            raise _unexpected(answer)

    def pack(self, game: str, hash: str) -> bytes | None:
        """Return the text of a pack with which a match is played; None if the service has no such pack.

        Raises:  Unanswered.
        """
        path = f"/api/games/{game}/packs/{hash}"
        try:
            answer = self._client.get(path)
        except httpx2.TransportError as error:
            raise Unanswered(f"GET {path}: {error}") from error
        if answer.status_code == 404:
            return None
        if answer.status_code != 200:
            raise _unexpected(answer)
        return answer.content

    def _send(self, path: str, body: bytes) -> httpx2.Response:
        try:
            if "Authorization" not in self._client.headers:
                self._show_token()
            answer = self._client.post(path, content=body)
            if answer.status_code == 401:
                self._show_token()
                answer = self._client.post(path, content=body)
        except (httpx2.TransportError, OSError) as error:
            raise Unanswered(f"POST {path}: {error}") from error
        return answer

    def _show_token(self) -> None:
        token = self._token if isinstance(self._token, str) else self._token.read_text(encoding="ascii").strip()
        self._client.headers["Authorization"] = f"Bearer {token}"


def _code(answer: httpx2.Response) -> str:
    try:
        return msgspec.json.decode(answer.content, type=_Problem).code
    except msgspec.DecodeError:
        return ""


def _unexpected(answer: httpx2.Response) -> Unanswered:
    after = answer.headers.get("Retry-After", "")
    return Unanswered(
        f"{answer.request.method} {answer.request.url.path}: {answer.status_code} {_code(answer)}",
        float(after) if after.isdecimal() else 0.0,
    )
