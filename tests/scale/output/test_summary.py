"""The summary says what became of a batch, as text, JSON and a page that no name on it can break."""

from html.parser import HTMLParser
from pathlib import Path

import msgspec
import orjson
import pytest

from sightline.data import Extraction, Records
from sightline.scale.output import (
    AuditedShard,
    BatchSummary,
    DocumentOutcome,
    PartFacts,
    audit,
    summarise,
    write_summary,
)
from sightline.scale.output._figures import MOST_STEPS, StepSeries, changed_fields
from sightline.scale.output._summary_text import width_of

from ._batches import PAGE, shop_maker, shop_outcomes, written

HOSTILE = "</td><script>alert('x')</script>\"\x1b[31m\0\ud800\u202e" + "宽" * 400
ALLOWED = {
    *("html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "p", "div", "b", "span", "i", "ul", "li"),
    *("table", "tr", "th", "td", "figure", "figcaption"),
    *("svg", "g", "line", "text", "polygon", "polyline", "circle"),
}
VOID = {"meta"}


class _Page(HTMLParser):
    """Reads a page strictly: every element is one of ours, and closed in order."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        assert not any(name.startswith("on") or name in ("href", "src") for name, _ in attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def _read(html: str) -> str:
    page = _Page()
    page.feed(html)
    page.close()
    assert page.open == []
    return " ".join(page.texts)


def _outcome(number: int, status: str = "ok", reason: str = "", cause: str = "", **more: object) -> DocumentOutcome:
    named = {"source": f"https://shop.example/{number}", "seconds": 0.01, "cpu_seconds": 0.01, "bytes": 1000}
    reasons = (reason,) if reason else ()
    return DocumentOutcome(f"shop#{number}", **(named | more), status=status, reasons=reasons, cause=cause)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def summary(tmp_path_factory: pytest.TempPathFactory) -> BatchSummary:
    """Forty shards of a shop that loses its prices after half of them."""
    folder = tmp_path_factory.mktemp("batch")
    maker = shop_maker()
    good = shop_outcomes(maker, 0, 1)[0]
    bare, _ = maker.rows("x", PAGE, _found({"title": "A"}))
    shards: list[tuple[str, PartFacts]] = []
    audited = []
    for number in range(40):
        outcomes = [
            _outcome(60 * number + place, rows=good.rows, row_count=1)
            if number < 20 or place % 3
            else _outcome(
                60 * number + place, "suspicious", "the field “Price” is missing", "page", rows=bare, row_count=1
            )
            for place in range(60)
        ]
        if number == 7:
            outcomes[3] = _outcome(423, "failed", "https://shop.example/423: it ends at byte 77.", "UnreadableError")
            outcomes[4] = _outcome(424, "quarantined", "it ended the process twice.", "crash:SIGSEGV", seconds=61.0)
        name = f"{number:06}"
        facts = written(folder, name, outcomes, maker)
        shards.append((name, facts))
        audited.append(AuditedShard(name, [one.id for one in outcomes], facts))
    return summarise(
        folder,
        iter(shards),
        maker.fields,
        title="shop.wrapper.json",
        elapsed=60.0,
        workers=2,
        stopped="prices are gone.",
        audited=audit(folder, audited),
    )


def _found(record: dict[str, str]) -> Extraction:
    return Extraction("records", (Records([record]),))


def test_counts_and_fill_rates(summary: BatchSummary) -> None:
    """Verdicts, rows and the share of rows that have each field are those of the documents."""
    assert (summary.documents, summary.ok, summary.suspicious) == (2400, 1998, 400)
    assert (summary.failed, summary.quarantined, summary.not_ok, summary.rows) == (1, 1, 402, 2398)
    assert [(field.name, field.filled) for field in summary.fields] == [
        ("title", 2398),
        ("Price", 1998),
        ("Weight", 1998),
    ]
    assert summary.bytes == 2400 * 1000
    assert summary.cpu_seconds == pytest.approx(24.0)


def test_drift_is_seen_in_order(summary: BatchSummary) -> None:
    """The share that is not ok rises after half, and the fields that were lost are named, not the others."""
    shares = [step.not_ok_share for step in summary.steps]
    assert max(shares[:20]) < 0.1
    assert min(shares[20:]) == pytest.approx(1 / 3)
    assert summary.changed == ("Price", "Weight")


def test_causes_are_grouped_with_examples(summary: BatchSummary) -> None:
    """The most frequent first; names and numbers are left out of the reason, and kept in the examples."""
    told = [(group.documents, group.status, group.cause, group.reason) for group in summary.causes]
    assert told[0] == (400, "suspicious", "page", "the field “Price” is missing")
    assert (1, "failed", "UnreadableError", "it ends at byte #.") in told
    assert [len(group.examples) for group in summary.causes] == [3, 1, 1]
    assert {group.examples[0].reason for group in summary.causes} >= {"it ends at byte 77."}
    assert summary.slowest[0].id == "shop#424"


def test_text_fits_a_terminal(summary: BatchSummary) -> None:
    """Every line has at most 100 columns, and the figures are there."""
    text = summary.to_text()
    assert max(map(width_of, text.splitlines())) <= 100
    for words in (
        "2,400 documents: 1,998 ok",
        "none lost",
        "Stopped: prices are gone.",
        "40.0 documents a second",
        "▁",
    ):
        assert words in text


def test_json_has_everything(summary: BatchSummary, tmp_path: Path) -> None:
    """The document that is written is that of `to_json`, and can be read back as a summary."""
    paths = write_summary(tmp_path, summary)
    assert [path.name for path in paths] == ["summary.txt", "summary.json", "summary.html"]
    document = orjson.loads(paths[1].read_bytes())
    assert document["audited"]["is_complete"]
    assert msgspec.convert(document, BatchSummary) == summary


def test_page_stands_alone(summary: BatchSummary) -> None:
    """No script, no address that it would load, and all figures."""
    page = summary.to_html()
    assert "<script" not in page
    assert "url(" not in page
    assert "rows with Price" in _read(page)
    assert page.count("<svg") == 3


def test_hostile_names_are_shown_and_do_nothing(summary: BatchSummary) -> None:
    """In names of fields, reasons, sources and the title: escaped on the page, without controls in the text."""
    bad = msgspec.structs.replace(
        summary,
        title=HOSTILE,
        stopped=HOSTILE,
        changed=(HOSTILE,),
        fields=(msgspec.structs.replace(summary.fields[0], name=HOSTILE), *summary.fields[1:]),
        causes=tuple(
            msgspec.structs.replace(
                group,
                cause=HOSTILE,
                reason=HOSTILE,
                examples=(msgspec.structs.replace(group.examples[0], source=HOSTILE),),
            )
            for group in summary.causes
        ),
        slowest=(msgspec.structs.replace(summary.slowest[0], source=HOSTILE),),
    )
    page = bad.to_html()
    page.encode()
    assert "<script" not in page
    assert "alert('x')" in _read(page)
    text = bad.to_text()
    text.encode()
    assert not {"\x1b", "\0", "\u202e"} & {*text, *page}
    assert max(map(width_of, text.splitlines())) <= 100


def test_a_batch_without_documents_has_a_summary(tmp_path: Path) -> None:
    """Nothing is divided by zero."""
    empty = summarise(tmp_path, [], ["title"])
    assert "0 %" in empty.to_text()
    assert _read(empty.to_html())


def test_steps_are_few_however_many_shards_there_are() -> None:
    """No document is forgotten when steps are joined, and their order stays."""
    for count in (1, 39, 40, 41, 79, 80, 81, 500, 12_345):
        series = StepSeries()
        for number in range(count):
            late = number >= count // 2
            series.add(PartFacts(10, 5 if late else 10, 0, 0, 0, 10, 0, 0.0, 0.0, (), "", (10 - 9 * late,)))
        steps = series.steps()
        assert len(steps) <= MOST_STEPS
        assert sum(step.documents for step in steps) == 10 * count
        shares = [step.not_ok_share for step in steps]
        assert shares == sorted(shares)
        assert count < 100 or (len(steps) >= MOST_STEPS // 2 and changed_fields(steps, ["x"]) == ("x",))
