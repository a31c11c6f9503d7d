"""Engines: what keeps the workers of a batch at work."""

from typing import TYPE_CHECKING

from sightline._lazy import NameGetter, lazily

if TYPE_CHECKING:
    from sightline.scale.engines._local import BatchEngine, LocalEngine
    from sightline.scale.engines._ray import RayEngine

__all__ = ["BatchEngine", "LocalEngine", "RayEngine"]

__getattr__: NameGetter = lazily(__name__, {"_local": "LocalEngine BatchEngine", "_ray": "RayEngine"})
