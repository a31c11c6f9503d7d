"""The wrapper: what was learned about the pages of a site, as one value that reads, verifies, explains and is saved."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from sightline.data import Profile, Records, TraceStep, Value, Verdict, verdict_of_pages
from sightline.documents import MOST_BYTES, check_document, decoded_document, encoded_document
from sightline.errors import UsageError, VerificationError
from sightline.extract.schemas import InduceSettings, LearningStep
from sightline.extract.wrappers._code import code_for
from sightline.extract.wrappers._data_codec import data_rules_from_json, data_rules_to_json
from sightline.extract.wrappers._data_rules import behind_in_words
from sightline.extract.wrappers._found import (
    Checked,
    Explained,
    Found,
    Judged,
    Training,
    WrapperRules,
)
from sightline.extract.wrappers._induce import LearningProgress, learn
from sightline.extract.wrappers._repair import DOUBTFUL, Change, Status, checks_on, repaired, with_checks
from sightline.extract.wrappers._trained import Trained, TrainedRules
from sightline.extract.wrappers.patterns import BY_EXAMPLES, Pattern, Patterns, pattern_in_words
from sightline.extract.wrappers.templates import FROM_PAGES, Templates, pretty
from sightline.page import Page

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

FORMAT = "sightline wrapper"
VERSION = 1
AGAIN = "make one with `sightline teach` or `sightline induce`"


@dataclass(frozen=True, eq=False)
class Wrapper(TrainedRules):
    """Rules for reading the pages of a site, and how they were learned. Immutable: editing gives a new wrapper.

    >>> from sightline.testing import shop_pages
    >>> from sightline.extract.wrappers import induce
    >>> wrapper = induce(shop_pages(4))
    >>> print(wrapper.schema)
    (title: text, Price: money EUR, Weight: measure g?)
    >>> wrapper.rename("title", "name").extract(shop_pages(5)[4]).to_dicts()
    [{'name': 'Camera 4', 'Price': '104 €', 'Weight': '540 g'}]
    """

    # ------------------------------------------------------------------ reading pages

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
        """The rules in words, and where the pages' own data gives the same."""
        return "\n".join((self.rules.words(), *behind_in_words(self.behind)))

    def repair(self, pages: Sequence[Page]) -> "Proposal":
        """Propose a new wrapper for pages after a redesign, with what changed, and how certain that is.

        Nothing is replaced: this wrapper stays as it is, and whether to use the proposed one is up to you.
        """
        found = repaired(self, pages)
        return Proposal(found.wrapper, found.changes, found.confidence, found.checked, self, found.evidence)

    def to_code(self, framework: str, *, name: str = "Item") -> str:
        """The wrapper as Python code for another framework: `web-poet` (a page object) or `scrapy` (a spider)."""
        return code_for(self, framework, name)

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
            **({"behind": data_rules_to_json(self.behind)} if self.behind else {}),
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


# ---------------------------------------------------------------- how it is repaired, and learned from pages


