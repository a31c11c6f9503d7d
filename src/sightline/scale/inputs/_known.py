"""Inputs that a batch knows already: whether they are as they were, and what of newly named ones it does not know.

Names may be written in another way than when the batch began, relative to another folder, or together with more names.
A document that was listed by one name must not be listed again by another.
"""

import os
from collections.abc import Iterable
from functools import cached_property

from sightline.errors import SourceError, UsageError
from sightline.scale.inputs._pages import page_files
from sightline.scale.inputs._shapes import FILES, BatchInput
from sightline.scale.inputs._storage import files_identity, identity, is_address, is_remote, local_path, same_file

__all__ = ["KnownInputs"]


class KnownInputs:
    """The inputs of a batch that was begun in the folder `began_in`, to which their names are relative."""

    def __init__(self, inputs: Iterable[BatchInput], began_in: str) -> None:
        self._by_name = {one.name: one for one in inputs}
        self._began_in = began_in
        self._compared: set[str] = set()

    def news(self, found: BatchInput) -> BatchInput | None:
        """What of an input is not known yet; a UsageError if what is known has changed."""
        if found.kind == FILES:
            return self._new_pages(found)
        known = self._by_name.get(found.name) or self._by_file.get(same_file(found.names[0]))
        if known is None:
            return found
        self._compare(known, found.identity)
        return None

    def compare_rest(self, names: Iterable[str]) -> None:
        """Look at inputs that are still to be read, by their names, although nobody has named them this time.

        An unknown one was added in this moment by another driver, which has just seen it.
        """
        for name in names:
            if name in self._by_name and name not in self._compared:
                self._look_at(self._by_name[name])

    def _look_at(self, known: BatchInput) -> None:
        self._compare(known, _identity_now(known))

    def _new_pages(self, found: BatchInput) -> BatchInput | None:
        known = [one for one in self._by_name.values() if one.kind == FILES]
        for one in known:
            if one.names == found.names and not one.besides:
                self._compare(one, found.identity)
                return None
        before = {self._file(name): one for one in known for name in one.names}
        named = {same_file(name): name for name in found.names}
        for one in {before[file].name: before[file] for file in named if file in before}.values():
            self._look_at(one)
        new = tuple(name for file, name in named.items() if file not in before)
        return self._input(found, new, tuple(before)) if new else None

    def _input(self, found: BatchInput, names: tuple[str, ...], besides: tuple[str, ...]) -> BatchInput:
        if not besides:
            return found
        name = names[0] if len(names) == 1 else found.name
        if name in self._by_name:
            name = f"{name} ({len(self._by_name) + 1})"
        return BatchInput(name, FILES, files_identity(page_files(names, besides)), names=names, besides=besides)

    def _compare(self, known: BatchInput, identity_now: str) -> None:
        self._compared.add(known.name)
        if known.identity == identity_now:
            return
        if self._is_elsewhere(known):
            raise UsageError(
                f"This batch was begun in {self._began_in}, where {known.name} lies; give the command in that folder."
            )
        what = "has changed" if identity_now else "is gone"
        raise UsageError(
            f"{known.name} {what} since this batch was begun; restore it, or choose another folder to write to."
        )

    def _is_elsewhere(self, known: BatchInput) -> bool:
        """Whether its names stand for other files here than where the batch was begun."""
        return any(self._file(name) != same_file(name) for name in known.names)

    @cached_property
    def _by_file(self) -> dict[str, BatchInput]:
        return {self._file(one.names[0]): one for one in self._by_name.values() if one.kind != FILES}

    def _file(self, name: str) -> str:
        """The file that a name stood for when the batch was begun."""
        if is_address(name) or is_remote(name):
            return name
        return same_file(os.path.join(self._began_in, local_path(name)))  # noqa: PTH118 - as text, like all names here


def _identity_now(known: BatchInput) -> str:
    """Nothing if it is not there any more."""
    try:
        if known.kind == FILES:
            return files_identity(page_files(known.names, known.besides))
        return identity(known.names[0])
    except (OSError, SourceError):
        return ""
