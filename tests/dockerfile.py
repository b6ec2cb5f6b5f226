"""Reads a Dockerfile: its stages, and the steps of each, as far as ours goes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "Dockerfile"
FLAG = re.compile(r"--(?P<name>[a-z-]+)=(?P<value>\S+)\s+")


class Step(NamedTuple):
    """An instruction, with what it says; flags apart."""

    word: str
    said: str
    flags: dict[str, str]

    @property
    def listed(self) -> list[str]:
        """What it says, as the JSON list that it is."""
        return list(json.loads(self.said[self.said.index("[") :]))


class Stage(NamedTuple):
    """An image that is made."""

    image: str
    """What it begins as."""
    name: str
    steps: list[Step]

    def last(self, word: str) -> Step:
        return [step for step in self.steps if step.word == word][-1]


def stages(text: str) -> list[Stage]:
    """All stages, in order; the last one is the image."""
    found: list[Stage] = []
    spoken = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    for line in spoken.replace("\\\n", " ").splitlines():
        word, _, said = line.strip().partition(" ")
        if word == "FROM":
            image, _, name = said.strip().partition(" AS ")
            found.append(Stage(image, name, []))
        elif word:
            flags = {}
            while flag := FLAG.match(said := said.strip()):
                flags[flag["name"]] = flag["value"]
                said = said[flag.end() :]
            found[-1].steps.append(Step(word, said, flags))
    return found


def environment(stage: Stage) -> dict[str, str]:
    """What ENV says of names and values."""
    said = " ".join(step.said for step in stage.steps if step.word == "ENV")
    return dict(pair.split("=", 1) for pair in said.split())
