"""Reads a Dockerfile: its stages, and the steps of each, as far as ours goes."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "Dockerfile"
STAGE = re.compile(r"(?P<image>\S+)(?: AS (?P<name>\S+))?")
FLAG = re.compile(r"--(?P<name>[a-z-]+)=(?P<value>\S+)\s+")


class Step(msgspec.Struct, frozen=True):
    """An instruction, with what it says; flags apart."""

    word: str
    said: str
    flags: dict[str, str]

    @property
    def listed(self) -> list[str]:
        """What it says, as the JSON list that it is."""
        return msgspec.json.decode(self.said[self.said.index("[") :], type=list[str])


class Stage(msgspec.Struct, frozen=True):
    """An image that is made."""

    image: str
    """What it begins as."""
    name: str
    steps: tuple[Step, ...]

    def last(self, word: str) -> Step:
        """What holds in the end. Raises ValueError when it is never said."""
        for step in reversed(self.steps):
            if step.word == word:
                return step
        raise ValueError(f"no {word}")


def stages(text: str) -> list[Stage]:
    """All stages, in order; the last one is the image. Raises ValueError for a step before the first."""
    found: list[Stage] = []
    steps: list[Step] = []
    for line in lines(text):
        word, _, said = line.partition(" ")
        if word == "FROM":
            parts = STAGE.fullmatch(said.strip())
            if parts is None:
                raise ValueError(f"FROM {said}")
            steps = []
            found.append(Stage(parts["image"], parts["name"] or "", ()))
        elif not found:
            raise ValueError(f"before the first stage: {line}")
        else:
            steps.append(step(word, said.strip()))
            found[-1] = msgspec.structs.replace(found[-1], steps=tuple(steps))
    return found


def lines(text: str) -> list[str]:
    """Without comments, and each instruction on one line."""
    spoken = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return [line.strip() for line in spoken.replace("\\\n", " ").splitlines() if line.strip()]


def step(word: str, said: str) -> Step:
    """One instruction."""
    flags = {}
    while (flag := FLAG.match(said)) is not None:
        flags[flag["name"]] = flag["value"]
        said = said[flag.end() :]
    return Step(word, said, flags)


def environment(stage: Stage) -> dict[str, str]:
    """What ENV says of names and values."""
    said = " ".join(step.said for step in stage.steps if step.word == "ENV")
    return dict(pair.split("=", 1) for pair in said.split())
