"""What installed packages add: extractors, sources, targets, checks and steps of flows, each by an entry point.

An entry point names an object with a `name`: a `sightline.jobs.Extractor`, a `sightline.sources.SourceOpener`, a
`sightline.flow.deliver.TargetKind`, a `sightline.checks.RecordCheck` or a `sightline.flow.run.FlowFunction`. See
docs/plugins.md.
"""

from collections.abc import Collection
from functools import cache
from typing import Any, Protocol, TypeVar

from sightline.errors import UsageError

__all__ = ["GROUPS", "plugins"]

GROUPS = ("sightline.extractors", "sightline.sources", "sightline.targets", "sightline.checks", "sightline.steps")


class Named(Protocol):
    """What a plugin is found by."""

    @property
    def name(self) -> str:
        """Its name, or the scheme of its addresses."""


T = TypeVar("T", bound=Named)


def plugins(group: str, kind: type[T], ours: Collection[str] = ()) -> dict[str, T]:
    """The plugins of a group by their names; none can take the name of one of ours.

    >>> plugins("sightline.nothing", str)
    {}
    """
    found: dict[str, T] = {}
    for name, value, plugin in _loaded(group):
        if not isinstance(plugin, kind):
            raise UsageError(
                f"The plugin {name} ({value}) names {plugin!r:.60}, not a {kind.__module__.partition('._')[0]}."
                f"{kind.__name__}; fix its entry point or uninstall it."
            )
        if plugin.name in found or plugin.name in ours:
            raise UsageError(f"{plugin.name!r} is taken in {group}; uninstall the plugin {value}.")
        found[plugin.name] = plugin
    return found


@cache
def _loaded(group: str) -> tuple[tuple[str, str, Any], ...]:
    from importlib.metadata import entry_points  # slow to import

    return tuple((point.name, point.value, point.load()) for point in entry_points(group=group))
