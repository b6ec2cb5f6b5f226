"""What is written about classes where they are declared: a sentence about each field, or value of an enum."""

from __future__ import annotations

import ast
import inspect
import sys
from functools import cache
from itertools import pairwise


@cache
def said_of(cls: type) -> dict[str, str]:
    """By field or member: the docstring below it, as one line, also of what the class inherits."""
    found: dict[str, str] = {}
    for one in reversed(cls.__mro__):
        if one.__module__ != "builtins" and one.__module__ in sys.modules:
            found |= _classes(one.__module__).get(one.__name__, {})
    return found


def sentence(text: str | None) -> str:
    """A docstring as one line; paragraphs stay apart."""
    return "\n\n".join(" ".join(part.split()) for part in inspect.cleandoc(text or "").split("\n\n"))


@cache
def _classes(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError):
        return {}  # of what is built in there is no source
    return {node.name: dict(_said(node)) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _said(node: ast.ClassDef) -> list[tuple[str, str]]:
    found = []
    for field, text in pairwise(node.body):
        targets = [field.target] if isinstance(field, ast.AnnAssign) else getattr(field, "targets", [None])
        target = targets[0]
        if isinstance(target, ast.Name) and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            found.append((target.id, sentence(str(text.value.value))))
    return found
