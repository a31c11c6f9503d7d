"""The wrapper: what was learned about the pages of a site, as one value that reads, verifies, explains and is kept."""

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sightline.data import Profile, Records, Schema
from sightline.errors import UsageError, VerificationError
from sightline.extract.wrappers._found import Checked, Explained, Found, Judged, Training, WrapperRules
from sightline.extract.wrappers.patterns import BY_EXAMPLES, Patterns
from sightline.extract.wrappers.templates import FROM_PAGES, Templates, pretty
from sightline.page import Page

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from pathlib import Path

    from sightline.extract.wrappers._repair import Proposal

__all__ = ["Wrapper"]

FORMAT = "sightline wrapper"
VERSION = 1
AGAIN = "make one with `sightline teach` or `sightline induce`"


@dataclass(frozen=True, eq=False)
class Wrapper:
    """Rules to read the pages of a site by, and how they were learned. It is never changed: mending it gives a new one.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> wrapper = induce(shop_pages(4))
    >>> print(wrapper.schema)
    (title: text, Price: money EUR, Weight: measure g?)
    >>> wrapper.rename("title", "name").extract(shop_pages(5)[4]).to_dicts()
    [{'name': 'Camera 4', 'Price': '104 €', 'Weight': '540 g'}]
    """

    rules: WrapperRules
    rendered: bool = False
    language: str | None = None
    training: Training = field(default_factory=Training)
    checked: tuple[Checked, ...] = ()

    # ------------------------------------------------------------------ reading pages

    def read(self, page: Page, *, traced: bool = False) -> Found:
        """What is on a page, with the verdict and, where it is not ok (or when `traced`), the reasons."""
        return self.rules.read(page, self.language, traced=traced)

    def extract(self, page: Page) -> Records:
        """The records of a page; a page that is not of this template is an error that says where it differs."""
        found = self.read(page)
        if found.verdict == "failed":
            raise VerificationError(page.url or page.title or "the page", _reason(found, self.rules))
        return found.records

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: what it was read as, and why."""
        return self.rules.explain(page)

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What the rules say of one text or node: which conditions accept it, and which reject it."""
        return self.rules.judge(page, example)

    def words(self) -> str:
        """The rules in words."""
        return self.rules.words()

    def repair(self, pages: "Sequence[Page]") -> "Proposal":
        """A proposal for pages that were built anew: a new wrapper, what changed, and how sure that is.

        Nothing is replaced: this wrapper stays as it is, and the proposal's is yours to take.
        """
        from sightline.extract.wrappers._repair import repaired

        return repaired(self, pages)

    def to_code(self, framework: str, *, name: str = "Item") -> str:
        """The wrapper as Python code for another framework: `web-poet` (a page object) or `scrapy` (a spider)."""
        from sightline.extract.wrappers._code import code_for

        return code_for(self, framework, name)

    @property
    def profile(self) -> Profile:
        """What the wrapper extracted when it was made."""
        return self.rules.profile

    # ------------------------------------------------------------------ the schema

    @property
    def schema(self) -> Schema:
        """What a page holds; a disjunction where the pages are of several templates."""
        return self.rules.schema

    @property
    def fields(self) -> list[str]:
        """The names of all fields and sets that are handed out, those in a set with its name before them."""
        return self.rules.fields

    @property
    def beside(self) -> list[str]:
        """Fields of the pages that are not in the records, since these are the items of a set."""
        return self.rules.beside

    def outline(self) -> str:
        """The schema as an indented outline, with an example for each field."""
        return self.rules.outline()

    # ------------------------------------------------------------------ mending

    def rename(self, old: str, new: str) -> "Wrapper":
        """The wrapper with a field or set called otherwise; a field in a set is named `set.field`."""
        return replace(self, rules=self.rules.rename(old, new))

    def drop(self, name: str) -> "Wrapper":
        """The wrapper without a field, or without a whole set; `restore` brings it back.

        Where nothing is left of the set whose items are the records, a page is one record.
        """
        return replace(self, rules=self.rules.drop(name))

    def restore(self, name: str) -> "Wrapper":
        """The wrapper with a field that was dropped."""
        return replace(self, rules=self.rules.restore(name))

    def merge(self, *names: str, into: str | None = None) -> "Wrapper":
        """The wrapper in which several fields are one, whichever of them a page has."""
        return replace(self, rules=self.rules.merge(*names, into=into))

    def split(self, name: str) -> "Wrapper":
        """The wrapper in which the alternatives of a merged field are fields of their own again."""
        return replace(self, rules=self.rules.split(name))

    def records_of(self, name: str | None) -> "Wrapper":
        """The wrapper whose records are the items of this set; with None each page is one record."""
        return replace(self, rules=self.rules.records_of(name))

    # ------------------------------------------------------------------ keeping

    def save(self, path: "str | PathLike[str]") -> "Path":
        """Write the wrapper into one `.json` file; nothing half-written is ever left."""
        from sightline.files import write_bytes

        if not str(path).endswith(".json"):
            raise UsageError(f"{path}: wrappers are saved as .json files; give the file that suffix.")
        return write_bytes(path, self.dumps().encode())

    @classmethod
    def load(cls, path: "str | PathLike[str]") -> "Wrapper":
        """The wrapper in a file.

        >>> Wrapper.load("missing.wrapper.json")
        Traceback (most recent call last):
        ...
        sightline.errors.UsageError: missing.wrapper.json: there is no such file; make one with `sightline teach` ...
        """
        from sightline.files import read_bytes

        content = read_bytes(path, AGAIN)
        try:
            return cls.loads(content)
        except UsageError as problem:
            raise UsageError(f"{path}: {problem}") from problem

    def dumps(self) -> str:
        """The wrapper as one readable JSON document."""
        return pretty(self.to_json()) + "\n"

    @classmethod
    def loads(cls, text: str | bytes) -> "Wrapper":
        """The way back from `dumps`."""
        try:
            document = json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise UsageError(f"This is no wrapper: it is not JSON ({problem}); {AGAIN}.") from problem
        return cls.from_json(document)

    def to_json(self) -> dict[str, Any]:
        """The wrapper as plain values; docs/wrappers.md has the form."""
        rules = self.rules.to_json()
        return {
            "format": FORMAT,
            "version": VERSION,
            "learned": rules.pop("learned"),
            "rendered": self.rendered,
            "language": self.language,
            "training": {
                "pages": self.training.pages,
                "needed": self.training.needed,
                "complying": self.training.complying,
                "left out": list(self.training.left_out),
            },
            "checked": [
                {"page": own.page, "verdict": own.verdict, "found": round(own.found, 4), "known": round(own.known, 4)}
                for own in self.checked
            ],
            **rules,  # last, since they are long, and people read what stands first
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "Wrapper":
        """The way back from `to_json`; the schema in it is for reading only."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise UsageError(f"This is no wrapper; {AGAIN}.")
        if document.get("version") != VERSION:
            raise UsageError(
                f"This wrapper is of version {document.get('version')!r}, and this Sightline reads version {VERSION}; "
                f"{AGAIN}."
            )
        try:
            return cls(
                rules=_rules(document),
                rendered=document.get("rendered", False),
                language=document.get("language"),
                training=_training(document.get("training", {})),
                checked=tuple(map(_checked_page, document.get("checked", ()))),
            )
        except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as problem:
            if isinstance(problem, UsageError):
                raise
            told = f"{problem} is missing" if isinstance(problem, KeyError) else str(problem)
            raise UsageError(f"This wrapper is damaged ({told}); mend the file, or {AGAIN}.") from problem

    def __repr__(self) -> str:
        return (
            f"<Wrapper {len(self.fields)} fields, learned from {self.training.needed} of {self.training.pages} pages>"
        )


def _rules(document: dict[str, Any]) -> WrapperRules:
    # What stands in a file for people to read first may be missing; templates were the first kind of rules.
    learned = document.get("learned", FROM_PAGES)
    if learned == FROM_PAGES:
        return Templates.from_json(document)
    if learned == BY_EXAMPLES:
        return Patterns.from_json(document)
    raise ValueError(f"it says that it was learned {learned!r:.60}, which no wrapper was")


def _checked_page(document: dict[str, Any]) -> Checked:
    return Checked(str(document["page"]), document["verdict"], float(document["found"]), float(document["known"]))


def _training(document: dict[str, Any]) -> Training:
    told = {key: document.get(key, 0) for key in ("pages", "needed", "complying")}
    return Training(**told, left_out=tuple(document.get("left out", ())))


def _reason(found: Found, rules: WrapperRules) -> str:
    first = f"; first of all, {found.problems[0].what}" if found.problems else ""
    if isinstance(rules, Patterns):
        return (
            f"nothing that the wrapper was taught is on it ({found.found:.0%} of the marks around the values{first})."
        )
    share = f"{found.found:.0%} of the template's own texts are on it"
    return f"it is not a page of this wrapper's template ({share}{first})."
