"""Every connection to Redis names its timeouts: the client's own defaults change from one version to the next."""

from __future__ import annotations

import ast

from tests.conventions.tree import python_files, text_of


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
