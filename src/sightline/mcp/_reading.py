"""The tools that read pages: open, tables, lists, top, content, next."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sightline import Wrapper, induce, next_page
from sightline.checks import Issue
from sightline.data import (
    Basic,
    Content,
    Extraction,
    Record,
    Records,
    Result,
    Thing,
    TupleOf,
    Value,
    Verdict,
    join_records,
    worst_verdict,
)
from sightline.errors import UsageError
from sightline.extract.about import AboutSettings, asked_text
from sightline.extract.wrappers import Found
from sightline.jobs import (
    CheckedPage,
    ExampleTexts,
    Outcome,
    PageExamples,
    SurveyedResult,
    check_run,
    checked_records,
    joined_examples,
    survey,
    teach_pages,
)
from sightline.mcp._answers import (
    FROM_PAGE,
    AboutArguments,
    AnswerWindow,
    CheckArguments,
    ContentArguments,
    ExtractArguments,
    InduceArguments,
    ListsArguments,
    NextArguments,
    OpenArguments,
    Places,
    TablesArguments,
    TeachArguments,
    TeachPage,
    ToolAnswer,
    TopArguments,
    also_said,
    as_said,
    one_sentence,
    rows_answer,
    without_empty,
)
from sightline.mcp._desk import Desk, DeskPage, PageAtHand, ToolCall
from sightline.page import Page
from sightline.project import StoredRun

LONGEST_CAPTION = 200
MOST_VALUES = 100  # of a field, such as the ingredients of a recipe
LONGEST_ADDRESS = 2_000
MOST_ADDRESSES = 10
NOUNS = {"tables": "table", "lists": "list", "top": "list of a title's promise"}


def open_page(desk: Desk, given: OpenArguments, call: ToolCall) -> ToolAnswer:
    """A first look at a page."""
    opened = desk.open(given.source, call, static=given.static)
    call.at("Looking for tables, lists and text")
    return overview(desk, opened)


def find_tables(desk: Desk, given: TablesArguments, call: ToolCall) -> ToolAnswer:
    """Some rows of a table."""
    return _numbered("tables", desk, given, call)


def find_lists(desk: Desk, given: ListsArguments, call: ToolCall) -> ToolAnswer:
    """Some rows of a list."""
    return _numbered("lists", desk, given, call)


def _numbered(tool: str, desk: Desk, given: TablesArguments, call: ToolCall) -> ToolAnswer:
    opened = desk.open(given.page, call)
    found = desk.find(tool, opened.id, **({"containing": given.containing} if given.containing else {}))
    chosen = found.results[given.number - 1] if given.number <= len(found) else None
    answer = {"page": opened.id, f"{tool}_in_all": len(found)}
    if chosen is None:
        return answer | {"note": _nothing(tool, len(found), given.containing)}
    window = AnswerWindow(given.offset, given.limit, given.longest)
    return answer | {"number": given.number} | _captioned(chosen, window, opened.page if given.origins else None)


def _nothing(tool: str, count: int, containing: str | None) -> str:
    noun = NOUNS[tool]
    if count:
        return f"There is no {noun} of that number; give a number from 1 to {count}."
    which = " with that text" if containing else ""
    other = "lists" if tool == "tables" else "content"
    return f"The page has no {noun}{which}; try {other}, or open it without static if it was opened so."


def find_top(desk: Desk, given: TopArguments, call: ToolCall) -> ToolAnswer:
    """The items that the title of a page promises."""
    opened = desk.open(given.page, call)
    found = desk.find("top", opened.id, **({"k": given.k} if given.k else {}))
    if not found.results:
        return {"page": opened.id, "note": "The title promises no list that is on the page; try lists, or say k."}
    window = AnswerWindow(given.offset, given.limit, given.longest)
    return {"page": opened.id} | _captioned(found.results[0], window, opened.page if given.origins else None)


def _captioned(result: Result, window: AnswerWindow, page: Page | None) -> ToolAnswer:
    """Some rows with the caption over them."""
    caption = getattr(result, "caption", None) or ""
    answer = rows_answer(result, window, Places([page]) if page else None)
    return also_said(answer, caption=as_said(caption, LONGEST_CAPTION))


def find_thing(desk: Desk, given: AboutArguments, call: ToolCall) -> ToolAnswer:
    """What a page is about."""
    opened = desk.open(given.page, call)
    asked = "" if given.fields is None else asked_text(given.fields)
    wanted = AboutSettings(kind=given.kind or "", fields=asked)
    settings = {"settings": wanted} if given.kind or asked else {}
    (thing,) = desk.find("about", opened.id, **settings).results
    assert isinstance(thing, Thing)
    if thing.kind is None and not asked:
        other = "lists" if thing.is_list else "content"
        return {
            "page": opened.id,
            "kind": None,
            "note": f"The page is about no single thing; try {other}, or say kind.",
        }
    told = thing.to_json()
    fields = {name: _field_said(value, given.longest) for name, value in told["fields"].items()}
    doubts = [
        {name: as_said(one[name] or "", LONGEST_CAPTION) for name in ("field", "said", "seen")}
        for one in told["doubts"]
    ]
    near = {
        name: [as_said(one["text"], LONGEST_CAPTION) for one in own] for name, own in told.get("proposals", {}).items()
    }
    from_page = without_empty({"fields": fields, "doubts": doubts, "proposals": near})
    return {"page": opened.id, "kind": thing.kind} | {FROM_PAGE: from_page}


def _field_said(value: Any, longest: int) -> Any:
    """The value of a field, or several; null where nothing was found."""
    if isinstance(value, list):
        return [as_said(str(one), longest) for one in value[:MOST_VALUES]]
    return None if value is None else as_said(str(value), longest)


def read_content(desk: Desk, given: ContentArguments, call: ToolCall) -> ToolAnswer:
    """Some of the main text of a page, as Markdown."""
    opened = desk.open(given.page, call)
    found = desk.find("content", opened.id)
    (text,) = found.results
    assert isinstance(text, Content)
    parts = _some_parts(text, given)
    following = given.offset + len(parts)
    facts = {name: as_said(said, LONGEST_CAPTION) for name, said in text.facts().items() if said and not given.offset}
    return _doubts(found) | without_empty(
        {
            "page": opened.id,
            "parts_in_all": len(text),
            "next_offset": following if following < len(text) else None,
            FROM_PAGE: without_empty(
                {**facts, "markdown": _markdown(text, given.offset, len(parts), given.characters)}
            ),
            "origins": _part_places(opened, text, given) if given.origins else None,
        }
    )


def _some_parts(text: Content, given: ContentArguments) -> list[str]:
    """As many parts as there is room for, the first one always."""
    room, parts = given.characters, list[str]()
    for part in text.parts[given.offset :]:
        room -= len(part.text)
        if parts and room < 0:
            break
        parts.append(part.text)
    return parts


def _markdown(text: Content, offset: int, count: int, most: int) -> str:
    """Line by line, since lines are what Markdown is made of."""
    lines = replace(text, parts=text.parts[offset : offset + count]).to_markdown().splitlines()
    blanks = [len(line) - len(line.lstrip(" ")) for line in lines]
    said = [" " * blank + as_said(line, most) for blank, line in zip(blanks, lines, strict=True)]
    return "\n".join(said)


def _part_places(opened: PageAtHand, text: Content, given: ContentArguments) -> list[object]:
    places = Places([opened.page])
    count = len(_some_parts(text, given))
    return [places.of(part.value.origin) for part in text.parts[given.offset : given.offset + count]]


def _doubts(found: Extraction) -> ToolAnswer:
    """The verdict and its reasons, if it is not ok."""
    return {} if found.verdict == "ok" else {"verdict": found.verdict, "reasons": list(found.reasons)}


def find_next(desk: Desk, given: NextArguments, call: ToolCall) -> ToolAnswer:
    """Where a page of a list leads."""
    opened = desk.open(given.page, call)
    found = next_page(opened.page)
    addresses = [as_said(address, LONGEST_ADDRESS) for address in found.pages[:MOST_ADDRESSES]]
    return without_empty(
        {
            "page": opened.id,
            "way": found.way,
            "pages_in_all": found.total,
            "records_in_all": found.records,
            "note": "" if found.way else "No next page was found; this may be the last one, or the only one.",
            "addresses_left_out": len(found.pages) - len(addresses),
            FROM_PAGE: without_empty(
                {
                    "next": as_said(found.next, LONGEST_ADDRESS) if found.next else None,
                    "pages": addresses,
                    "evidence": [as_said(reason, LONGEST_CAPTION) for reason in found.evidence],
                }
            ),
        }
    )


# A first look at a page: what is on it, in one line, and which of it is worth reading.

MOST_CANDIDATES = 8  # a page has seldom more that matter; the tools themselves number all of them
MOST_NAMES = 8  # columns of a candidate
LONGEST_NAME = 40
LONGEST_TITLE = 200


def overview(desk: Desk, opened: PageAtHand) -> ToolAnswer:
    """What is on a page: a summary, and candidates to read, each with the tool and the number that read it."""
    page = opened.page
    found = survey(page, lambda name: desk.find(name, opened.id))
    candidates = [*_about_candidate(desk, opened.id), *(_candidate(one) for one in found if _is_candidate(one))]
    answer = {
        "page": opened.id,
        "summary": found.summary,
        "kind": page.kind,
        "candidates_left_out": max(0, len(candidates) - MOST_CANDIDATES),
    }
    return also_said(
        answer,
        title=as_said(page.title, LONGEST_TITLE),
        address=as_said(page.url, LONGEST_TITLE),
        notes=[as_said(note, LONGEST_TITLE) for note in page.notes],  # they may name what the page tried to load
        candidates=candidates[:MOST_CANDIDATES],
    )


def _is_candidate(one: SurveyedResult) -> bool:
    """Whether it is worth reading: no menu, and no second reading of a region unless as running text."""
    return not one.is_navigation and (one.reading_of is None or one.kind == "content")


def _about_candidate(desk: Desk, page_id: str) -> list[ToolAnswer]:
    """The thing that the page is about, if there is one, before everything else on it."""
    (thing,) = desk.find("about", page_id).results
    assert isinstance(thing, Thing)
    if thing.kind is None:
        return []
    fields = [as_said(name, LONGEST_NAME) for name in thing.fields]
    return [without_empty({"tool": "about", "kind": thing.kind, "fields": fields, "doubts": len(thing.doubts)})]


def _candidate(one: SurveyedResult) -> ToolAnswer:
    tool, number = one.extractor
    if isinstance(one.result, Content):
        return {"tool": tool, "words": len(one.result.text.split())}
    columns, caption = one.result.columns, one.result.caption
    return without_empty(
        {
            "tool": tool,
            "number": number if tool != "top" else None,  # a page has one
            "rows": len(columns[0].cells) if columns else 0,
            "caption": as_said(caption, 2 * LONGEST_NAME) if caption else None,
            "columns": [as_said(column.name, LONGEST_NAME) for column in columns[:MOST_NAMES]],
        }
    )


# -- the tools that learn wrappers and use them: induce, teach, extract, check --------------------------------------

LONGEST_LINE = 160
MOST_LINES = 40  # fields of a schema in an answer
SHOWN_ROWS = 3  # of what a new wrapper reads from its first page
SHOWN_CELL = 100
NAMED = 5  # pages that are doubted, each with its reason
LEAST_PAGES = 2
PAGE = "page"


# ---------------------------------------------------------------- learning


def induce_wrapper(desk: Desk, given: InduceArguments, call: ToolCall) -> ToolAnswer:
    """Learn a wrapper from pages of one kind."""
    desk.project.check_new(given.name, replace=given.replace)
    opened = list(desk.open_all(given.pages, call))
    pages = [one.page for one in opened if one.page]
    if len(pages) < LEAST_PAGES:
        problem = next((f" {one.error.message}" for one in opened if one.error), "")
        raise UsageError(f"A template is what pages share, so give at least {LEAST_PAGES} that open.{problem}")
    wrapper = induce(pages, on_progress=lambda progress: call.at(progress.what, progress.done, len(pages)))
    training = wrapper.training
    kept = _kept(desk, given.name, wrapper, pages, replace=given.replace)
    learned = f"from {training.needed} of {training.pages} pages, with which {training.complying} comply"
    return also_said(
        kept | {"learned": learned, "not_opened": _not_opened(opened)},
        left_out=[as_said(name, LONGEST_LINE) for name in training.left_out],
        set_aside=[as_said(name, LONGEST_LINE) for name in wrapper.aside[:MOST_LINES]],
    )


def teach_wrapper(desk: Desk, given: TeachArguments, call: ToolCall) -> ToolAnswer:
    """Learn a wrapper from examples."""
    desk.project.check_new(given.name, replace=given.replace)
    examples = joined_examples(_examples(one) for one in given.examples)
    opened = list(desk.open_all([one.source for one in examples], call))
    pages = [(one.page, texts) for one, texts in zip(opened, examples, strict=True) if one.page]
    if not pages:
        raise UsageError(f"None of the pages could be opened. {opened[0].error}")
    call.at("Learning")
    single = len(examples) == 1 and len(examples[0].names) == 1  # then there is nothing else to learn from
    taught = teach_pages(pages, strict=single)
    kept = _kept(desk, given.name, taught.wrapper, [page for page, _ in pages], replace=given.replace)
    notes = [as_said(note, LONGEST_LINE) for note in (*taught.left_out, *taught.notes)]
    return also_said(kept | {"not_opened": _not_opened(opened)}, notes=notes)


def _examples(given: TeachPage) -> PageExamples:
    fields, records = _texts(given.fields), [_texts(record) for record in given.records]
    wrong = _texts(given.wrong)
    return PageExamples(
        given.page,
        fields,
        records,
        rejected=[(name, text) for name, texts in wrong.items() for text in texts],
        absent=list(given.absent),
        # As on the command line: one example of each may stand for a whole list, several show everything there is.
        whole=bool(records) or any(len(texts) > 1 for texts in fields.values()),
    )


def _texts(given: Mapping[str, str | list[str]]) -> ExampleTexts:
    return {name: [texts] if isinstance(texts, str) else list(texts) for name, texts in given.items() if texts}


def _kept(desk: Desk, name: str, wrapper: Wrapper, pages: Sequence[Page], *, replace: bool) -> ToolAnswer:
    """A new wrapper, saved: its file, its rules in words, and what it reads from the first page."""
    path = desk.project.keep_wrapper(name, wrapper, pages, replace=replace)
    lines = wrapper.words().splitlines()
    first = wrapper.read(pages[0])
    rows = rows_answer(first.records, AnswerWindow(0, SHOWN_ROWS, SHOWN_CELL))
    said = {
        "rules": [_indented(line) for line in lines[:MOST_LINES]],
        "first_rows": rows[FROM_PAGE].get("rows", []),
        "columns": rows[FROM_PAGE].get("columns", []),
    }
    return without_empty(
        {
            "wrapper": name,
            "file": str(path),
            "verdict": first.verdict,
            "rows_on_first_page": rows["rows_in_all"],
            "rules_left_out": max(0, len(lines) - MOST_LINES),
            FROM_PAGE: without_empty(said),
        }
    )


def _indented(line: str) -> str:
    return " " * (len(line) - len(line.lstrip(" "))) + as_said(line, LONGEST_LINE)


# ---------------------------------------------------------------- using


def extract_records(desk: Desk, given: ExtractArguments, call: ToolCall) -> ToolAnswer:
    """Records of pages, read by a wrapper, with a verdict on each page."""
    wrapper = desk.project.wrapper(given.wrapper)
    opened = list(desk.open_all(given.pages, call, static=wrapper.needs == "static"))
    read = [(one, wrapper.read(one.page)) for one in opened if one.page]
    kept = [(one, found) for one, found in read if found.verdict != "failed"]
    several = len(opened) > 1
    parts = [_with_page(one.id, found.records) if several else found.records for one, found in kept]
    records = join_records(part for part in parts if len(part))
    verdicts: list[Verdict] = [found.verdict for _, found in read]
    verdicts += ["failed" for one in opened if one.error]
    places = Places(one.page for one, _ in kept if one.page) if given.origins else None
    answer = {
        "wrapper": given.wrapper,
        "verdict": worst_verdict(verdicts),
        "pages_read": len(kept),
        "page": opened[0].id if not several else None,
        "not_opened": _not_opened(opened),
    } | rows_answer(records, AnswerWindow(given.offset, given.limit, given.longest), places)
    return also_said(answer, doubts=_doubted(read))


def _with_page(page_id: str, records: Records) -> Records:
    """Records with the page that each is from, unless they have a field of that name."""
    schema = records.schema
    if not isinstance(schema, TupleOf) or PAGE in schema.names:
        return records
    named = TupleOf(((PAGE, Basic()), *schema.fields))
    return Records((Record({PAGE: Value(page_id), **record}) for record in records), named, records.language)


def _doubted(read: Sequence[tuple[DeskPage, Found]]) -> list[ToolAnswer]:
    """The pages that do not fit, each with its first problem."""
    doubted = [(one, found) for one, found in read if found.verdict != "ok"]
    shown: list[ToolAnswer] = [
        {
            "page": one.id,
            "verdict": found.verdict,
            "why": as_said(found.problems[0].what, LONGEST_LINE) if found.problems else "it differs from the template",
        }
        for one, found in doubted[:NAMED]
    ]
    return shown + ([{"more": len(doubted) - NAMED}] if len(doubted) > NAMED else [])


def _not_opened(opened: Sequence[DeskPage]) -> list[str]:
    """Why pages are missing."""
    return [one_sentence(one.error.message) for one in opened if one.error][:NAMED]


def check_pages(desk: Desk, given: CheckArguments, call: ToolCall) -> ToolAnswer:
    """Whether what a wrapper reads from pages can be trusted; the run is kept in the project."""
    wrapper, store = desk.project.wrapper(given.wrapper), desk.project.store
    opened = list(desk.open_all(given.pages, call, static=not wrapper.rendered))
    began = datetime.now(UTC).isoformat(timespec="microseconds")
    reading = checked_records(wrapper)
    call.at("Checking")
    run = check_run(
        [_outcome(one, reading(one.page, one.id) if one.page else None) for one in opened],
        profile=wrapper.profile,
        last=store.profile(given.wrapper),
    )
    report = run.report
    reasons = tuple(one_sentence(str(issue)) for issue in report.issues[: given.limit])
    ids = tuple(one.page.id for one in opened if one.page)
    store.keep_run(StoredRun(given.wrapper, report.verdict, began, len(opened), reasons, ids))
    if report.verdict == "ok":
        store.keep_profile(given.wrapper, run.profile)
    issues = sorted(report.issues, key=lambda issue: ("failed", "suspicious", "notice").index(issue.severity))
    return without_empty(
        {
            "wrapper": given.wrapper,
            "verdict": report.verdict,
            "pages": len(opened),
            "records": sum(len(read.records) for read in run.records),
            "issues_in_all": len(issues),
            FROM_PAGE: without_empty({"issues": [_issue(issue) for issue in issues[: given.limit]]}),
        }
    )


def _outcome(one: DeskPage, found: CheckedPage | None) -> Outcome[CheckedPage]:
    return Outcome(one.id or one.source, one.page, found, one.error)


def _issue(issue: Issue) -> ToolAnswer:
    """An issue; its reason may quote the page."""
    return without_empty(
        {
            "severity": issue.severity,
            "check": issue.check,
            "field": as_said(issue.field, LONGEST_LINE) if issue.field else None,
            "page": issue.source,
            "reason": one_sentence(issue.reason),
        }
    )
