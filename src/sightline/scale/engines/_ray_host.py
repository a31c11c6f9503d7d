"""The Ray host: a process between the driver and a Ray cluster, which keeps the actors at work.

Ray ends the process that uses it when the head of the cluster is gone, leaves signal handlers and threads behind, and
prints. All of that happens to this process; the driver starts it again.
"""

import os
import pickle
import secrets
import shutil
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from sightline.errors import SightlineError, UsageError
from sightline.project import Lock
from sightline.scale.engines._ray_wire import RayOrder, RayReport, send, take_order

# A worker that is cancelled kills its child and gives its shard back, which takes a fraction of a second; Ray's own
# processes need one or two seconds to end.
STOP_SECONDS = 20.0


def main() -> None:
    """Serve the driver at standard input and output until the work is done or it hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver stops us
    up = _own_output()
    order = take_order(sys.stdin.buffer)
    if order is None:
        return
    over = threading.Event()
    threading.Thread(target=_wait_for_hangup, args=(over,), daemon=True).start()
    try:
        with _cluster(order):
            from sightline.scale.engines._ray_crew import RayCrew  # imports Ray, which reads the environment only then

            RayCrew(order, lambda working: send(up, RayReport(working=working)), over).run()
    except SightlineError as problem:
        send(up, RayReport(error=pickle.dumps(problem)))
    else:
        send(up, RayReport(finished=True))


def _cluster(order: RayOrder) -> AbstractContextManager[None]:
    return joined_cluster(order.address) if order.address else own_cluster(order.workers, Path(order.folder))


def _own_output() -> BinaryIO:
    """The way up to the driver; whatever Ray prints goes to standard error instead."""
    up = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    return up


def _wait_for_hangup(over: threading.Event) -> None:
    """Have everything end when the driver hangs up or dies, and end it by force if that takes too long."""
    while os.read(0, 1):  # not by sys.stdin, whose lock would be held when the process ends
        pass
    over.set()
    threading.Event().wait(STOP_SECONDS)
    os._exit(1)


# A Ray cluster to work on: one of our own on this machine, or one that runs already. For the host process alone.
#
# Every port of our own cluster is on the loopback interface and asks for a token that only this user can read. There is
# no dashboard, no usage statistics are sent, nothing is written to the user's home, and its files are removed in the
# end.

# Nothing of a batch goes through Ray's object store; Ray refuses less than 75 MB. They are reserved, not used.
_OBJECT_STORE = 80_000_000
_NAMESPACE = "sightline"
_QUIET = {"log_to_driver": False, "logging_level": "ERROR", "namespace": _NAMESPACE}
_OWN_ENVIRONMENT = {
    "RAY_AUTH_MODE": "token",
    "RAY_USAGE_STATS_ENABLED": "0",
    # Ray's way to say "loopback only", which is its default where firewalls ask questions.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # A head that is gone does not come back; by default, Ray ends its drivers after 60 seconds.
    "RAY_gcs_rpc_server_reconnect_timeout_s": "5",
    # By default, Ray's workers give way to everything else on the machine (nice 15); those of the local engine do not.
    "RAY_worker_niceness": "0",
}


@contextmanager
def own_cluster(workers: int, folder: Path) -> Iterator[None]:
    """A cluster on this machine with room for so many workers, gone after the `with`, as is its folder."""
    with _locked(folder):
        token = folder / "token"
        token.touch(mode=0o600)
        token.write_text(secrets.token_hex(32))
        for name in ("RAY_ADDRESS", "RAY_AUTH_TOKEN"):
            os.environ.pop(name, None)
        os.environ.update(_OWN_ENVIRONMENT, RAY_AUTH_TOKEN_PATH=str(token))
        with _connected(
            address="local",
            num_cpus=workers,
            num_gpus=0,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            _temp_dir=str(folder / "r"),
        ):
            yield


@contextmanager
def joined_cluster(address: str) -> Iterator[None]:
    """The cluster at an address, which must run on this machine as well; only our actors are gone after the `with`."""
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    with _connected(address=address):
        yield


@contextmanager
def _connected(**options: Any) -> Iterator[None]:
    import ray
    from ray.exceptions import AuthenticationError

    try:
        ray.init(**options, **_QUIET)
    except AuthenticationError as problem:
        raise UsageError(
            "There is no token for the Ray cluster; put it into the environment as RAY_AUTH_TOKEN or into the file "
            "~/.ray/auth_token, or set RAY_AUTH_MODE=disabled for a cluster that asks for none."
        ) from problem
    except RuntimeError as problem:
        if "ersion mismatch" not in str(problem):
            raise
        raise UsageError(
            f"The Ray cluster and this machine differ in their versions of Ray or Python: {problem}"
        ) from problem
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Hold the lock that says somebody works in a folder, and remove it in the end."""
    with Lock(folder, wait=True):
        try:
            yield
        finally:
            shutil.rmtree(folder, ignore_errors=True)
