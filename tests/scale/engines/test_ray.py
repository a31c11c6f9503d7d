"""Tests of the Ray engine: a real Ray on this machine, whose processes are killed."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from ..._wait import wait_until
from .._corpus import Gate, Output, true_prices, write_pages, write_plugin

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the processes of Ray in /proc")

Environment: TypeAlias = dict[str, str]

DRIVER = """
import sys
from sightline.errors import SightlineError
from sightline.scale import BatchSettings, batch
pages, folder, address = sys.argv[1:]
settings = BatchSettings(workers=1, shard=10)
try:
    run = batch("poisoned", pages, folder, engine="ray", ray_address=address or None, settings=settings)
except SightlineError as error:
    sys.exit(str(error))
print("complete" if run.complete else run.counts)
"""
# A head that works on nothing, and two nodes, as on several machines.
CLUSTER = """
import signal, sys
from ray.cluster_utils import Cluster
head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000, "temp_dir": sys.argv[1]}
cluster = Cluster(True, head_node_args=head)
for _ in range(2):
    cluster.add_node(num_cpus=1, object_store_memory=80_000_000, wait=False)
signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nodes that are killed are reaped, as by the init of a machine
print(cluster.address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a short name, since the names of sockets must be short; nothing may be left in it."""
    folder = Path(tempfile.mkdtemp(prefix="t", dir="/tmp"))
    yield folder
    shutil.rmtree(folder)


@contextmanager
def driver(pages: Path, folder: Path, environment: Environment, address: str = "") -> Iterator["subprocess.Popen[str]"]:
    """A batch in a process of its own, ended with the block."""
    command = [sys.executable, "-c", DRIVER, str(pages), str(folder), address]
    with subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def cluster(place: Path, environment: Environment) -> Iterator[str]:
    """The address of a cluster that somebody else has started."""
    command = [sys.executable, "-c", CLUSTER, str(place / "ray")]
    with subprocess.Popen(
        command, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address
        yield address


def parent(process: int) -> int:
    """The process that has started another."""
    return int(Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[1])


def command_of(process: int) -> str:
    """How a process was called."""
    return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()


def reader(gate: Gate) -> int:
    """The process that waits at the gate, which is closed again behind it."""
    wait_until(gate.process)
    found = gate.process()
    gate.close()
    return found


def is_gone(process: int) -> bool:
    """Whether a process has ended; one that only nobody has reaped yet has."""
    try:
        return not command_of(process)
    except OSError:
        return True


def family(process: int) -> list[int]:
    """A process and all that it has started, and they in turn."""
    found = [process]
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        for child in children.read_text().split():
            found += family(int(child))
    return found


@pytest.mark.slow
def test_what_dies_of_ray_is_started_again(tmp_path: Path, place: Path) -> None:
    """An actor, then the whole node is killed; every page is read in the end, and nothing of Ray is left behind."""
    gate = Gate(tmp_path)
    environment = {**os.environ, **write_plugin(tmp_path / "plugin"), "GATE": str(gate.path), "TMPDIR": str(place)}
    pages = write_pages(tmp_path / "pages", 25, {12: "wait"})
    with driver(pages, tmp_path / "out", environment) as process:
        first = reader(gate)
        os.kill(parent(first), signal.SIGKILL)
        wait_until(lambda: is_gone(first))
        second = reader(gate)
        node = parent(parent(second))
        assert "raylet" in command_of(node)
        os.kill(node, signal.SIGKILL)
        wait_until(lambda: is_gone(second))
        wait_until(gate.process)
        (own,) = place.glob("sl-ray-*")
        assert (own / "token").stat().st_mode & 0o777 == 0o600
        everybody = family(process.pid)
        assert gate.process() in everybody
        gate.open()
        output, errors = process.communicate()
    assert (output, errors) == ("complete\n", "")
    assert Output(tmp_path / "out").prices() == true_prices(range(25))
    wait_until(lambda: all(map(is_gone, everybody)))
    assert not list(place.iterdir())


@pytest.mark.slow
def test_a_cluster_of_others_needs_its_token_and_may_lose_nodes(tmp_path: Path, place: Path) -> None:
    """Without the token, the driver says so. With it, a batch goes on, on another node, when one is killed."""
    gate = Gate(tmp_path)
    home = {"HOME": str(place), "RAY_TMPDIR": str(place)}
    plugin = {**os.environ, **write_plugin(tmp_path / "plugin"), **home, "GATE": str(gate.path)}
    (place / "token").write_text("0123456789abcdef" * 4)
    with_token = {**plugin, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(place / "token")}
    pages = write_pages(tmp_path / "pages", 25, {12: "wait"})
    with cluster(place, with_token) as address:
        with driver(pages, tmp_path / "out", plugin, address) as process:
            output, errors = process.communicate()
        assert "no token for the Ray cluster" in errors
        with driver(pages, tmp_path / "out", with_token, address) as process:
            first = reader(gate)
            node = parent(parent(first))
            assert "raylet" in command_of(node)
            os.kill(node, signal.SIGKILL)
            wait_until(lambda: is_gone(first))
            wait_until(gate.process)
            assert parent(parent(gate.process())) != node
            gate.open()
            output, errors = process.communicate()
    assert (output, errors) == ("complete\n", "")
    assert Output(tmp_path / "out").prices() == true_prices(range(25))
    assert not list((tmp_path / "out" / "_work").glob("*.mark"))
