"""What the first start shows: every line that it tells to type does what it says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.service.run.uprun import Up, ran, up

pytestmark = pytest.mark.faults


def typed(command: str, token: str = "") -> str:
    """What a line prints in a shell of its own."""
    done = ran("sh", "-c", command, settings={"TOKEN": token})
    assert done.returncode == 0, (command, done.stderr)
    return done.stdout


def shown(service: Up) -> list[str]:
    return [line.strip() for line in service.said.splitlines() if re.match(r"  (?:curl|TOKEN|\S*foldtable)", line)]


def test_the_lines_that_are_shown_do_what_they_say_and_the_match_is_played_by_them(tmp_path: Path) -> None:
    data = tmp_path / "my games"
    with up(data, said={"FOLDTABLE_BOT_PACE": "0.3"}) as service:
        watched, free = service.matches
        show, wait, events, token, sit, mine, moves, move = shown(service)
        assert f"replays show {watched} --data {shlex.quote(str(data))}" in show
        assert "three-magic, playing" in service.said
        assert "magicative, open: it waits until somebody sits down" in service.said

        assert "Three Magic, playing" in typed(show)
        before: int = json.loads(typed(events))["events"][-1]["version"]
        assert json.loads(typed(wait.replace("curl", "curl -s")))["version"] >= before

        held = typed(f'{token}; printf %s "$TOKEN"')
        assert held == (data / "demo-token").read_text().strip()
        assert json.loads(typed(sit, held))["status"] == "playing"
        taken = [event["public"] for event in service.get(f"/api/matches/{free}/events")["events"]][:4]
        assert [len(one["nonce"]) for one in taken if one.get("seat") == 0 and "nonce" in one] == [64]
        now: dict[str, Any] = {}
        for _ in range(20):
            told = json.loads(typed(mine, held))
            assert told["seat"] == 0
            now = json.loads(typed(moves, held))
            if now["moves"]:
                break
        chosen = move.replace("N,", f"{now['decision']},").replace("...", now["moves"][0]["id"])
        assert json.loads(typed(chosen, held))["events"]
        assert service.version(free) > told["version"]
