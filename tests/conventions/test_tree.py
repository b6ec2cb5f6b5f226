"""What holds in the whole tree."""

from __future__ import annotations

import ast
import importlib
import re
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

from tests.conventions.tree import ROOT, python_files, statements_of, text_of, tracked

PACKAGES = ("domain", "events", "replays", "bots", "service", "tests", "benchmarks")
LINES = 400
FUNCTION = 40
HOMES = re.compile(r"/(?<![\w.]/)(?:home|root|Users)(?:/[\w.-]+)+")
"""Paths of somebody's machine. Those that a container makes itself (`/app`, `/data`) are none.

The look-behind stands after the slash: `re` searches faster for a pattern that begins with a plain character.
"""
EVERYWHERE = {"/", "/tmp", "/app", "/data", "/opt", "/srv", "/usr", "/var"}
"""Folders that every machine has."""
COMMANDS = re.compile(r"^```(?:sh|bash|console|shell)\n(.*?)^```", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"^([a-z][\w-]*):", re.MULTILINE)


def test_the_packages_that_are_imported_are_ours() -> None:
    for name in PACKAGES:
        assert {Path(path).resolve() for path in importlib.import_module(name).__path__} == {ROOT / name}


def test_no_module_imports_itself_around_a_circle() -> None:
    ours = grimp.build_graph(*PACKAGES[:5], exclude_type_checking_imports=True)
    TopologicalSorter({name: ours.find_modules_directly_imported_by(name) for name in ours.modules}).prepare()


def test_files_have_at_most_400_lines() -> None:
    long = {str(path): lines for path in python_files() if (lines := (text_of(path) or "").count("\n")) > LINES}
    assert not long


def test_no_function_is_too_long_no_test_bears_another_s_name_and_none_asserts_a_constant() -> None:
    wrong = []
    for path in python_files():
        is_test, names = path.parts[0] == "tests", Counter[str]()
        for node in statements_of(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (lines := lines_of(node)) > FUNCTION:
                wrong.append(f"{path}:{node.lineno} {node.name} has {lines} lines without its docstring")
            elif is_test and isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant):
                wrong.append(f"{path}:{node.lineno} asserts a constant")
            if isinstance(node, ast.FunctionDef) and node.col_offset == 0:
                names[node.name] += 1
        wrong += [f"{path} has {name} twice" for name, times in names.items() if is_test and times > 1]
    assert not wrong, "\n".join(wrong)


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From the def to the last line, the docstring not counted."""
    first = node.body[0]
    is_documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    docstring = (first.end_lineno or 0) - first.lineno + 1 if is_documented else 0
    return (node.end_lineno or 0) - node.lineno + 1 - docstring


def test_no_file_is_named_for_what_it_is_not() -> None:
    vague = {"utils", "helpers", "manager", "common", "base"}
    assert not [path for path in python_files() if path.stem in vague]


def test_no_file_holds_a_path_of_this_machine() -> None:
    found = {}
    for path in tracked():
        text = text_of(path) or ""
        if path.name == Path(__file__).name:
            continue
        if str(ROOT.parent) not in EVERYWHERE and re.search(rf"(?<![\w.]){re.escape(str(ROOT.parent))}/", text):
            found[str(path)] = str(ROOT.parent)
        elif elsewhere := HOMES.search(text):
            found[str(path)] = elsewhere[0]
    assert not found


def test_tests_are_no_packages_but_for_the_toy_room() -> None:
    packages = [path.parent for path in python_files() if path.parts[0] == "tests" and path.name == "__init__.py"]
    assert packages == [Path("tests/toy/high_card")]


def test_the_readmes_commands_name_targets_that_there_are() -> None:
    targets = set(TARGET.findall(text_of(Path("Makefile")) or ""))
    for path in tracked():
        if path.suffix == ".md":
            blocks = "\n".join(COMMANDS.findall(text_of(path) or ""))
            named = re.findall(r"^(?:\$ )?make +([a-z][\w-]*)", blocks, re.MULTILINE)
            assert set(named) <= targets, path
