"""Writes the OpenAPI document from the code."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from service.web import create_app, document

FILE = Path(__file__).parent.parent.parent / "openapi.yaml"


class _Plain(yaml.SafeDumper):
    """Writes YAML without anchors, so a repeated value is written twice. Plain lists are in one line if they fit."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent_sequence(self, tag: str, sequence: Any, flow_style: bool | None = None) -> yaml.SequenceNode:
        is_flat = not any(isinstance(item, dict | list) for item in sequence)
        return super().represent_sequence(tag, sequence, is_flat)

    def represent_mapping(self, tag: str, mapping: Any, flow_style: bool | None = None) -> yaml.MappingNode:
        is_reference = len(mapping) == 1 and "$ref" in mapping
        return super().represent_mapping(tag, mapping, is_reference)


def render(*games: str) -> str:
    """Return the document as YAML with sorted keys, and the schemas of these games."""
    return yaml.dump(document(create_app(None), games), Dumper=_Plain, sort_keys=True, allow_unicode=True, width=120)


def check(path: Path = FILE) -> None:
    """Exit with one line unless the file is up to date."""
    if not path.is_file() or path.read_text(encoding="utf-8") != render():
        sys.exit(f"error: {path.name} is out of date: make openapi")