@dataclass(frozen=True, eq=False)
class Proposal:
    """A wrapper for the pages as they are now, to be reviewed before it is used.

    `confidence` is that of the least certain field; one that could not be found again makes it 0, and the proposed
    wrapper reports it on every page. `checked` is what the proposed wrapper says of the pages. `evidence` has some
    values that it reads there, by the full name of their field, and `old` is the wrapper as it was.
    """

    wrapper: Wrapper
    changes: tuple[Change, ...]
    confidence: float
    checked: tuple[Checked, ...] = ()
    old: Wrapper | None = None
    evidence: Mapping[str, tuple[Value, ...]] = field(default_factory=dict)

    def accept(self, *names: str, pages: Sequence[Page] = ()) -> Wrapper:
        """The wrapper in which the named fields have the proposed rules, and all others those that they had.

        Naming a set takes the new rule for its records with all fields in it; naming fields of the set
        (`items.price`) takes the new rule for the records, and new rules for these fields only. The wrapper is checked
        on `pages`, if there are any.
        """
        if self.old is None:
            raise UsageError("This proposal does not say what it was made from; use its wrapper as a whole.")
        made = accepted(self.old, self.wrapper, self.details, names)
        return with_checks(made, checks_on(made, pages)) if pages and made is not self.old else made

    @property
    def details(self) -> tuple[Change, ...]:
        """The changes with those of the fields in sets, each after its set."""
        if self.old is None:
            return self.changes
        return tuple(chain.from_iterable(detailed(one, self.old, self.wrapper, self.evidence) for one in self.changes))

    @property
    def verdict(self) -> Verdict:
        """`ok` only if every field is sure, and the proposed wrapper would say so of every page."""
        doubtful = any(change.status in DOUBTFUL for change in self.changes)
        return "suspicious" if doubtful or verdict_of_pages([own.verdict for own in self.checked]) != "ok" else "ok"

    @property
    def missing(self) -> list[str]:
        """The fields that could not be found again."""
        return [change.name for change in self.changes if change.status == "missing"]

    @property
    def is_needed(self) -> bool:
        """Whether anything has to change at all."""
        return any(change.status != "kept" for change in self.changes)

    def diff(self) -> str:
        """What changes, field by field, as text."""
        lines = []
        for change in self.changes:
            lines.append(f"{change.name}: {change.status} ({change.confidence:.0%}; {change.why})")
            if change.status != "kept":
                lines += [f"  - {line}" for line in change.before.splitlines()]
                lines += [f"  + {line}" for line in change.after.splitlines()]
                lines += [f"  before: {' · '.join(change.old)}"] if change.old else []
                lines += [f"  now:    {' · '.join(change.new)}"] if change.new else []
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """The proposal as plain values."""
        return {
            "confidence": self.confidence,
            "changes": [
                {
                    "field": change.name,
                    "status": change.status,
                    "confidence": change.confidence,
                    "before": change.before,
                    "after": change.after,
                    "old": list(change.old),
                    "new": list(change.new),
                    "why": change.why,
                }
                for change in self.changes
            ],
            "wrapper": self.wrapper.to_json(),
        }


@dataclass(frozen=True, eq=False)
class InductionTrace:
    """The wrapper, and every decision on the way to it."""

    found: Wrapper
    decisions: tuple[LearningStep, ...] = ()

    def steps(self) -> tuple[TraceStep, ...]:
        """One step with a row for every decision."""
        rows = tuple(decision._asdict() for decision in self.decisions)
        return (TraceStep("decisions", "what was decided about each element, and by which rule", rows),)


def induce(
    pages: Sequence[Page],
    *,
    names: Sequence[str] | None = None,
    settings: InduceSettings | None = None,
    progress: LearningProgress | None = None,
) -> Wrapper:
    """Learn a wrapper for the template, or templates, that these pages were made from.

    `names` are what the wrapper calls the pages; by default their addresses.

    >>> from sightline.testing import shop_pages
    >>> induce(shop_pages(1))
    Traceback (most recent call last):
    ...
    sightline.errors.UsageError: A wrapper needs at least two pages of one template, and this is one page; ...
    """
    return trace_induction(pages, names=names, settings=settings, progress=progress, traced=False).found


def trace_induction(
    pages: Sequence[Page],
    *,
    names: Sequence[str] | None = None,
    settings: InduceSettings | None = None,
    progress: LearningProgress | None = None,
    traced: bool = True,
) -> InductionTrace:
    """Like `induce`, with every decision that was made; without `traced` they are not written down."""
    return InductionTrace(*learn(Wrapper, pages, names=names, settings=settings, progress=progress, traced=traced))


# ---------------------------------------------------------------- from a file


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
        behind=data_rules_from_json(document.get("behind", {})),
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


# Accepting a part of a repair: some fields get their new rules, the others keep those that they had.


def accepted(old: Trained, new: Trained, details: Sequence[Change], names: Sequence[str]) -> Trained:
    """The wrapper with the proposed rules of the named fields, and the old ones of all others."""
    known = {change.name for change in details}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        raise UsageError(f"The proposal has no field {unknown!r}; its fields are {', '.join(sorted(known))}.")
    # A field that was kept, or is missing, has no new rule that could be accepted.
    wanted = {change.name for change in details if change.status not in ("kept", "missing")} & set(names)
    if not wanted:
        return old
    if isinstance(old.rules, Patterns) and isinstance(new.rules, Patterns):
        return _accepted_patterns(old, old.rules, new, new.rules, wanted)
    if isinstance(old.rules, Templates) and isinstance(new.rules, Templates):
        return _accepted_templates(old, old.rules, new, new.rules, wanted)
    raise UsageError("Rules of two kinds cannot be put together; use the proposed wrapper as a whole.")


# ---------------------------------------------------------------- taught wrappers


