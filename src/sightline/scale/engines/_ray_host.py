"""The Ray host: a process between the driver and a Ray cluster, which keeps the actors at work.

Ray ends the process that uses it when the head of the cluster is gone, leaves signal handlers and threads behind, and
prints. All of that happens to this process; the driver starts it again.
"""

import os
import pickle
import signal
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from sightline.errors import SightlineError
from sightline.scale.engines._ray_cluster import joined_cluster, own_cluster
from sightline.scale.engines._ray_wire import RayOrder, RayReport, send, take_order

__all__ = ["main"]

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
