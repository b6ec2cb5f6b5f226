"""The client for threads and the one for asyncio are the same, word for word where they can be."""

from __future__ import annotations

import inspect
import re
import tomllib
from pathlib import Path

import foldtable_client as told
from foldtable_client import AsyncClient, Client


def methods(kind: type) -> dict[str, tuple[list[str], str | None]]:
    """Names and parameters of what a user may call, and what is said of it."""
    found = inspect.getmembers(kind, inspect.isfunction)
    return {
        name: ([str(one) for one in inspect.signature(method).parameters.values()], method.__doc__)
        for name, method in found
        if not name.startswith("_")
    }


def test_both_clients_have_the_same_methods_which_one_of_them_awaits() -> None:
    assert methods(Client) == methods(AsyncClient)
    assert len(methods(Client)) > 15
    for name in methods(Client):
        here, there = getattr(Client, name), getattr(AsyncClient, name)
        is_stream = inspect.isgeneratorfunction(here) or name in {"follow", "follow_me"}
        assert is_stream or inspect.iscoroutinefunction(there), name
        assert not inspect.iscoroutinefunction(here)


def test_the_package_says_where_its_licence_its_address_and_its_changes_stand() -> None:
    assert all(hasattr(told, name) for name in told.__all__)
    folder = Path(told.__file__).parents[1]
    package = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {"license", "license-files", "urls", "readme"} <= package.keys()
    assert {"Homepage", "Changelog"} <= package["urls"].keys()
    assert all((folder / name).is_file() for name in (*package["license-files"], package["readme"]))
    newest = re.search(r"^## (\S+)$", (folder / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest
    assert newest[1] == package["version"]
