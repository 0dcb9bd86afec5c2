"""Alerts and the dashboard speak of metrics and labels that workers really tell."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from prometheus_client import CollectorRegistry
from prometheus_client.registry import Collector

from services.auth.metrics import AuthMetrics
from services.bot import thoughts
from services.bot.metrics import BotMetrics
from services.bot.thoughts import Thoughts
from services.runtime.health import Health
from services.runtime.ops import new_registry, watch
from services.scoring.metrics import ScoringMetrics
from services.table.metrics import Held, TableMetrics
from services.web.metrics import WebMetrics

CHECKOUT: Final = Path(__file__).parents[2]
PROMETHEUS: Final = CHECKOUT / "deploy" / "prometheus"
DASHBOARD: Final = CHECKOUT / "deploy" / "grafana" / "waraq.json"
PAGE: Final = CHECKOUT / "docs" / "observing.md"
PROMTOOL: Final = CHECKOUT / ".venv" / "bin" / "promtool"
OF_PROMETHEUS: Final = frozenset({"job", "instance"})
"""Labels that the scrape itself gives."""
SELECTOR: Final = re.compile(r"\b((?:waraq|process)_\w+|up)\b(?:\{([^}]*)\})?")
GROUPED: Final = re.compile(r"\bby \(([^)]*)\)")
SUFFIXES: Final = {
    "counter": ("_total",),
    "gauge": ("",),
    "histogram": ("_bucket", "_sum", "_count"),
}


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def expressions() -> Iterator[str]:
    yield from (rule["expr"] for rule in alerts())
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])


@cache
def told() -> Mapping[str, frozenset[str]]:
    """The labels of every series that the workers tell, by its name."""
    registry = new_registry()
    held = Held(open=0, live=0, commands=0, asks=0, unconfirmed=0, stalled=0.0)
    tables = TableMetrics(registry)
    tables.watch(lambda: [held], partitions=1)
    tables.watch_draining(lambda: False)
    bots = BotMetrics(registry)
    bots.watch_pool(running=lambda: 0, waiting=lambda: 0)
    ScoringMetrics(registry)
    AuthMetrics(registry)
    WebMetrics(registry)
    watch(registry, Health())
    return dict(_series(registry)) | {"up": frozenset()}


def _labels_of(collector: Collector) -> Iterable[str]:
    found: Iterable[str] = getattr(collector, "_labelnames", ())
    return thoughts.LABELS if isinstance(collector, Thoughts) else found


def _series(registry: CollectorRegistry) -> Iterator[tuple[str, frozenset[str]]]:
    labels = {
        name: frozenset(_labels_of(collector))
        for collector, names in registry._collector_to_names.items()
        for name in names
    }
    for family in registry.collect():
        for suffix in SUFFIXES.get(family.type, ("",)):
            own = labels.get(family.name, frozenset())
            yield family.name + suffix, own | ({"le"} if suffix == "_bucket" else set())


@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_an_expression_asks_for_what_is_told(expression: str) -> None:
    found = SELECTOR.findall(expression)
    assert found, "it asks for nothing"
    known: set[str] = set()
    for name, matchers in found:
        assert name in told(), f"{name} is told by nobody"
        known |= told()[name] | OF_PROMETHEUS
        wanted = set(re.findall(r"(\w+)\s*[=!]", matchers))
        assert wanted <= told()[name] | OF_PROMETHEUS
    for grouped in GROUPED.findall(expression):
        assert {label.strip() for label in grouped.split(",")} <= known


def test_an_expression_that_asks_for_what_is_not_told_is_found_out() -> None:
    with pytest.raises(AssertionError, match="told by nobody"):
        test_an_expression_asks_for_what_is_told("rate(waraq_cards_total[5m])")
    with pytest.raises(AssertionError):
        test_an_expression_asks_for_what_is_told('waraq_ready{player="x"}')
    with pytest.raises(AssertionError):
        test_an_expression_asks_for_what_is_told("sum by (match) (waraq_ready)")


def test_every_alert_says_how_bad_it_is_and_what_is_wrong() -> None:
    for rule in alerts():
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert rule["annotations"]["summary"]


def test_the_page_says_every_metric_of_ours_and_no_other() -> None:
    table = PAGE.read_text().partition("## What is counted")[2].partition("**Nobody")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    said = {f"waraq_{name}" for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    ours = {re.sub(r"_(bucket|sum|count)$", "", name) for name in told() if "waraq_" in name}
    assert said == ours


def promtool(*words: str) -> str:
    found = shutil.which("promtool", path=f"{PROMTOOL.parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        needed = "WARAQ_PROMTOOL_NEEDED" in os.environ
        (pytest.fail if needed else pytest.skip)("no promtool: `make check-alerts` fetches it")
    done = subprocess.run(
        [found, *words], cwd=PROMETHEUS, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_promtool_takes_the_rules() -> None:
    assert f"{len(alerts())} rules found" in promtool("check", "rules", "alerts.yml")


def test_promtool_takes_prometheus_own_file() -> None:
    assert "SUCCESS" in promtool("check", "config", "prometheus.yml")


def test_every_alert_rings_when_it_should_and_is_silent_beside() -> None:
    cases = yaml.safe_load((PROMETHEUS / "alerts_test.yml").read_text())["tests"]
    tried = [
        (one["name"].partition(" ")[0], bool(one["alert_rule_test"][0]["exp_alerts"]))
        for one in cases
    ]
    names = [rule["alert"] for rule in alerts()]
    assert sorted(tried) == sorted((name, rings) for name in names for rings in (True, False))
    assert "SUCCESS" in promtool("test", "rules", "alerts_test.yml")
