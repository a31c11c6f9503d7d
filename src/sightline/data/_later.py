"""Results that make their largest part when it is first asked for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

__all__ = ["MadeLater"]


class MadeLater:
    """A frozen dataclass whose first field, `late_field`, can be made when it is first asked for.

    Until then the object refers to what the field is made of, such as a page; a copy or a pickle has it made.
    """

    late_field: ClassVar[str]

    @classmethod
    def made_later(cls, make: Callable[[], object], **details: Any) -> Self:
        """An object with these details; `make` makes its late field. Nothing is checked."""
        made = cls.__new__(cls)
        made.__dict__.update(details, _later=make)
        return made

    if not TYPE_CHECKING:  # for type checkers there are the fields alone

        def __getattr__(self, name: str) -> object:
            """The late field, once; Python asks here only for what is not there."""
            make = self.__dict__.get("_later") if name == self.late_field else None
            if make:
                self.__dict__[name] = make()
                self.__dict__.pop("_later", None)
            elif name not in self.__dict__:  # another thread may have made it meanwhile
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
            return self.__dict__[name]

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what the late field is made of."""
        made = {self.late_field: getattr(self, self.late_field)}
        return made | {name: value for name, value in self.__dict__.items() if name != "_later"}
