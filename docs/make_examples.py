"""Writes service/web/contract/examples.json, from what a service is asked and answers: run `make examples`.

Each run draws other ids and cards, so it is run when an answer has changed, not each time. Long lists and tables are
cut.
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
"""Characters of an answer from which on its lists and tables are cut."""

KEPT = 2

MANY = 8
"""Entries from which on an object is a table, of which some are enough."""


class Recorder:
    """Asks by operation, and notes what was said and answered first."""

    def __init__(self, service: Service, noted: dict[str, Any], app: Flask | None = None) -> None:
        self.service = service
        self.app = app or create_app(service)
        self.tokens = {
            "worker": service.config.worker_token.read_text(),
            "operator": service.config.admin_token.read_text(),
        }
        """By who asks: what they say who they are with."""
        self.noted = noted
        self._where = {operation.id: operation for operation in operations(self.app)}

    def ask(self, operation: str, who: str = "", body: Any = None, query: Any = None, **parts: Any) -> Any:
        """The answer's body. Raises where it was refused, unless the operation was asked for that."""
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
        # references in schemas of a game would be taken for the document's own
        if said is not None and '"$ref"' not in json.dumps(said):
            answers = noted.setdefault("answers", {})
            known = answers.get(str(answer.status_code), {})
            # what has the most to tell
            answers[str(answer.status_code)] = max(known, cut(said), key=lambda one: len(json.dumps(one)))
        return said

    def mailed(self, kind: str, player: str, address: str) -> str:
        """What the link in the mail of that kind holds."""
        at = clock.stamp(clock.now())
        letter = Letter(id="m_example", kind=kind, player=player, address=address, lang="en", at=at)
        link = self.service.mailboxes.of_letter(letter)
        assert link is not None, f"nothing is to be done by a letter of {kind}"
        return link.partition("token=")[2]

    def heed(self, player: str, address: str) -> None:
        """Have the player's mails sent there."""
        self.service.recorder.write([mailing.confirm(player, address, "en", "")])


def cut(value: Any) -> Any:
    """The value, with shorter lists and tables where it is long."""
    return value if len(json.dumps(value)) < LONG else _cut(value)


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        is_table = len(value) > MANY and all(isinstance(one, dict) for one in value.values())
        return {key: _cut(value[key]) for key in (list(value)[:KEPT] if is_table else value)}
    if isinstance(value, list):
        # of numbers and words nothing is left out: they are read together
        short = value[:KEPT] if all(isinstance(one, dict) for one in value) else value
        return [_cut(one) for one in short]
    return value


def main() -> None:
    """Play, and write down what was said."""
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
