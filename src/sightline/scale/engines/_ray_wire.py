"""How the driver and its Ray host talk: one order goes down, reports come up, and hanging up means stop."""

from typing import BinaryIO

import msgspec

from sightline.scale._spec import WorkerConfig, read_frame, write_frame


class RayOrder(msgspec.Struct, frozen=True):
    """What the host is to keep at work, and where: on the cluster at `address`, or on one of its own in `folder`."""

    station: WorkerConfig
    workers: int
    address: str = ""
    folder: str = ""


class RayReport(msgspec.Struct, frozen=True):
    """How many workers are at work, sent every second; the last one says that all are done, or what went wrong."""

    working: int = 0
    finished: bool = False
    error: bytes = b""  # pickled


def send(stream: BinaryIO, message: RayOrder | RayReport) -> None:
    """Send a message at once."""
    write_frame(stream, message)


def take_order(stream: BinaryIO) -> RayOrder | None:
    """The order; None if the driver died before it gave one."""
    packed = read_frame(stream)
    return None if packed is None else msgspec.msgpack.decode(packed, type=RayOrder)


def take_report(stream: BinaryIO) -> RayReport | None:
    """The next report; None if the host has ended."""
    packed = read_frame(stream)
    return None if packed is None else msgspec.msgpack.decode(packed, type=RayReport)
