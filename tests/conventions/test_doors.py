"""A folder of the service takes from another one what that one's door names; and every connection to Redis names its
timeouts, since the client's own change from one version to the next.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from tests.conventions.tree import python_files, statements_of, text_of

FOLDERS = (
    *("accounts", "clocks", "followers", "jobs", "limits", "mail", "matches", "outbox", "store", "streams"),
    *("telemetry", "wakeups", "webhooks"),
)


@cache
def imports_of(path: Path) -> list[tuple[str, tuple[str, ...]]]:
    return [
        (node.module, tuple(one.name for one in node.names))
        for node in statements_of(path)
        if isinstance(node, ast.ImportFrom) and node.module is not None
    ]


def test_nothing_goes_around_a_door() -> None:
    around = [
        f"{path}: from {module}"
        for path in python_files()
        if path.parts[0] == "service"
        for module, _ in imports_of(path)
        for folder in FOLDERS
        if module.startswith(f"service.{folder}.") and path.parts[1] != folder
    ]
    assert not around, "import it from the folder, whose __init__.py imports it for others"


def test_a_door_names_what_others_use_and_nothing_else() -> None:
    for folder in FOLDERS:
        used = {
            name
            for path in python_files()
            if path.parts[0] == "service" and path.parts[1] != folder
            for module, names in imports_of(path)
            if module == f"service.{folder}"
            for name in names
        }
        named = {name for _, names in imports_of(Path("service", folder, "__init__.py")) for name in names}
        assert used == named - {"annotations"}, folder


def test_each_connection_says_how_long_it_waits_for_an_answer() -> None:
    calls = [
        (f"{path}:{node.lineno}", {keyword.arg for keyword in node.keywords})
        for path in python_files()
        if path.parts[0] == "service" and "from_url" in (text_of(path) or "")
        for node in ast.walk(ast.parse(text_of(path) or ""))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "from_url"
    ]
    assert len(calls) > 5
    assert not [where for where, said in calls if not said >= {"socket_timeout", "socket_connect_timeout"}]
