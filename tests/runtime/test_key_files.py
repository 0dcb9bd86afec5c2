"""Key files: only their owner may read them, and of what an orchestrator mounts one group."""

import os
from pathlib import Path

import pytest

from services.runtime.key_files import KEY_BYTES, KeyUnusable, read_key_file

KEY = b"k" * KEY_BYTES
US = 10_001


def key_file(folder: Path, mode: int) -> Path:
    path = folder / "some.key"
    path.write_bytes(KEY)
    path.chmod(mode)
    return path


class Owned:
    """`path.stat()` as it would be for a file of `owner`, asked by user `US`."""

    def __init__(self, patch: pytest.MonkeyPatch, owner: int) -> None:
        real = Path.stat

        def stat(path: Path, **how: bool) -> os.stat_result:
            found = list(real(path, **how))
            found[4] = owner
            return os.stat_result(found)

        patch.setattr(Path, "stat", stat)
        patch.setattr(os, "geteuid", lambda: US)


@pytest.mark.parametrize("mode", [0o600, 0o400])
@pytest.mark.parametrize("owner", [0, US])
def test_what_only_its_owner_reads_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, owner: int
) -> None:
    Owned(monkeypatch, owner)
    assert read_key_file(key_file(tmp_path, mode), "some key") == KEY


@pytest.mark.parametrize("mode", [0o640, 0o440])
def test_roots_own_file_may_be_read_by_one_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    Owned(monkeypatch, owner=0)
    assert read_key_file(key_file(tmp_path, mode), "some key") == KEY


@pytest.mark.parametrize(
    ("mode", "owner"), [(0o640, US), (0o440, US), (0o660, 0), (0o644, 0), (0o604, US), (0o610, 0)]
)
def test_no_other_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, owner: int
) -> None:
    Owned(monkeypatch, owner)
    with pytest.raises(KeyUnusable, match=r"some key .* is open to others: chmod 600"):
        read_key_file(key_file(tmp_path, mode), "some key")


def test_root_itself_has_files_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Owned(monkeypatch, owner=0)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(KeyUnusable):
        read_key_file(key_file(tmp_path, 0o640), "some key")
