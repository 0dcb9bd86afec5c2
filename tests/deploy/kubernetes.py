"""deploy/kubernetes as it is written, and as kustomize makes it where there is one."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from tests.deploy.cluster import DEPLOY

FOLDER: Final = DEPLOY / "kubernetes"
KUSTOMIZE: Final = 5
"""The oldest kustomize that knows what is written here."""
RENDER_WITHIN: Final = 60

Manifest = dict[str, Any]


def read(file: Path) -> list[Manifest]:
    return [one for one in yaml.safe_load_all(file.read_text()) if one is not None]


def written(folder: str) -> Iterator[Manifest]:
    """The objects of a folder before kustomize; its own files and patches are none."""
    for file in sorted((FOLDER / folder).glob("*.yaml")):
        if file.name in resources(FOLDER / folder):
            yield from read(file)


def resources(folder: Path) -> list[str]:
    found: list[str] = read(folder / "kustomization.yaml")[0].get("resources", [])
    return found


@cache
def has_kustomize() -> bool:
    if shutil.which("kubectl") is None:
        return False
    told = _kubectl("version", "--client", "--output=json")
    version = str(json.loads(told).get("kustomizeVersion", "v0"))
    return int(version.lstrip("v").partition(".")[0]) >= KUSTOMIZE


@cache
def rendered(overlay: str) -> tuple[Manifest, ...]:
    return tuple(yaml.safe_load_all(_kubectl("kustomize", str(FOLDER / overlay))))


def rendered_at(folder: Path) -> tuple[Manifest, ...]:
    return tuple(yaml.safe_load_all(_kubectl("kustomize", str(folder))))


def _kubectl(*words: str) -> str:
    done = subprocess.run(
        ["kubectl", *words],
        capture_output=True,
        encoding="utf-8",
        timeout=RENDER_WITHIN,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def of_kind(objects: Iterator[Manifest] | tuple[Manifest, ...], kind: str) -> dict[str, Manifest]:
    return {one["metadata"]["name"]: one for one in objects if one["kind"] == kind}


def pod_of(manifest: Manifest) -> Manifest:
    found: Manifest = manifest["spec"]["template"]["spec"]
    return found


def containers(manifest: Manifest) -> list[Manifest]:
    pod = pod_of(manifest)
    return [*pod.get("initContainers", ()), *pod["containers"]]
