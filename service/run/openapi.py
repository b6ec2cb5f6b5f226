"""The OpenAPI document, from the code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from service.web import create_app, document

FILE = Path(__file__).parent.parent.parent / "openapi.yaml"


class _Plain(yaml.SafeDumper):
    """Without anchors: the same thing twice is written twice. A list of words stands in one line if there is room."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> yaml.SequenceNode:
        is_flat = not any(isinstance(one, dict | list) for one in sequence)
        return super().represent_sequence(tag, sequence, is_flat)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        is_reference = len(mapping) == 1 and "$ref" in mapping
        return super().represent_mapping(tag, mapping, is_reference)


def render(*games: str) -> str:
    """Return the document as YAML, its keys sorted, with the shapes of the games of these slugs."""
    return yaml.dump(document(create_app(None), games), Dumper=_Plain, sort_keys=True, allow_unicode=True, width=120)


def is_fresh(path: Path = FILE) -> bool:
    """Whether the file is what the code says."""
    return path.is_file() and path.read_text(encoding="utf-8") == render()


def check(path: Path = FILE) -> None:
    """Exits with one line unless the file is what the code says."""
    if not is_fresh(path):
        sys.exit(f"error: {path.name} is not what the code says: make openapi")
