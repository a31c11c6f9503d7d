"""Results that make their larger parts when they are first asked for."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, TypeVar

__all__ = ["MadeLater", "late"]

Kind = TypeVar("Kind", bound="type[MadeLater]")


Make: TypeAlias = Callable[[], Mapping[str, object]]


class MadeLater:
    """A frozen dataclass some of whose fields, `late_fields`, can be made when one of them is first asked for.

    Until then the object refers to what they are made of, such as a page; a copy or a pickle has them made.
    """

    late_fields: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def made_later(cls, make: Make | Mapping[str, Make], **details: Any) -> Self:
        """An object with these details; `make` makes its late fields, or some for each name. Nothing is checked."""
        made = cls.__new__(cls)
        makes = make if isinstance(make, Mapping) else dict.fromkeys(cls.late_fields, make)
        made.__dict__.update(details, _later=makes)
        return made

    if not TYPE_CHECKING:  # for type checkers there are the fields alone

        def __getattr__(self, name: str) -> object:
            """A late field; Python asks here only for what is not there."""
            make = self.__dict__.get("_later", {}).get(name)
            if make:
                self.__dict__.update(make())
                if all(field in self.__dict__ for field in self.late_fields):
                    self.__dict__.pop("_later", None)
            elif name not in self.__dict__:  # another thread may have made it meanwhile
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what the late fields are made of."""
        made = {name: getattr(self, name) for name in self.late_fields}
        return made | {name: value for name, value in self.__dict__.items() if name != "_later"}


def late(*names: str) -> Callable[[Kind], Kind]:
    """Let these fields of a dataclass be made later: the class drops their defaults, which its constructor keeps.

    With a default on the class, Python would never ask for what is not there yet.
    """

    def mark(kind: Kind) -> Kind:
        kind.late_fields = names
        for name in names:
            if name in kind.__dict__:
                delattr(kind, name)
        return kind

    return mark
