"""Whoever comes finds the files that CONTRIBUTING.md and its neighbours name, and the commands that they are told."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conventions.tree import ROOT, text_of
from tests.rows import each

PAGES = ("CONTRIBUTING.md", "SECURITY.md", "docs/life-of-a-move.md", "docs/glossary.md")
PATH = re.compile(r"`([\w.<>*-]+(?:/[\w.<>*-]*)+|\.?[\w-]+\.(?:md|ya?ml|json|toml|lock))`")
"""What stands in backticks and is a path from the root: it has a slash, or is a file of the root."""
MADE = {".venv"}
"""What is made in the tree, and not in git."""
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
AUDIENCES = ("People at the table", "Clients, and who audits", "Operators", "Developers", "Stored events")
"""The sections of a version in CHANGES.md."""
RECIPES = ("Add a page", "Add an operation", "Add a channel", "Add a job")


def paths_of(text: str) -> list[str]:
    """The paths that a text names, a placeholder like `<page>` as what any file may be called."""
    return [re.sub(r"<\w+>", "*", path) for path in PATH.findall(text) if path.split("/")[0] not in MADE]


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    paths = paths_of((ROOT / page).read_text(encoding="utf-8"))
    assert paths
    assert [path for path in dict.fromkeys(paths) if not any(ROOT.glob(path))] == []


def test_each_recipe_names_the_files_to_touch() -> None:
    for recipe in each(*RECIPES):
        text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
        section = text.partition(f"\n## {recipe}\n")[2].partition("\n## ")[0]
        steps = re.findall(r"^\d+\. (.*(?:\n {3,}.*)*)", section, re.MULTILINE)
        assert len(steps) >= 6
        assert sum(bool(paths_of(step)) for step in steps) >= len(steps) - 1


def test_changes_are_told_to_those_whom_they_concern() -> None:
    _, *releases = re.split(r"^## ", (ROOT / "CHANGES.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert releases[0].startswith(f"{PROJECT['version']} ")
    for release in releases:
        heading, *sections = re.split(r"^### ", release, flags=re.MULTILINE)
        assert "\n- " not in heading, "a sentence belongs into a section"
        assert [section.partition("\n")[0] for section in sections] == list(AUDIENCES)


def test_what_runs_before_a_commit_is_ours_and_downloads_nothing() -> None:
    config: dict[str, Any] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (local,) = config["repos"]
    assert local["repo"] == "local"
    for hook in local["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/python ")
    checks = (text_of(Path("Makefile")) or "").replace("$(PY)", ".venv/bin/python")
    shared = {hook["entry"].removesuffix(" --force-exclude") for hook in local["hooks"] if hook["id"] != "conventions"}
    assert {entry for entry in shared if entry not in checks} == set()
