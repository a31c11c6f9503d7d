"""Writing files: whole or not at all."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sightline.errors import OutputError, UsageError
from sightline.files import read_bytes, write_bytes

from ._wait import BOUND

FILL_THE_DISK = """
import resource, sys
from sightline.errors import OutputError, UsageError
from sightline.files import read_bytes, write_bytes
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_bytes(sys.argv[1], b"new" * 10_000)
except OutputError as error:
    print(error.message)
    sys.exit(7)
"""


def test_write_bytes_replaces_the_file(tmp_path: Path) -> None:
    """The new content stands under the name, and nothing else is left in the folder."""
    path = tmp_path / "x.bin"
    path.write_bytes(b"old")
    assert write_bytes(path, b"new") == path
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


def test_write_bytes_obeys_the_umask(tmp_path: Path) -> None:
    """A written file is as readable as any other new file, not only to its owner."""
    ordinary = tmp_path / "ordinary"
    ordinary.touch()
    assert write_bytes(tmp_path / "ours", b"").stat().st_mode == ordinary.stat().st_mode


def test_write_bytes_leaves_nothing_when_the_disk_is_full(tmp_path: Path) -> None:
    """When the system refuses more bytes in the middle, the old file is whole and no part is left."""
    path = tmp_path / "x.bin"
    path.write_bytes(b"old")
    done = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(path)], capture_output=True, text=True, timeout=BOUND
    )
    assert done.returncode == 7, done.stderr
    assert str(path) in done.stdout
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_write_bytes_leaves_nothing_when_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interrupt: type[BaseException]
) -> None:
    """Ctrl-C or `kill` in the middle leave the old file whole and no part beside it."""

    def interrupted(_: int) -> None:
        raise interrupt

    monkeypatch.setattr("os.fsync", interrupted)
    path = tmp_path / "x.bin"
    path.write_bytes(b"old")
    with pytest.raises(interrupt):
        write_bytes(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_write_bytes_names_the_place_that_does_not_exist(tmp_path: Path) -> None:
    """A missing folder is one clear error that names the file."""
    with pytest.raises(OutputError, match=r"nowhere/x\.bin"):
        write_bytes(tmp_path / "nowhere" / "x.bin", b"")


def test_write_bytes_takes_long_names(tmp_path: Path) -> None:
    """The temporary name does not make a long name too long."""
    assert write_bytes(tmp_path / ("n" * 250), b"x").read_bytes() == b"x"


def test_file_size_limit_is_a_real_limit() -> None:
    """The limit used above exists on this system, so that the test cannot pass by accident."""
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 1000


def test_a_file_is_read_up_to_a_size(tmp_path: Path) -> None:
    """A larger one is refused, not read."""
    path = tmp_path / "some.json"
    path.write_bytes(b"123456")
    assert read_bytes(path, "make one", 6) == b"123456"
    with pytest.raises(
        UsageError, match=r"some\.json: the file has more than 5 bytes, which none of its kind has; make one\."
    ):
        read_bytes(path, "make one", 5)


def test_what_cannot_be_a_name_is_told() -> None:
    """A name may come from a file as well."""
    with pytest.raises(UsageError, match="cannot be the name of a file; make one"):
        read_bytes("a\x00b", "make one")
