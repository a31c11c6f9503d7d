"""What a wrapper finds on a page, how it was learned, and the protocol that all kinds of rules implement."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Protocol

from sightline.data import Option, Profile, Records, Schema, SetOf, TupleOf, Verdict
from sightline.geometry import Box
from sightline.page import Page


class Problem(NamedTuple):
    """Where a page deviates from the wrapper, and how."""

    xpath: str
    what: str


class Explained(NamedTuple):
    """One text of a page: what it was read as, and why. `field` is None for the template's own texts."""

    text: str
    xpath: str
    box: Box | None
    role: str
    field: str | None
    why: str


class Judged(NamedTuple):
    """What a rule says about a node: whether the pattern matches it, and which conditions hold for it."""

    field: str
    rule: str
    taken: bool
    holds: tuple[str, ...]
    fails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A page that the wrapper was checked on when it was made, and the result."""

    page: str
    verdict: Verdict
    found: float
    known: float


@dataclass(frozen=True, slots=True)
class Training:
    """How a wrapper was learned: how many pages were given, how many were needed, and how many comply."""

    pages: int = 0
    needed: int = 0
    complying: int = 0
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Found:
    """What a wrapper found on a page: records, and how well the page complies with the template.

    Reading is `given_up` if the rules themselves cannot be used on the page; the only problem says why. `from_data` are
    the fields with values that were not seen, but given by the page's own data.
    """

    result_kind: ClassVar[str] = "records"

    records: Records
    verdict: Verdict
    found: float
    filled: float
    known: float
    problems: tuple[Problem, ...]
    template: int
    given_up: bool = False
    from_data: tuple[str, ...] = ()


class WrapperRules(Protocol):
    """The rules by which a wrapper reads pages. Rules are immutable: editing them gives new ones.

    Each kind of rules is learned in its own way; the wrapper around them is the same for all.
    """

    def read(self, page: Page, language: str | None, *, traced: bool = False, heal: bool = True) -> Found:
        """Read a page; `language` is that of its values if the page does not say."""

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: what it was read as, and why."""

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What the rules say about one text or node."""

    def words(self) -> str:
        """The rules in words."""

    @property
    def profile(self) -> Profile:
        """The profile of the values extracted from the pages that the rules were learned on."""

    @property
    def each(self) -> tuple[str, ...]:
        """For each template, the set whose items are the records; empty if a page is one record."""

    @property
    def schema(self) -> Schema:
        """What a page holds."""

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets that are extracted; those in a set are prefixed with its name."""

    @property
    def beside(self) -> list[str]:
        """Fields of the page that are outside the records, because the records are the items of a set."""

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""

    def rename(self, old: str, new: str) -> "WrapperRules":
        """The rules with a field or set renamed; a field in a set is addressed as `set.field`."""

    def drop(self, name: str) -> "WrapperRules":
        """The rules without a field, or without a whole set; `restore` brings it back."""

    def restore(self, name: str) -> "WrapperRules":
        """The rules with a dropped field restored."""

    @property
    def aside(self) -> list[str]:
        """Fields that were found and set aside, as the pages are not about them."""

    def all_fields(self) -> "WrapperRules":
        """The rules with the fields that were set aside, too."""

    def merge(self, *names: str, into: str | None = None) -> "WrapperRules":
        """The rules with several fields merged into one, whichever of them a page has."""

    def split(self, name: str) -> "WrapperRules":
        """The rules with the alternatives of a merged field as separate fields again."""

    def records_of(self, name: str | None) -> "WrapperRules":
        """The rules with the items of this set as records; with None, each page is one record."""

    def to_json(self) -> dict[str, Any]:
        """Their part of a wrapper file; `learned` in it names the kind of rules."""


# -- the fields of a wrapper by name: renamed in its profile, and outlined for people -------------------------------


def renamed_profile(profile: Profile, old: str, new: str) -> Profile:
    """A profile with a field, or a set and all its fields, renamed; both names are full names."""
    fields = tuple(
        replace(field_profile, name=new_name(field_profile.name, old, new)) for field_profile in profile.fields
    )
    records = tuple(
        (new_name(name, old, new), _renamed_record(record, name, old, new)) for name, record in profile.records
    )
    return replace(profile, fields=fields, records=records)


def new_name(name: str, old: str, new: str) -> str:
    """What a field is called after it, or a set that it is in, was renamed; all names are full names."""
    if name == old:
        return new
    return new + name[len(old) :] if name.startswith(f"{old}.") else name


def _renamed_record(record: dict[str, tuple[str, ...]], holder: str, old: str, new: str) -> dict[str, tuple[str, ...]]:
    return {new_name(f"{holder}.{name}", old, new).rpartition(".")[2]: texts for name, texts in record.items()}


# The schema of a wrapper as an indented outline for people.

LONGEST_EXAMPLE = 60


def outline_lines(node: TupleOf, scope: str, examples: Mapping[str, str], indent: str = "") -> list[str]:
    """A line for each field with its type and an example; the fields of records follow, indented."""
    lines: list[str] = []
    for name, part in node.fields:
        marks, inner = "", part
        while isinstance(inner, Option | SetOf):
            marks += " optional" if isinstance(inner, Option) else " set of"
            inner = inner.item
        full = f"{scope}{name}"
        if isinstance(inner, TupleOf):
            lines += [f"{indent}{name}:{marks} records", *outline_lines(inner, f"{full}.", examples, indent + "  ")]
        else:
            example = examples.get(full, "")
            shown = f"  “{example[:LONGEST_EXAMPLE]}{'…' * (len(example) > LONGEST_EXAMPLE)}”" if example else ""
            lines.append(f"{indent}{name}:{marks} {inner}{shown}")
    return lines
