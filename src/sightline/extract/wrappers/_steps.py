"""The steps of a lesson as data: what people said, one after another, in words and as plain JSON.

A lesson is the sum of its steps, so it is saved as their list, and going back is a position in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from sightline.documents import check_document
from sightline.errors import UsageError
from sightline.extract.wrappers.patterns import Rule, rule_from_json, rule_to_json

if TYPE_CHECKING:
    from sightline.extract.wrappers._forms import StepAction

__all__ = ["FORMAT", "VERSION", "LessonStep", "check_lesson", "step_from_json"]

FORMAT = "sightline lesson"
VERSION = 1
LONGEST_WORDS = 60  # characters of an example in the words of a step

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class LessonStep:
    """One step of a lesson: what was done, to which field or page, and with which example.

    An example is a `node`, a `text` or a `point`. `values` and `records` are what a page was shown with, `fields` and
    `into` what was grouped under which name, `to` the new name of a field. `page` is the id of the page.

    >>> LessonStep("rename", field="price", to="Price").words
    'renamed price → Price'
    """

    action: "StepAction"
    page: str = ""
    field: str = ""
    node: int | None = None
    text: str | None = None
    point: Point | None = None
    to: str = ""
    fields: tuple[str, ...] = ()
    into: str = ""
    rules: tuple[Rule, ...] = ()
    values: Mapping[str, Sequence[str]] | None = None
    records: Sequence[Mapping[str, Any]] = ()
    said: str = ""

    @property
    def words(self) -> str:
        """The step in words, for a list of what was done."""
        said = self.said or self.text or ""
        shown = f"“{said[:LONGEST_WORDS]}{'…' * (len(said) > LONGEST_WORDS)}”"
        return {
            "want": f"{self.field}: {shown}",
            "reject": f"rejected {shown} as {self.field}",
            "absent": f"no {self.field} on a page",
            "only": f"no other {self.field} on a page",
            "show": f"showed {', '.join([*(self.values or ()), *([self.into] if self.records else [])])}",
            "add page": "added a page",
            "remove page": "removed a page",
            "rename": f"renamed {self.field} → {self.to}",
            "drop": f"dropped {self.field}",
            "group": f"grouped {', '.join(self.fields)} as {self.into}",
            "rule": f"edited the rule of {self.field}",
        }[self.action]

    def to_json(self) -> dict[str, Any]:
        """The step as plain values; `words` are only for reading."""
        document: dict[str, Any] = {"action": self.action}
        for key in ("page", "field", "to", "into", "said"):
            if getattr(self, key):
                document[key] = getattr(self, key)
        for key in ("node", "text"):
            if getattr(self, key) is not None:
                document[key] = getattr(self, key)
        if self.point is not None:
            document["point"] = list(self.point)
        if self.fields:
            document["fields"] = list(self.fields)
        if self.rules:
            document["rules"] = [rule_to_json(rule) for rule in self.rules]
        if self.values is not None:
            document["values"] = {name: list(texts) for name, texts in self.values.items()}
        if self.records:
            document["records"] = list(self.records)
        return document | {"words": self.words}


def step_from_json(document: Any) -> LessonStep:
    """A step from plain values, such as a request's body; what cannot be one is an error.

    >>> step_from_json({"action": "want", "field": "price", "text": "$5", "page": "3f2a"}).words
    'price: “$5”'
    """
    from sightline.extract.wrappers._forms import StepForm  # only here: reading pages does not need it

    check_document(document, StepForm)
    point = document.get("point")
    return LessonStep(
        document["action"],
        document.get("page", ""),
        document.get("field", ""),
        document.get("node"),
        document.get("text"),
        None if point is None else (float(point[0]), float(point[1])),
        document.get("to", ""),
        tuple(document.get("fields", ())),
        document.get("into", ""),
        tuple(map(rule_from_json, document.get("rules", ()))),
        document.get("values"),
        tuple(document.get("records", ())),
        document.get("said", ""),
    )


def check_lesson(document: Any) -> None:
    """Refuse what is not a lesson of this version."""
    from sightline.extract.wrappers._forms import LessonForm

    again = "begin one with teach(page)"
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise UsageError(f"This is not a lesson; {again}.")
    if document.get("version") != VERSION:
        raise UsageError(
            f"This lesson has version {document.get('version')!r:.60}, but this Sightline reads version {VERSION}; "
            f"{again}."
        )
    try:
        check_document(document, LessonForm)
        if document["at"] > len(document.get("steps", ())):
            raise UsageError(f"it is at step {document['at']} of {len(document.get('steps', ()))}")
    except UsageError as problem:
        reason = str(problem).removesuffix(".")
        raise UsageError(f"This lesson is damaged ({reason}); fix the file, or {again}.") from problem
