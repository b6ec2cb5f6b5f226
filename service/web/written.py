"""Reads the docstrings below the fields of structs and the members of enums, for the OpenAPI document."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise


@cache
def said_of(cls: type) -> dict[str, str]:
    """Return the docstring below each field or member as one line, inherited ones included."""
    sentences: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if base.__module__ != "builtins" and base.__module__ in sys.modules:
            sentences |= _classes(base.__module__).get(base.__name__, {})
    return sentences


def sentence(text: str | None) -> str:
    """Return a docstring with each paragraph as one line."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text or "").split("\n\n"))


@cache
def _classes(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}  # built-in modules have no source
    return {node.name: dict(_said(node)) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _said(node: ast.ClassDef) -> list[tuple[str, str]]:
    sentences = []
    for field, text in pairwise(node.body):
        targets = [field.target] if isinstance(field, ast.AnnAssign) else getattr(field, "targets", [None])
        target = targets[0]
        if isinstance(target, ast.Name) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            sentences.append((target.id, sentence(str(text.value.value))))
    return sentences
