"""The wrapper: what was learned about the pages of a site, as one value that reads, verifies, explains and is saved."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from sightline.data import Profile, Records, Schema
from sightline.documents import MOST_BYTES, check_document, decoded_document, encoded_document
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
    """Rules for reading the pages of a site, and how they were learned. Immutable: editing gives a new wrapper.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> wrapper = induce(shop_pages(4))
    >>> print(wrapper.schema)
    (title: text, Price: money EUR, Weight: measure g?)
    >>> wrapper.rename("title", "name").extract(shop_pages(5)[4]).to_dicts()
    [{'name': 'Camera 4', 'Price': '104 €', 'Weight': '540 g'}]
    """

    rules: WrapperRules
    rendered: bool = False  # learned from pages with a layout
    plain: bool = False  # though learned so, it was seen to read the same from pages without
    language: str | None = None
    training: Training = field(default_factory=Training)
    checked: tuple[Checked, ...] = ()

    @property
    def needs(self) -> Literal["static", "rendered"]:
        """How pages must be opened for it: the HTML suffices, or a browser has to lay them out."""
        return "rendered" if self.rendered and not self.plain else "static"

    # ------------------------------------------------------------------ reading pages

    def read(self, page: Page, *, traced: bool = False, heal: bool = True) -> Found:
        """Read a page, with the verdict and, if it is not ok (or if `traced`), the reasons.

        On a page that is built differently, a taught wrapper looks for fields that its rules no longer find, and
        delivers them as suspicious; without `heal` only what the rules find counts.
        """
        return self.rules.read(page, self.language, traced=traced, heal=heal)

    def extract(self, page: Page) -> Records:
        """The records of a page; raises an error that says where the page differs if it is not of this template."""
        found = self.read(page)
        if found.verdict == "failed":
            raise VerificationError(page.url or page.title or "the page", _reason(found, self.rules))
        return found.records

    def explain(self, page: Page) -> list[Explained]:
        """Every text of a page: what it was read as, and why."""
        return self.rules.explain(page)

    def judge(self, page: Page, example: str | int) -> list[Judged]:
        """What the rules say about one text or node: which conditions accept it, and which reject it."""
        return self.rules.judge(page, example)

    def words(self) -> str:
        """The rules in words."""
        return self.rules.words()

    def repair(self, pages: "Sequence[Page]") -> "Proposal":
        """Propose a new wrapper for pages after a redesign, with what changed, and how certain that is.

        Nothing is replaced: this wrapper stays as it is, and whether to use the proposed one is up to you.
        """
        from sightline.extract.wrappers._repair import propose_repair

        return propose_repair(self, pages)

    def to_code(self, framework: str, *, name: str = "Item") -> str:
        """The wrapper as Python code for another framework: `web-poet` (a page object) or `scrapy` (a spider)."""
        from sightline.extract.wrappers._code import code_for

        return code_for(self, framework, name)

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

    def rename(self, old: str, new: str) -> "Wrapper":
        """The wrapper with a field or set renamed; a field in a set is addressed as `set.field`."""
        return replace(self, rules=self.rules.rename(old, new))

    def drop(self, name: str) -> "Wrapper":
        """The wrapper without a field, or without a whole set; `restore` brings it back.

        If nothing is left of the set whose items are the records, a page becomes one record.
        """
        return replace(self, rules=self.rules.drop(name))

    def restore(self, name: str) -> "Wrapper":
        """The wrapper with a dropped field restored."""
        return replace(self, rules=self.rules.restore(name))

    @property
    def aside(self) -> list[str]:
        """Fields that were found and set aside, as the pages are not about them: menus, related things, repetitions."""
        return self.rules.aside

    def all_fields(self) -> "Wrapper":
        """The wrapper with the fields that were set aside, too, after the others."""
        return replace(self, rules=self.rules.all_fields())

    def merge(self, *names: str, into: str | None = None) -> "Wrapper":
        """The wrapper with several fields merged into one, whichever of them a page has."""
        return replace(self, rules=self.rules.merge(*names, into=into))

    def split(self, name: str) -> "Wrapper":
        """The wrapper with the alternatives of a merged field as separate fields again."""
        return replace(self, rules=self.rules.split(name))

    def records_of(self, name: str | None) -> "Wrapper":
        """The wrapper with the items of this set as records; with None, each page is one record."""
        return replace(self, rules=self.rules.records_of(name))

    # ------------------------------------------------------------------ saving

    def save(self, path: "str | PathLike[str]") -> "Path":
        """Write the wrapper to one `.json` file, atomically."""
        from sightline.files import write_bytes

        if not str(path).endswith(".json"):
            raise UsageError(f"{path}: a wrapper is saved as a .json file; give the file that suffix.")
        return write_bytes(path, self.dumps().encode())

    @classmethod
    def load(cls, path: "str | PathLike[str]") -> "Wrapper":
        """Load a wrapper from a file.

        >>> Wrapper.load("missing.wrapper.json")
        Traceback (most recent call last):
        ...
        sightline.errors.UsageError: missing.wrapper.json: there is no such file; make one with `sightline teach` ...
        """
        from sightline.files import read_bytes

        content = read_bytes(path, AGAIN, MOST_BYTES)
        try:
            return cls.loads(content)
        except UsageError as problem:
            raise UsageError(f"{path}: {problem}") from problem

    def dumps(self) -> str:
        """The wrapper as one readable JSON document."""
        return pretty(self.to_json()) + "\n"

    @classmethod
    def loads(cls, text: str | bytes) -> "Wrapper":
        """The inverse of `dumps`."""
        try:
            document = decoded_document(text)
        except UsageError as problem:
            raise UsageError(f"This is not a wrapper, since it is not JSON ({problem}); {AGAIN}.") from problem
        return cls._from_plain(document)

    def to_json(self) -> dict[str, Any]:
        """The wrapper as plain values; docs/wrappers.md describes the format."""
        rules = self.rules.to_json()
        return {
            "format": FORMAT,
            "version": VERSION,
            "learned": rules.pop("learned"),
            "rendered": self.rendered,
            "needs": self.needs,
            "language": self.language,
            "training": {
                "pages": self.training.pages,
                "needed": self.training.needed,
                "complying": self.training.complying,
                "left out": list(self.training.left_out),
            },
            "checked": [
                {
                    "page": page.page,
                    "verdict": page.verdict,
                    "found": round(page.found, 4),
                    "known": round(page.known, 4),
                }
                for page in self.checked
            ],
            **rules,  # last, since they are long, and people read from the top
        }

    @classmethod
    def from_json(cls, document: dict[str, Any]) -> "Wrapper":
        """The inverse of `to_json`; the schema in it is only for reading."""
        try:
            content = encoded_document(document)
        except UsageError as problem:
            raise UsageError(f"This is not a wrapper, since it cannot be JSON ({problem}); {AGAIN}.") from problem
        return cls.loads(content)

    @classmethod
    def _from_plain(cls, document: Any) -> "Wrapper":
        """A wrapper from values as a file has them: all of them are checked before any is used."""
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise UsageError(f"This is not a wrapper; {AGAIN}.")
        if document.get("version") != VERSION:
            raise UsageError(
                f"This wrapper has version {document.get('version')!r:.60}, but this Sightline reads version "
                f"{VERSION}; {AGAIN}."
            )
        try:
            return _wrapper(document)
        except UsageError as problem:
            reason = str(problem).removesuffix(".")
            raise UsageError(f"This wrapper is damaged ({reason}); fix the file, or {AGAIN}.") from problem

    def __repr__(self) -> str:
        return (
            f"<Wrapper {len(self.fields)} fields, learned from {self.training.needed} of {self.training.pages} pages>"
        )


def _wrapper(document: dict[str, Any]) -> Wrapper:
    from sightline.extract.wrappers._forms import InducedForm, TaughtForm

    # Entries that are only there for people to read may be missing; templates were the first kind of rules.
    learned = document.get("learned", FROM_PAGES)
    rules: WrapperRules
    if learned == FROM_PAGES:
        check_document(document, InducedForm)
        rules = Templates.from_json(document)
    elif learned == BY_EXAMPLES:
        check_document(document, TaughtForm)
        rules = Patterns.from_json(document)
    else:
        raise UsageError(f"it claims to be learned {learned!r:.60}, which no wrapper is")
    return Wrapper(
        rules=rules,
        rendered=document.get("rendered", False),
        plain=document.get("rendered", False) and document.get("needs") == "static",
        language=document.get("language"),
        training=_training(document.get("training", {})),
        checked=tuple(map(_checked_page, document.get("checked", ()))),
    )


def _checked_page(document: Mapping[str, Any]) -> Checked:
    return Checked(document["page"], document["verdict"], document["found"], document["known"])


def _training(document: Mapping[str, Any]) -> Training:
    counts = {key: document.get(key, 0) for key in ("pages", "needed", "complying")}
    return Training(**counts, left_out=tuple(document.get("left out", ())))


def _reason(found: Found, rules: WrapperRules) -> str:
    if found.given_up:
        return f"{found.problems[0].what}."
    first = f"; the first problem: {found.problems[0].what}" if found.problems else ""
    if isinstance(rules, Patterns):
        return (
            f"nothing that the wrapper was taught is on it ({found.found:.0%} of the marks around the values{first})."
        )
    share = f"{found.found:.0%} of the template's own texts are on it"
    return f"it is not a page of this wrapper's template ({share}{first})."
