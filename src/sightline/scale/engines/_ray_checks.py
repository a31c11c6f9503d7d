"""What a machine of a Ray cluster needs to have before it may work, and what to say if it does not."""

import socket

import msgspec

from sightline._version import __version__
from sightline.errors import UsageError
from sightline.scale._station import Station
from sightline.scale.ledger import POSTGRES

__all__ = ["WorkerPlace", "check_installed", "check_machines", "check_place", "check_tokens"]

_MISSING = "No module named 'sightline"
_NEVER_RAN = "The actor never ran"
_SURE = 3  # deaths in a row, since an actor may also be lost with its node before it runs


class WorkerPlace(msgspec.Struct, frozen=True):
    """Where an actor has come to run."""

    host: str
    version: str
    sees_folder: bool


def check_machines(station: Station, hosts: set[str]) -> None:
    """Reject a SQLite ledger for several machines: the locks of its file do not work across shared folders."""
    if hosts - {socket.gethostname()} and not station.ledger.startswith(POSTGRES):
        raise UsageError(
            f"The Ray cluster has other machines than this one ({', '.join(sorted(hosts))}), and a SQLite ledger works "
            "on one only; name a PostgreSQL ledger by --ledger postgresql://…, and an output folder that all machines "
            "share."
        )


def check_place(station: Station, place: WorkerPlace) -> None:
    """Reject a machine with another version, or from which the folder of the batch cannot be seen."""
    check_machines(station, {place.host})
    if place.version != station.version:
        raise UsageError(
            f"The machine {place.host} has Sightline {place.version}, and this one has {station.version}; install the "
            "same version on all machines of the Ray cluster."
        )
    if not place.sees_folder:
        raise UsageError(
            f"The machine {place.host} does not see {station.folder}; choose an output folder that all machines of the "
            "Ray cluster share under the same path."
        )


def check_installed(problem: str) -> None:
    """Recognise the error of a machine that cannot import us."""
    if _MISSING in problem:
        raise UsageError(
            f"A machine of the Ray cluster has no Sightline {__version__}; install the same version on all of them."
        )


def check_tokens(problem: str, deaths: int) -> None:
    """Recognise a cluster without tokens: it takes our actors, but cannot reach us, who ask for one, and drops them."""
    if _NEVER_RAN in problem and deaths >= _SURE:
        raise UsageError(
            "The Ray cluster gives up every worker before it begins, as one does that uses no tokens; start it with "
            "RAY_AUTH_MODE=token, or set RAY_AUTH_MODE=disabled here if you trust everybody on its network."
        )
