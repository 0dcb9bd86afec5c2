"""The house: who may import what, beyond what import-linter can say; and what is shipped."""

import json
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import grimp
import pytest

CHECKOUT = Path(__file__).parents[1]
SPEAKABLE = {
    "services.event_log": {"port", "chain"},
    "services.messaging": {"port", "streams", "permissions", "warden"},
}
"""What other rooms may import of these two; the rest are adapters."""
LIBRARIES = {
    "nats": ("services.messaging", "services.cli.bench.raw"),
    "psycopg": ("services.event_log", "services.cli.bench.raw"),
    "sqlalchemy": ("services.event_log", "services.scoring", "services.web.profiles", "migrations"),
    "aiohttp": ("services.web", "services.cli.join.session.web"),
    "alembic": ("services.event_log", "migrations"),
    "click": ("services.cli",),
    "duckdb": ("services.analytics.parquet",),
    "prometheus_client": (
        "services.runtime.ops",
        "services.bot.thoughts",
        *(f"services.{worker}.metrics" for worker in ("table", "bot", "scoring", "auth", "web")),
    ),
    "opentelemetry": ("services.runtime.opentelemetry",),
    "nacl": ("services.replay.signed_heads", "services.auth.nkeys"),
    "textual": ("services.cli.screen",),
}
"""Which rooms may use a library at all."""
PURE = {
    "schemas": {"msgspec", "enum", "typing"},
    "services.rules": {
        "msgspec",
        "typing",
        "collections",
        "itertools",
        "functools",
        "hashlib",
        "hmac",
    },
}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("schemas", "services", "migrations", include_external_packages=True)


def inside(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


@pytest.mark.parametrize("package", PURE)
def test_pure_rooms_import_from_an_allow_list_only(graph: grimp.ImportGraph, package: str) -> None:
    ours = ("schemas",) if package == "schemas" else ("schemas", "services.rules")
    for module in graph.modules:
        if not inside(module, package):
            continue
        for imported in graph.find_modules_directly_imported_by(module):
            allowed = any(inside(imported, room) for room in ours) or imported in PURE[package]
            assert allowed, f"{module} imports {imported}"


def test_only_roots_name_an_adapter(graph: grimp.ImportGraph) -> None:
    """Composition roots and the command line; within its own room an adapter may."""
    for room, speakable in SPEAKABLE.items():
        for adapter in graph.find_descendants(room):
            if adapter.removeprefix(f"{room}.") in speakable:
                continue
            for importer in graph.find_modules_that_directly_import(adapter):
                root = importer.endswith(".__main__") or importer == "migrations.env"
                allowed = root or inside(importer, "services.cli") or inside(importer, room)
                assert allowed, f"{importer} names {adapter}"


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_is_used_in_its_rooms_only(graph: grimp.ImportGraph, library: str) -> None:
    for importer in graph.find_modules_that_directly_import(library):
        allowed = any(inside(importer, room) for room in LIBRARIES[library])
        assert allowed, f"{importer} uses {library}"


def test_ports_know_no_adapter(graph: grimp.ImportGraph) -> None:
    for port in ("services.event_log.port", "services.messaging.port"):
        room = port.rpartition(".")[0]
        inner = {m for m in graph.find_modules_directly_imported_by(port) if inside(m, room)}
        assert inner == set(), port


def test_no_dependency_ships_our_import_names() -> None:
    """Our packages have plain names, so nothing we install may have them too."""
    config = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    names = set(config["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
    assert names == {"schemas", "services", "migrations"}
    for name in names:
        assert set(metadata.packages_distributions().get(name, ["waraq"])) == {"waraq"}, name


def test_the_distribution_can_never_be_published() -> None:
    config = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())
    assert "Private :: Do Not Upload" in config["project"]["classifiers"]


def test_the_lock_names_no_host() -> None:
    assert "://" not in (CHECKOUT / "requirements.lock").read_text()


def test_the_lock_of_npm_has_a_hash_of_each_package_and_no_address() -> None:
    lock = json.loads((CHECKOUT / "tests" / "npm" / "package-lock.json").read_text())
    packages = {name: found for name, found in lock["packages"].items() if name}
    assert packages
    for name, found in packages.items():
        assert found["integrity"].startswith("sha512-"), name
        assert "resolved" not in found, name


def test_nothing_is_opened_at_import() -> None:
    """Importing every module of ours neither connects, nor reads settings, nor starts a thread."""
    program = (
        "import pkgutil, importlib, threading, os; os.environ.clear();\n"
        "import schemas, services\n"
        "for package in (schemas, services):\n"
        "    for found in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        importlib.import_module(found.name)\n"
        "assert threading.active_count() == 1\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("worker", ["table", "bot", "scoring", "auth"])
def test_a_worker_that_speaks_to_the_broker_does_not_load_aiohttp(worker: str) -> None:
    """nats-py would, for websockets (services/messaging/lean.py); it can be loaded afterwards."""
    program = (
        f"import sys, services.{worker}.__main__, nats.aio.client\n"
        "assert 'aiohttp' not in sys.modules\n"
        "import aiohttp\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, check=False)
    assert done.returncode == 0


def test_who_opens_a_websocket_has_aiohttp_whatever_was_loaded_before() -> None:
    program = (
        "import sys, services.messaging.jetstream\n"
        "from services.messaging.lean import load_websockets\n"
        "from nats.aio import transport\n"
        "assert transport.aiohttp is None\n"
        "load_websockets()\n"
        "assert transport.aiohttp is sys.modules['aiohttp']\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=CHECKOUT, check=False)
    assert done.returncode == 0
