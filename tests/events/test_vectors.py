"""The test vectors of docs/log.md are what the code makes, and a stranger's program verifies them."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from docs import make_vectors
from tests.replays.checking.second import needs_node, run

VECTORS = make_vectors.TARGET


def count(vectors: dict[str, Any]) -> int:
    return sum(len(group) for group in vectors.values() if isinstance(group, list))


def test_the_vectors_are_what_the_generator_makes() -> None:
    assert VECTORS.read_text() == make_vectors.vectors()


@needs_node
def test_a_program_written_from_the_page_alone_verifies_them() -> None:
    result = run(VECTORS)
    passed = count(json.loads(VECTORS.read_text()))
    assert (result.returncode, result.stdout) == (0, f"{passed} passed, 0 failed\n")


@needs_node
def test_a_vector_that_is_altered_in_each_group_fails(tmp_path: Path) -> None:
    vectors = json.loads(VECTORS.read_text())
    altered = copy.deepcopy(vectors)
    altered["canonical"][3]["value"] += "!"
    altered["salts"][0]["version"] += 1
    altered["commits"][1]["value"] += 1
    altered["nonces"][0]["seat"] += 1
    altered["seeds"][1]["nonces"].reverse()
    altered["draws"][1]["draws"][0]["result"] += 1
    altered["exports"][0]["events"][7]["public"]["pips"] += 1
    altered["exports"][1]["holds"] = True
    altered["views"][1]["events"][4]["secret"]["hand"]["value"].reverse()
    altered["keys"][1]["keys"].pop(1)
    altered["receipts"][0]["event"]["hash"] = "00" * 32
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(altered))
    result = run(path)
    assert result.returncode == 1
    failed = [" ".join(line.split(" ")[:2]).rstrip(":") for line in result.stdout.splitlines()[:-1]]
    groups = ["canonical 3", "salts 0", "commits 1", "nonces 0", "seeds 1", "draws 1", "exports 0", "exports 1"]
    assert failed == [*groups, "views 1", "keys 1", "receipts 0"]
    assert result.stdout.endswith(f"{count(vectors) - 11} passed, 11 failed\n")


@needs_node
def test_no_vectors_are_no_success(tmp_path: Path) -> None:
    path = tmp_path / "vectors.json"
    path.write_text("{}")
    assert run(path).returncode == 1
