"""Rules with all that is known of how they were learned: what a wrapper reads by, and what people may change of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Self, TypeVar

from sightline.data import Profile, Schema
from sightline.extract.wrappers._data_rules import DataRules, learn_data_rules
from sightline.extract.wrappers._data_use import still_agreeing, with_data
from sightline.extract.wrappers._found import Checked, Found, Training, WrapperRules
from sightline.page import Page


@dataclass(frozen=True, eq=False)
class TrainedRules:
    """The data of a wrapper; `Wrapper` adds what is made from it: repairs, code, files."""

    rules: WrapperRules
    rendered: bool = False  # learned from pages with a layout
    plain: bool = False  # though learned so, it was seen to read the same from pages without
    language: str | None = None
    training: Training = field(default_factory=Training)
    checked: tuple[Checked, ...] = ()
    behind: DataRules = field(default_factory=DataRules)
    """Where the pages' own data gives what the rules find: one more rule for each such field."""

    @property
    def needs(self) -> Literal["static", "rendered"]:
        """How pages must be opened for it: the HTML suffices, or a browser has to lay them out."""
        return "rendered" if self.rendered and not self.plain else "static"

    def read(self, page: Page, *, traced: bool = False, heal: bool = True) -> Found:
        """Read a page, with the verdict and, if it is not ok (or if `traced`), the reasons.

        On a page that is built differently, a taught wrapper looks for fields that its rules no longer find, and
        delivers them as suspicious; without `heal` only what the rules find counts. Where the page's own data says
        something else than what is seen, the page is suspicious; what only the data has is given from there.
        """
        found = self.rules.read(page, self.language, traced=traced, heal=heal)
        if not self.behind or found.given_up:
            return found
        return with_data(found, page, self.behind, self.rules, unseen=self.rendered and page.kind == "static")

    def with_data_of(self, pages: Sequence[Page], found: Sequence[Found]) -> Self:
        """The wrapper with what the own data of some pages gives of what it found on them."""
        return replace(self, behind=learn_data_rules(self.rules.each, pages, found, self.language))

    def with_agreeing_data(self, pages: Sequence[Page]) -> Self:
        """The wrapper without what the own data of some pages says otherwise, since they are made differently now."""
        if not self.behind:
            return self
        found = [self.rules.read(page, self.language, heal=False) for page in pages]
        return replace(self, behind=still_agreeing(self.behind, self.rules, pages, found))

    @property
    def profile(self) -> Profile:
        """The profile of the values extracted when the wrapper was made."""
        return self.rules.profile

    # ------------------------------------------------------------------ the schema

    @property
    def schema(self) -> Schema:
        """What a page holds; a disjunction if the pages have several templates."""
        return self.rules.schema

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets that are extracted; those in a set are prefixed with its name."""
        return self.rules.fields

    @property
    def beside(self) -> list[str]:
        """Fields of the page that are outside the records, because the records are the items of a set."""
        return self.rules.beside

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""
        return self.rules.outline()

    # ------------------------------------------------------------------ editing

    def rename(self, old: str, new: str) -> Self:
        """The wrapper with a field or set renamed; a field in a set is addressed as `set.field`."""
        holder, dot, _ = old.rpartition(".")
        behind = self.behind.renamed(old, f"{holder}{dot}{new}")
        return replace(self, rules=self.rules.rename(old, new), behind=behind)

    def drop(self, name: str) -> Self:
        """The wrapper without a field, or without a whole set; `restore` brings it back.

        If nothing is left of the set whose items are the records, a page becomes one record.
        """
        return replace(self, rules=self.rules.drop(name))

    def restore(self, name: str) -> Self:
        """The wrapper with a dropped field restored."""
        return replace(self, rules=self.rules.restore(name))

    @property
    def aside(self) -> list[str]:
        """Fields that were found and set aside, as the pages are not about them: menus, related things, repetitions."""
        return self.rules.aside

    def all_fields(self) -> Self:
        """The wrapper with the fields that were set aside, too, after the others."""
        return replace(self, rules=self.rules.all_fields())

    def merge(self, *names: str, into: str | None = None) -> Self:
        """The wrapper with several fields merged into one, whichever of them a page has."""
        return replace(self, rules=self.rules.merge(*names, into=into), behind=self.behind.without(*names))

    def split(self, name: str) -> Self:
        """The wrapper with the alternatives of a merged field as separate fields again."""
        return replace(self, rules=self.rules.split(name), behind=self.behind.without(name))

    def records_of(self, name: str | None) -> Self:
        """The wrapper with the items of this set as records; with None, each page is one record."""
        return replace(self, rules=self.rules.records_of(name))


Trained = TypeVar("Trained", bound=TrainedRules)
