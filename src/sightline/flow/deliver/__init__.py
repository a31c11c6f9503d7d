"""Delivery of rows to a database, exactly once: append, replace, upsert by key, history.

How it works is described in docs/delivery.md.
"""

from typing import TYPE_CHECKING

from sightline._lazy import lazily

if TYPE_CHECKING:
    from sightline.flow.deliver._deliver import deliver
    from sightline.flow.deliver._loads import Delivered, DeliveryMode
    from sightline.flow.deliver._target import DeliveryTarget, EngineName

__all__ = ["Delivered", "DeliveryMode", "DeliveryTarget", "EngineName", "deliver"]

__getattr__ = lazily(
    __name__, {"_deliver": "deliver", "_loads": "Delivered DeliveryMode", "_target": "DeliveryTarget EngineName"}
)
