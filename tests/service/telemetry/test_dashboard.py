"""docs/grafana.json: what it asks for is there, and all that is there is on it, and on the page for operators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from service.telemetry import metrics
from tests.conventions.tree import ROOT

BOARD: dict[str, Any] = json.loads((ROOT / "docs" / "grafana.json").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
NAME = re.compile(r"\b(?:foldtable|process)_[a-z_]+\b")
LABELS = re.compile(r"\b(?:by|on|group_left)\s*\(([^)]*)\)")
PROMETHEUS_OWN = {"instance", "job", "le"}


def queries() -> Iterator[str]:
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            yield target["expr"]


def families() -> dict[str, set[str]]:
    """Metrics that there are, with the names of their samples."""
    suffixes = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_sum", "_count")}
    return {
        family.name: {family.name + suffix for suffix in suffixes[family.type]} for family in metrics.REGISTRY.collect()
    }


def labels() -> set[str]:
    """Labels that metrics of ours have."""
    return {label for collector in vars(metrics).values() for label in getattr(collector, "_labelnames", ())}


@pytest.mark.parametrize("query", sorted(queries()))
def test_what_a_query_asks_for_there_is(query: str) -> None:
    named = set(NAME.findall(query))
    assert named, "it asks for something of ours"
    assert named <= set().union(*families().values())
    grouped = {label.strip() for found in LABELS.findall(query) for label in found.split(",")}
    assert grouped <= labels() | PROMETHEUS_OWN
    assert query.count("(") == query.count(")")


def test_every_metric_of_ours_is_on_the_board_and_on_the_page() -> None:
    asked = {name for query in queries() for name in NAME.findall(query)}
    ours = {name: samples for name, samples in families().items() if name.startswith("foldtable_")}
    assert len(ours) == 12
    for name, samples in ours.items():
        assert samples & asked, name
        assert f"`{name}" in PAGE, name
    there = set().union(*families().values()) | set(families())
    assert set(re.findall(r"`(foldtable_\w+)", PAGE)) <= there


def test_it_is_a_board_that_can_be_imported() -> None:
    assert [panel["id"] for panel in BOARD["panels"]] == list(range(1, len(BOARD["panels"]) + 1))
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in BOARD["panels"]]
    assert len(set(places)) == len(places)
    (source,) = BOARD["templating"]["list"]
    for panel in BOARD["panels"]:
        assert panel["title"]
        for part in (panel, *panel["targets"]):
            assert part["datasource"] == {"type": "prometheus", "uid": f"${{{source['name']}}}"}
        assert len({target["refId"] for target in panel["targets"]}) == len(panel["targets"])
