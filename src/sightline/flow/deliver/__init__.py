"""Delivery of rows, exactly once: to tables of databases, files, folders, and services on the web.

How it works is described in docs/delivery.md.
"""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.flow.deliver._deliver import TARGET_KINDS, check_delivery, check_target, deliver, target_kind
    from sightline.flow.deliver._target import (
        DatedLoad,
        Delivered,
        DeliveryMode,
        DeliveryTarget,
        DeliveryWay,
        KindName,
        Load,
        NoOptions,
        PostOptions,
        SoapOptions,
        TargetKind,
        TextFileOptions,
        XmlOptions,
    )

__all__ = [
    "TARGET_KINDS",
    "DatedLoad",
    "Delivered",
    "DeliveryMode",
    "DeliveryTarget",
    "DeliveryWay",
    "KindName",
    "Load",
    "NoOptions",
    "PostOptions",
    "SoapOptions",
    "TargetKind",
    "TextFileOptions",
    "XmlOptions",
    "check_delivery",
    "check_target",
    "deliver",
    "target_kind",
]

__getattr__: NameGetter = lazily(
    __name__,
    {
        "_deliver": "deliver TARGET_KINDS check_delivery check_target target_kind",
        "_target": "DatedLoad DeliveryTarget DeliveryWay KindName Load NoOptions PostOptions SoapOptions TargetKind "
        "TextFileOptions XmlOptions Delivered DeliveryMode",
    },
)
