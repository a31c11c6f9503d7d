"""The one verb of delivery: it checks what was asked for and hands the load to its kind of target."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from importlib import import_module
from typing import Any, TypeAlias

from sightline.errors import MissingExtra, UsageError
from sightline.flow.deliver._catalogue import check_delivery, target_kind
from sightline.flow.deliver._load import Load, instant
from sightline.flow.deliver._loads import Delivered, DeliveryMode
from sightline.flow.deliver._target import DeliveryTarget, KindName
from sightline.settings import Settings

__all__ = ["deliver"]

_Way: TypeAlias = Callable[[Load, Iterable[Any]], Delivered]

# The module of each kind, imported only when it is used; all others are files.
_MODULES: dict[KindName, str] = {
    "duckdb": "_databases",
    "sqlite": "_databases",
    "postgresql": "_databases",
    "sqlalchemy": "_sqlalchemy",
    "parquet-folder": "_parquet",
    "delta": "_delta",
    "webhook": "_webhook",
    "soap": "_soap",
    "xml": "_xml",
}


def deliver(  # noqa: PLR0913 - keywords, each of them said seldom
    batches: Iterable[Any],
    target: str | DeliveryTarget,
    *,
    load: str,
    mode: DeliveryMode,
    key: Sequence[str] = (),
    at: datetime | None = None,
    allow_schema_changes: bool = False,
    options: Settings | Mapping[str, Any] | None = None,
    complete: bool = True,
) -> Delivered:
    """Deliver Arrow record batches to a target; the same `load` again does nothing, however the first one ended.

    `at` is the instant from which a history holds what came; without it, that is now. New columns and wider types are
    proposed by SchemaChanged, and made if `allow_schema_changes`; nothing is ever dropped. `options` are those of the
    kind of target, which `target_kind` names. In a history, keys that did not come are closed, unless the load is not
    `complete`.
    """
    place = DeliveryTarget.read(target) if isinstance(target, str) else target
    names = (key,) if isinstance(key, str) else tuple(key)
    if not load or "\0" in load:
        raise UsageError(f"A load needs an id, which {load!r} is not; give each run one of its own.")
    chosen = check_delivery(place, mode=mode, key=names, options=options)
    _check_instant(at, mode)
    wanted = Load(place, load, mode, names, instant(at), allow_schema_changes, chosen, complete)
    return _way(place)(wanted, batches)


def _way(target: DeliveryTarget) -> _Way:
    module = _MODULES.get(target.kind, "_files")
    try:
        way: _Way = import_module(f"sightline.flow.deliver.{module}").deliver_load
    except ImportError as problem:
        raise MissingExtra(target_kind(target).extra, f"Delivering to {target}") from problem
    return way


def _check_instant(at: datetime | None, mode: DeliveryMode) -> None:
    if at and mode != "history":
        raise UsageError(f"The mode {mode!r} has no use for an instant; leave out `at`, or use 'history'.")
    if at and at.tzinfo is None:
        raise UsageError(f"{at} has no time zone; give `at` one, such as `datetime.now(UTC)`.")