def _accepted_patterns(old: Trained, before: Patterns, new: Trained, after: Patterns, wanted: set[str]) -> Trained:
    proposed = {pattern.name: pattern for pattern in after.patterns}
    patterns = tuple(_chosen(pattern, proposed[pattern.name], wanted) for pattern in before.patterns)
    taken = {name for name, chosen, former in _pairs(patterns, before.patterns) if chosen is not former}
    profile = _chosen_profile(before.profile, after.profile, taken)
    return replace(old, rules=Patterns(patterns, profile), rendered=old.rendered or new.rendered, behind=new.behind)


def _chosen(before: Pattern, after: Pattern, wanted: set[str]) -> Pattern:
    """A pattern as it was, or as it is proposed; of a set, with those of its fields that are wanted."""
    inside = {name.partition(".")[2] for name in wanted if name.startswith(f"{before.name}.")}
    if not inside:
        return after if before.name in wanted else before
    proposed = {field.name: field for field in after.fields}
    fields = tuple(proposed[field.name] if field.name in inside else field for field in before.fields)
    return replace(after, fields=fields)


def _pairs(
    patterns: Sequence[Pattern], others: Sequence[Pattern], scope: str = ""
) -> Iterator[tuple[str, Pattern, Pattern]]:
    """The patterns of single fields beside those of the same name, with their full names."""
    for pattern, other in zip(patterns, others, strict=True):
        if pattern.fields:
            yield from _pairs(pattern.fields, other.fields, f"{scope}{pattern.name}.")
        else:
            yield f"{scope}{pattern.name}", pattern, other


def _chosen_profile(before: Profile, after: Profile, taken: set[str]) -> Profile:
    """The profile of the pages as they are now, with what is remembered of the fields that stay as they were."""
    former = {field.name: field for field in before.fields}
    fields = tuple(field if field.name in taken else former.get(field.name, field) for field in after.fields)
    return replace(after, fields=fields, records=after.records or before.records)


# ---------------------------------------------------------------- wrappers learned from pages alone


def _accepted_templates(old: Trained, before: Templates, new: Trained, after: Templates, wanted: set[str]) -> Trained:
    """The new templates with the wanted fields only; the old ones stay, and read pages that are still like them."""
    unwanted = [name for name in new.fields if name not in wanted and not _holds(name, wanted)]
    for name in unwanted:
        if name in new.fields:  # a set that was dropped took its fields with it
            new = new.drop(name)
    assert isinstance(new.rules, Templates)
    if not unwanted:
        return new
    each = (*new.rules.each, *before.each)
    rules = Templates((*new.rules.templates, *before.templates), each, after.profile, after.sheet or before.sheet)
    return replace(old, rules=rules, rendered=old.rendered or new.rendered, behind=new.behind)


def _holds(name: str, wanted: set[str]) -> bool:
    """Whether a field is in a wanted set, or is a set with a wanted field."""
    return any(one.startswith(f"{name}.") or name.startswith(f"{one}.") for one in wanted)


# ---------------------------------------------------------------- field by field


def detailed(
    change: Change, before: TrainedRules, proposed: TrainedRules, evidence: Mapping[str, Sequence[Value]]
) -> Iterator[Change]:
    """A change, and those of the fields in it if it is that of a set."""
    yield change
    old, new = _pattern(before.rules, change.name), _pattern(proposed.rules, change.name)
    if old is None or new is None or not old.fields:
        return
    new_fields = {one.name: one for one in new.fields}
    for one in old.fields:
        after, name = new_fields.get(one.name), f"{change.name}.{one.name}"
        known = before.profile.of(name)
        values = tuple(value.text for value in evidence.get(name, ())[:3])
        same = after is None or after.rules == one.rules
        lost = same and not values and change.status not in ("kept", "missing") and bool(known and known.fill)
        status: Status = "missing" if lost else "kept" if same and change.status != "missing" else change.status
        why = "nothing in the records is clearly this field" if lost else "its rule is still the same"
        yield replace(
            change,
            name=name,
            status=status,
            before=pattern_in_words(one),
            after=pattern_in_words(after) if after else "",
            old=known.examples[: len(change.old) or 3] if known else (),
            new=values,
            why=why if same and change.status != "kept" else change.why,
        )


def _pattern(rules: WrapperRules, name: str) -> Pattern | None:
    patterns = rules.patterns if isinstance(rules, Patterns) else ()
    return next((pattern for pattern in patterns if pattern.name == name), None)
