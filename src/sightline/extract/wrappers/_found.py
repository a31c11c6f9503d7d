"""What a wrapper finds on a page, what is kept of how it was learned, and what all kinds of rules can do."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from sightline.data import Profile, Records, Schema, Verdict
from sightline.geometry import Box
from sightline.page import Page

__all__ = ["Checked", "Explained", "Found", "Judged", "Problem", "Training", "WrapperRules"]


class Problem(NamedTuple):
    """Where a page does not comply: the place, and what is wrong there."""

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
    """What a rule says of a node: whether the pattern takes it, and which conditions hold on it."""

    field: str
    rule: str
    taken: bool
    holds: tuple[str, ...]
    fails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """A page that the wrapper was checked on when it was made, and what came of it."""

    page: str
    verdict: Verdict
    found: float
    known: float


@dataclass(frozen=True, slots=True)
class Training:
    """How a wrapper was learned: from how many of the pages given, and how many of them comply."""

    pages: int = 0
    needed: int = 0
    complying: int = 0
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Found:
    """What a wrapper has found on a page: records, and how well the page complies with the template."""

    result_kind: ClassVar[str] = "records"

    records: Records
    verdict: Verdict
    found: float
    filled: float
    known: float
    problems: tuple[Problem, ...]
    template: int


class WrapperRules(Protocol):
    """What a wrapper reads pages by. Rules are never changed: mending them gives new ones.

    Each kind of rules is learned in its own way, and the wrapper around them is the same for all.
    """

    def read(self, page: Page, language: str | None, *, traced: bool = False) -> Found:
        """What is on a page; `language` is that of its values where the page does not say."""

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: what it was read as, and why."""

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What the rules say of one text or node."""

    def words(self) -> str:
        """The rules in words."""

    @property
    def profile(self) -> Profile:
        """What was extracted from the pages that the rules were made on."""

    @property
    def each(self) -> tuple[str, ...]:
        """The sets whose items are the records, one for each template; empty texts where a page is one record."""

    @property
    def schema(self) -> Schema:
        """What a page holds."""

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets that are handed out, those in a set with its name before them."""

    @property
    def beside(self) -> list[str]:
        """Fields of the pages that are not in the records, since these are the items of a set."""

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""

    def rename(self, old: str, new: str) -> "WrapperRules":
        """The rules with a field or set called otherwise; a field in a set is named `set.field`."""

    def drop(self, name: str) -> "WrapperRules":
        """The rules without a field, or without a whole set; `restore` brings it back."""

    def restore(self, name: str) -> "WrapperRules":
        """The rules with a field that was dropped."""

    def merge(self, *names: str, into: str | None = None) -> "WrapperRules":
        """The rules in which several fields are one, whichever of them a page has."""

    def split(self, name: str) -> "WrapperRules":
        """The rules in which the alternatives of a merged field are fields of their own again."""

    def records_of(self, name: str | None) -> "WrapperRules":
        """The rules whose records are the items of this set; with None each page is one record."""

    def to_json(self) -> dict[str, Any]:
        """Their part of the file of a wrapper; `learned` in it says which kind of rules they are."""
