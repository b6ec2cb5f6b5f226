"""What a mutant may change in a file: one operator, number, member, mark, reader, keyword or statement at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

OPPOSED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
PAIRS = ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), *zip(OPPOSED[::2], OPPOSED[1::2], strict=True))
COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
COUNT: dict[type[ast.operator], type[ast.operator]] = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add},
    **{ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult},
}
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}
SEATS = frozenset({"seat", "other", "winner", "manager", "owner", "payer", "defender", "discarder"})
"""Names of fields and variables that hold a seat."""


class Mutation(NamedTuple):
    """One change: the bytes from `start` to `end` are others."""

    start: int
    end: int
    new: str
    old: str
    kind: str
    line: int
    text: str
    """The line as it stands, without its indentation."""
    becomes: str
    """The same line with the change made."""

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]


@lru_cache(maxsize=128)
def mutations(path: Path) -> tuple[Mutation, ...]:
    """Every change that may be made to the file, in its order; the file itself is never changed."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    lines = source.decode().splitlines()
    found = []
    for node, new, kind in _changes(ast.parse(source), members_near(path)):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        old = " ".join(source[start:end].decode().split())
        changed = (source[starts[node.lineno - 1] : start] + new.encode() + source[end:]).decode().splitlines()[0]
        text = lines[node.lineno - 1].strip()
        found.append(Mutation(start, end, new, old, kind, node.lineno, text, changed.strip()))
    return tuple(sorted(found))


Change = tuple[ast.expr | ast.stmt | ast.pattern | ast.keyword, str, str]
"""A node, what stands there instead, and what kind of change that is."""


def _changes(tree: ast.Module, members: dict[str, tuple[str, ...]]) -> Iterator[Change]:
    for node in _walk(tree):
        match node:
            case ast.expr():
                yield from _of_expression(node, members)
            case ast.If(test=test) | ast.While(test=test):
                yield from _negated(test)
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise():
                yield node, "pass", "statement"
            case ast.comprehension(ifs=ifs):
                for test in ifs:
                    yield from _negated(test)
            case ast.match_case(guard=ast.expr() as guard):
                yield from _negated(guard)
            case _:
                pass


def _negated(test: ast.expr) -> Iterator[Change]:
    """The opposite of a condition, where no other change of it is just that."""
    is_done = isinstance(test, ast.Compare) and isinstance(test.ops[0], OPPOSED)
    if not is_done and not isinstance(test, ast.UnaryOp):
        yield test, f"(not ({ast.unparse(test)}))", "condition"


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node but docstrings, assertions, how much is remembered and what stands in formatted strings; of
    annotations only marks.
    """
    for child in ast.iter_child_nodes(node):
        is_said = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        if is_said or _is_never(child) or isinstance(child, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            continue
        if isinstance(child, ast.keyword) and child.arg == "strict" and ast.unparse(node).startswith("zip("):
            # an assertion, too
            continue
        if isinstance(child, ast.keyword) and child.arg == "maxsize":
            continue
        if isinstance(child, ast.AnnAssign):
            yield child.annotation
            if child.value is not None:
                yield child.value
                yield from _walk(child.value)
            continue
        if isinstance(child, ast.arguments) or (isinstance(node, ast.ClassDef) and isinstance(child, ast.keyword)):
            continue
        if isinstance(node, ast.FunctionDef) and child is node.returns:
            continue
        # what stands above a function is how much of it is remembered; above a class, how it lies in memory
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and child in node.decorator_list:
            continue
        yield child
        yield from _walk(child)


def _is_said_of(mark: ast.expr) -> bool:
    """Whether the mark only says to readers of the document what the field is."""
    said = {"description", "extra_json_schema"}
    return isinstance(mark, ast.Call) and bool(mark.keywords) and all(one.arg in said for one in mark.keywords)


def _is_never(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith("assert_never(")


def _of_expression(node: ast.expr, members: dict[str, tuple[str, ...]]) -> Iterator[Change]:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=comparators) if type(op) in COMPARE:
            yield node, f"({ast.unparse(ast.Compare(left, [COMPARE[type(op)]()], comparators))})", "comparison"
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield node, f"({ast.unparse(ast.BoolOp(other, values))})", "and or"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})", "not"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in COUNT:
            yield node, f"({ast.unparse(ast.BinOp(left, COUNT[type(op)](), right))})", "arithmetic"
        case ast.IfExp(test=test):
            yield from _negated(test)
        case ast.Constant(value=bool() as value):
            yield node, str(not value), "constant"
        case ast.Constant(value=int() as value):
            yield node, str(value + 1), "constant"
            if value > 0:
                yield node, str(value - 1), "constant"
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in members.get(name, ()):
            row = members[name]
            yield node, f"{name}.{row[(row.index(attr) + 1) % len(row)]}", "member"
        case ast.Call(func=func, args=args, keywords=keywords):
            yield from _of_call(func, args, keywords)
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, mark])):
            if not _is_said_of(mark):
                yield from _of_mark(node, kind, mark)
        case ast.Subscript(slice=ast.Name(id=name) as index) if name in SEATS:
            yield index, f"{name} - 1", "seat"
        case _:
            pass


def _of_call(func: ast.expr, args: list[ast.expr], keywords: list[ast.keyword]) -> Iterator[Change]:
    if isinstance(func, ast.Name) and func.id in CALLED:
        yield func, CALLED[func.id], "call"
    is_replace = isinstance(func, ast.Name | ast.Attribute) and ast.unparse(func).endswith("replace")
    for one in keywords:
        if is_replace and one.arg and len(keywords) > 1:
            yield one, "**{}", "keyword"
        if one.arg in SEATS and isinstance(one.value, ast.Name):
            yield one.value, f"({one.value.id} + 1) % 2", "seat"


def _of_mark(node: ast.expr, kind: ast.expr, mark: ast.expr) -> Iterator[Change]:
    """The mark is taken off; or nobody reads the field, or somebody else."""
    yield node, ast.unparse(kind), "mark"
    if isinstance(mark, ast.Call) and mark.args:
        yield mark, "Hidden()", "reader"


@lru_cache
def members_near(path: Path) -> dict[str, tuple[str, ...]]:
    """The members of the enums that files of the same folder, or of the one above it, declare."""
    found: dict[str, tuple[str, ...]] = {}
    for folder in (path.parent.parent, path.parent):
        for file in sorted(folder.glob("*.py")):
            for node in ast.parse(file.read_bytes()).body:
                if isinstance(node, ast.ClassDef) and any(ast.unparse(base).endswith("Enum") for base in node.bases):
                    rows = [one for one in node.body if isinstance(one, ast.Assign)]
                    found[node.name] = tuple(ast.unparse(one.targets[0]) for one in rows)
    return found
