"""Two locks: one to run, one to test, which holds the other; and what runs imports nothing but what it may."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from tests.conventions.tree import ROOT, python_files, statements_of

PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)(?:\[[^]]*\])?==(?P<version>\S+)", re.MULTILINE)
RUNNING = ("domain", "events", "replays", "bots", "service")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LOCKS = ("requirements.txt", "requirements-dev.txt", "requirements-research.txt")
FOR_RESEARCH = ("bots", "adapters")


def name_of(requirement: str) -> str:
    """The package's name, in the one form that they are compared in."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert found, requirement
    return re.sub(r"[-_.]+", "-", found[0]).lower()


def pins(lock: str) -> set[tuple[str, str]]:
    """Name and version of all that is locked; some have two, for platforms apart."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {(name_of(found["name"]), found["version"]) for found in PIN.finditer(text)}


def names(lock: str) -> set[str]:
    return {name for name, _ in pins(lock)}


def test_the_lock_for_running_holds_what_runs_and_that_for_tests_the_very_same_and_the_tools() -> None:
    wanted = {name_of(one) for one in PROJECT["project"]["dependencies"]}
    tools = {name_of(one) for one in PROJECT["dependency-groups"]["dev"]}
    running = names("requirements.txt")
    assert wanted <= running
    assert not tools & running
    assert tools <= names("requirements-dev.txt")
    assert pins("requirements.txt") < pins("requirements-dev.txt")
    # whatever else the lock for tests says of those packages would be another one
    for lock in LOCKS[1:]:
        assert not {name for name, _ in pins(lock) - pins("requirements.txt")} & running
    assert {name_of(one) for one in PROJECT["dependency-groups"]["research"]} <= names("requirements-research.txt")


def test_all_is_pinned_by_its_hashes_and_no_lock_names_a_host() -> None:
    for lock in LOCKS:
        text = (ROOT / lock).read_text(encoding="utf-8")
        entries = re.split(r"\n(?=\S)", text.strip())
        assert [entry for entry in entries if "--hash=sha256:" not in entry] == []
        assert not re.search(r"https?://|--(extra-)?index-url|--find-links|--trusted-host", text)


def test_the_lock_for_javascript_pins_what_is_asked_for_and_names_no_registry() -> None:
    asked = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    locked = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in asked} == asked
    packages = {name: entry for name, entry in locked.items() if name}
    assert [name for name, entry in packages.items() if "integrity" not in entry or "resolved" in entry] == []


def is_run(path: Path) -> bool:
    return path.parts[0] in RUNNING and path.parts[:2] != FOR_RESEARCH


def test_what_runs_imports_only_what_is_locked_for_running() -> None:
    found = {}
    for path in python_files():
        for node in statements_of(path) if is_run(path) else ():
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            modules += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            found.update({module.partition(".")[0]: str(path) for module in modules})
    # what only a type checker imports is not there when it runs
    ours = {*sys.stdlib_module_names, *RUNNING, "_typeshed"}
    elsewhere = {name: path for name, path in found.items() if name not in ours}
    assert {"flask", "msgspec", "redis"} <= set(elsewhere)
    distributions, locked = packages_distributions(), names("requirements.txt")
    missing = [name for name in elsewhere if not {name_of(one) for one in distributions.get(name, [])} & locked]
    assert not missing, elsewhere


def test_a_process_with_a_store_in_a_file_loads_nothing_for_postgres_or_for_a_terminal() -> None:
    processes = ("web.server", "jobs.worker", "run.follow", "run.deliver")
    loaded = f"import sys, {', '.join(f'service.{name}' for name in processes)}; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not [name for name in found.stdout.split() if name.startswith(("psycopg", "rich"))]


BEFORE = """
import sys, threading, time, service.__main__
from service.greenlets import patch
waiting = (threading, "Thread"), (threading, "Event"), (time, "sleep")
kept = [(part, name, getattr(part, name)) for part, name in waiting]
held = {each: [name for name, module in sys.modules.items() if each in vars(module).values()] for _, _, each in kept}
patch()
for part, name, each in kept:
    assert getattr(part, name) is not each
    print(*(f"{module}:{name}" for module in held[each]))
"""


def test_what_is_loaded_before_modules_are_patched_for_greenlets_takes_from_them_what_waits_only_then() -> None:
    found = subprocess.run([sys.executable, "-c", BEFORE], cwd=ROOT, capture_output=True, text=True, check=True)
    ours = [name for name in found.stdout.split() if name.startswith(("service", "events", "replays", "domain"))]
    assert not ours, "a thread of before never seems to end in a web process, and its sleep holds up everybody"
