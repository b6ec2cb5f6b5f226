"""Writes service/web/contract/examples.json from requests to a service and its answers: run `make examples`.

Each run gives other ids and cards, so run it only when an answer has changed. Long lists and tables are shortened.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
# A script is run from its own folder: ours has to be on the path before what is imported from it.
sys.path.insert(0, str(ROOT))

from flask import Flask  # noqa: E402

from docs.example_walk import walk, walk_by_pass  # noqa: E402
from service import clock, wiring  # noqa: E402
from service.config import Config  # noqa: E402
from service.store import Letter, mailing  # noqa: E402
from service.web import create_app  # noqa: E402
from service.web.contract import operations  # noqa: E402
from service.wiring import Service  # noqa: E402

TARGET = ROOT / "service" / "web" / "contract" / "examples.json"

LONG = 3000
"""The number of characters from which on the lists and tables of an answer are shortened."""

KEPT = 2

MANY = 8
"""An object of objects with more entries is a table, of which `KEPT` entries are kept."""


class Recorder:
    """Requests operations, and notes the first body and, by status, the longest answer of each."""

    def __init__(self, service: Service, noted: dict[str, Any], app: Flask | None = None) -> None:
        self.service = service
        self.app = app or create_app(service)
        self.tokens = {
            "worker": service.config.worker_token.read_text(),
            "operator": service.config.admin_token.read_text(),
        }
        """The tokens by the name of who asks."""
        self.noted = noted
        self._where = {operation.id: operation for operation in operations(self.app)}

    def ask(self, operation: str, who: str = "", body: Any = None, query: Any = None, **parts: Any) -> Any:
        """Request an operation, and return the body of the answer if it is JSON. Raises SystemExit if it is refused."""
        found = self._where[operation]
        headers = {"Authorization": f"Bearer {self.tokens[who]}"} if who else {}
        more: dict[str, Any] = {} if body is None else {"json": body}
        answer = self.app.test_client().open(
            found.path.format(**parts), method=found.method, headers=headers, query_string=query, **more
        )
        said = answer.get_json() if answer.content_type == "application/json" else None
        if answer.status_code >= 400:
            raise SystemExit(f"{operation}: {answer.status_code} {answer.get_data(as_text=True)}")
        noted = self.noted.setdefault(operation, {})
        if body is not None:
            noted.setdefault("body", body)
        # references in a game's schemas would look like references in the contract
        if said is not None and '"$ref"' not in json.dumps(said):
            answers = noted.setdefault("answers", {})
            known = answers.get(str(answer.status_code), {})
            # the longest answer says the most
            answers[str(answer.status_code)] = max(known, cut(said), key=lambda one: len(json.dumps(one)))
        return said

    def mailed(self, kind: str, player: str, address: str) -> str:
        """Return the token in the link of a mail of that kind."""
        at = clock.stamp(clock.now())
        letter = Letter(id="m_example", kind=kind, player=player, address=address, lang="en", at=at)
        link = self.service.mailboxes.of_letter(letter)
        assert link is not None, f"nothing is to be done by a letter of {kind}"
        return link.partition("token=")[2]

    def heed(self, player: str, address: str) -> None:
        """Make the address the one to which the player's mails are sent."""
        self.service.recorder.write([mailing.confirm(player, address, "en", "")])


def cut(value: Any) -> Any:
    """Return the value; if it is long, with shorter lists and tables."""
    return value if len(json.dumps(value)) < LONG else _cut(value)


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        is_table = len(value) > MANY and all(isinstance(one, dict) for one in value.values())
        return {key: _cut(value[key]) for key in (list(value)[:KEPT] if is_table else value)}
    if isinstance(value, list):
        # lists of numbers and words are kept complete, because their elements belong together
        short = value[:KEPT] if all(isinstance(one, dict) for one in value) else value
        return [_cut(one) for one in short]
    return value


def main() -> None:
    """Make all requests, and write the file."""
    noted: dict[str, Any] = {}
    for asked, sign_up in ((walk, "open"), (walk_by_pass, "invitation")):
        with tempfile.TemporaryDirectory() as folder:
            service = wiring.build(Config(data=Path(folder), bot_pause=0.0, sign_up=sign_up))
            try:
                asked(Recorder(service, noted))
            finally:
                service.close()
    told = json.dumps(noted, ensure_ascii=False, indent=1, sort_keys=True)
    TARGET.write_text(told + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
