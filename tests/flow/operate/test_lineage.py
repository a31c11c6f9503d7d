"""Events of OpenLineage: built again by its own client, sent over real HTTP, and followed down to page and box."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from openlineage.client import event_v2, facet_v2
from openlineage.client.generated import (
    column_lineage_dataset,
    data_quality_assertions_dataset,
    datasource_dataset,
    documentation_job,
    error_message_run,
    input_statistics_input_dataset,
    job_type_job,
    nominal_time_run,
    output_statistics_output_dataset,
    processing_engine_run,
    schema_dataset,
    source_code_job,
    sql_job,
)

from sightline.errors import UsageError
from sightline.flow.operate import LineageSender
from sightline.flow.run import FlowEvent, RunWatcher, WatchedRun
from sightline.redaction import forget_secrets

from ...cli._inside import sightline
from ..deliver._service import Answer, Service
from ..run._shops import CAMERAS, Shop
from ..run.conftest import FlowFolder, day

FACETS: Mapping[str, Any] = {
    "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet,
    "dataQualityAssertions": data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet,
    "dataSource": datasource_dataset.DatasourceDatasetFacet,
    "documentation": documentation_job.DocumentationJobFacet,
    "errorMessage": error_message_run.ErrorMessageRunFacet,
    "inputStatistics": input_statistics_input_dataset.InputStatisticsInputDatasetFacet,
    "jobType": job_type_job.JobTypeJobFacet,
    "nominalTime": nominal_time_run.NominalTimeRunFacet,
    "outputStatistics": output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet,
    "processing_engine": processing_engine_run.ProcessingEngineRunFacet,
    "schema": schema_dataset.SchemaDatasetFacet,
    "sourceCode": source_code_job.SourceCodeJobFacet,
    "sql": sql_job.SQLJobFacet,
}
NESTED: Mapping[str, Any] = {
    "columnLineage": ("fields", column_lineage_dataset.Fields),
    "dataQualityAssertions": ("assertions", data_quality_assertions_dataset.Assertion),
    "schema": ("fields", schema_dataset.SchemaDatasetFacetFields),
}


def check(event: dict[str, Any]) -> dict[str, Any]:
    """Build an event again by the classes of OpenLineage's own client, which refuse what the specification lacks."""
    run, job = event["run"], event["job"]
    event_v2.RunEvent(
        eventType=event_v2.RunState[event["eventType"]],
        eventTime=event["eventTime"],
        producer=event["producer"],
        run=event_v2.Run(run["runId"], _facets(run["facets"])),
        job=event_v2.Job(job["namespace"], job["name"], _facets(job["facets"])),
        inputs=[
            event_v2.InputDataset(
                one["namespace"],
                one["name"],
                facets=_facets(one["facets"]),
                inputFacets=_facets(one["inputFacets"]),
            )
            for one in event["inputs"]
        ],
        outputs=[
            event_v2.OutputDataset(
                one["namespace"],
                one["name"],
                facets=_facets(one["facets"]),
                outputFacets=_facets(one["outputFacets"]),
            )
            for one in event["outputs"]
        ],
    )
    assert event["schemaURL"].startswith("https://openlineage.io/spec/2-0-2/")
    return event


def _facets(given: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: _facet(name, facet) for name, facet in given.items()}


def _facet(name: str, facet: dict[str, Any]) -> Any:
    assert {"_producer", "_schemaURL"} <= set(facet)
    content = {key: value for key, value in facet.items() if not key.startswith("_")}
    if name.startswith("sightline_"):
        return facet_v2.BaseFacet()
    if name in NESTED:
        key, kind = NESTED[name]
        for one in content[key].values() if isinstance(content[key], dict) else content[key]:
            made = kind(**one)
            for used in getattr(made, "inputFields", ()):
                field = column_lineage_dataset.InputField(**used)
                assert field.transformations
                [column_lineage_dataset.Transformation(**how) for how in used["transformations"]]
    return FACETS[name](**content)


def sources_of(event: dict[str, Any], column: str) -> set[tuple[str, str, str]]:
    """The fields that a delivered column comes from, each as dataset, field and what becomes of it."""
    fields = event["outputs"][0]["facets"]["columnLineage"]["fields"][column]["inputFields"]
    return {(Path(one["name"]).name, one["field"], one["transformations"][0]["subtype"]) for one in fields}


@pytest.fixture
def shop() -> Iterator[Service]:
    """A shop on loopback."""
    with Service(Shop(CAMERAS).page) as service:
        yield service


STEPS = """\
shop:
  extract: {address}/prices
  take: tables
  static: true
ours:
  read: shop.csv
both:
  union: [shop, ours]
clean:
  normalise: both
  columns:
    - text: name
      case: upper
best:
  sql: |
    WITH named AS (SELECT name AS product, price FROM clean WHERE price IS NOT NULL)
    SELECT product, min(price) AS cheapest, count(*) AS offers FROM named GROUP BY product
kept:
  deliver: best
  to: prices.duckdb#best
  key: product
"""


def read_events(file: Path) -> list[dict[str, Any]]:
    """The events of a file; each is one line."""
    return [check(json.loads(line)) for line in file.read_text().splitlines()]


def test_delivered_columns_lead_to_page_and_box(tmp_path: Path, shop: Service) -> None:
    """Through a query, a normalisation and a union: to the columns of both sources, and where values were seen."""
    file = tmp_path / "lineage.jsonl"
    steps = STEPS.format(address=shop.url)
    found = FlowFolder(tmp_path).run(steps, head="about: prices\n", now=day(16), watchers=[LineageSender.to(str(file))])
    start, end = read_events(file)
    assert (start["eventType"], end["eventType"]) == ("START", "COMPLETE")
    assert start["run"]["runId"] == end["run"]["runId"] == str(UUID(end["run"]["runId"]))
    assert end["run"]["facets"]["nominalTime"]["nominalStartTime"] == "2026-11-16T06:30:00+00:00"
    assert end["run"]["facets"]["sightline_run"]["run"] == found.id
    assert end["job"]["facets"]["sql"]["query"].startswith("WITH named")
    [output] = end["outputs"]
    assert (output["namespace"], output["name"]) == (f"duckdb://{tmp_path}/prices.duckdb", "prices.main.best")
    assert output["outputFacets"]["outputStatistics"]["rowCount"] == found.state.steps["kept"].rows == 8
    assert sources_of(end, "product") == {("prices", "name", "TRANSFORMATION"), ("shop.csv", "name", "TRANSFORMATION")}
    assert sources_of(end, "cheapest") == {("prices", "price", "AGGREGATION"), ("shop.csv", "price", "AGGREGATION")}
    assert sources_of(end, "offers") == set()
    assert "sightline_unknown" not in output["facets"]
    page = next(one for one in end["inputs"] if one["namespace"] == shop.url)
    assert page["name"] == "/prices"
    price = page["facets"]["sightline_origins"]["columns"]["price"]
    assert price["total"] == len(price["places"]) == len(CAMERAS)
    stored = {path.name.partition(".")[0] for path in (tmp_path / "store" / "pages").rglob("*.page")}
    assert {place["page"] for place in price["places"]} <= stored
    assert [place["row"] for place in price["places"]] == list(range(len(CAMERAS)))
    assert page["inputFacets"]["inputStatistics"]["rowCount"] == len(CAMERAS)
    csv = next(one for one in end["inputs"] if one["namespace"] == "file")
    assert csv["name"] == str(tmp_path / "shop.csv")
    assert "sightline_origins" not in csv["facets"]


def test_places_are_listed_up_to_a_number(tmp_path: Path) -> None:
    """Of the first fifty rows; all of them are counted."""
    rows = "".join(f"<tr><td>camera {number}<td>{number}" for number in range(80))
    (tmp_path / "page.html").write_text(f"<title>Prices</title><table><tr><th>name<th>price{rows}</table>")
    file = tmp_path / "lineage.jsonl"
    steps = "page:\n  extract: page.html\n  take: tables\n  static: true\nkept:\n  deliver: page\n  to: out.csv\n"
    FlowFolder(tmp_path).run(steps, watchers=[LineageSender.to(f"file://{file}")])
    [page] = read_events(file)[1]["inputs"]
    assert (page["namespace"], page["name"]) == ("file", str(tmp_path / "page.html"))
    name = page["facets"]["sightline_origins"]["columns"]["name"]
    assert (name["total"], len(name["places"])) == (80, 50)


def test_checks_of_one_source_are_assertions(tmp_path: Path) -> None:
    """With how many rows each of them held back, and the column as the source calls it."""
    file = tmp_path / "lineage.jsonl"
    FlowFolder(tmp_path).run(
        """\
        shop:
          read: shop.csv
        named:
          sql: SELECT id, name AS product, price FROM shop
        good:
          check: named
          need: [product]
          unique: [id]
          rules:
            cheap: id::INT < 3
        kept:
          deliver: good
          to: out.csv
        """,
        watchers=[LineageSender.to(str(file))],
    )
    end = read_events(file)[1]
    assertions = end["inputs"][0]["inputFacets"]["dataQualityAssertions"]["assertions"]
    told = [(one["assertion"], one.get("column"), one["success"], one["actual"]) for one in assertions]
    assert told == [("not_null", "name", True, "0"), ("unique", "id", True, "0"), ("custom_sql", None, False, "1")]
    deciding = end["outputs"][0]["facets"]["columnLineage"]["dataset"]
    assert {(one["field"], one["transformations"][0]["subtype"]) for one in deciding} == {
        ("id", "FILTER"),
        ("name", "FILTER"),
    }


def test_what_cannot_be_told_is_said(tmp_path: Path) -> None:
    """With the reason, and nothing is made up in its place."""
    file = tmp_path / "lineage.jsonl"
    (tmp_path / "rates.csv").write_text("currency,rate\nEUR,1\n")
    steps = (
        "shop:\n  read: shop.csv\nrated:\n  sql: SELECT id, rate FROM shop CROSS JOIN read_csv('rates.csv')\n"
        "kept:\n  deliver: rated\n  to: out.csv\n"
    )
    FlowFolder(tmp_path).run(
        steps.replace("rates.csv", f"{tmp_path}/rates.csv"), watchers=[LineageSender.to(str(file))]
    )
    [output] = read_events(file)[1]["outputs"]
    assert set(output["facets"]["sightline_unknown"]["columns"]) == {"rate"}
    assert "read_csv" in output["facets"]["sightline_unknown"]["columns"]["rate"]
    assert output["facets"]["columnLineage"]["fields"]["rate"]["inputFields"] == []


def test_columns_of_a_database_are_those_of_its_tables(tmp_path: Path) -> None:
    """A query that is a source is followed into it; joins and nests are, too."""
    folder, file = FlowFolder(tmp_path), tmp_path / "lineage.jsonl"
    folder.run("shop:\n  read: shop.csv\nkept:\n  deliver: shop\n  to: x.duckdb#shop\n  mode: replace\n")
    folder.run(
        """\
        asked:
          query: SELECT id, upper(name) AS loud FROM shop WHERE price IS NOT NULL
          from: x.duckdb
        catalogue:
          read: catalogue.csv
        joined:
          join: [asked, catalogue]
          on: id
        packed:
          nest: joined
          by: [id]
          into: offers
        kept:
          deliver: packed
          to: sqlite:y.sqlite#packed
          columns: {key: id}
        listed:
          deliver: packed
          to: packed.jsonl
        """,
        watchers=[LineageSender.to(str(file))],
    )
    end = read_events(file)[1]
    table = next(one for one in end["inputs"] if one["namespace"].startswith("duckdb"))
    assert (table["namespace"], table["name"]) == (f"duckdb://{tmp_path}/x.duckdb", "x.main.shop")
    assert sources_of(end, "key") == {("x.main.shop", "id", "IDENTITY")}
    packed = end["outputs"][1]["facets"]["columnLineage"]["fields"]["offers"]["inputFields"]
    assert {(one["field"], one["transformations"][0]["subtype"]) for one in packed} == {
        ("name", "AGGREGATION"),
        ("price", "AGGREGATION"),
    }
    assert [one["namespace"] for one in end["outputs"]] == [f"sqlite://{tmp_path}/y.sqlite", "file"]


def test_a_run_that_fails_says_why_and_goes_on_under_its_id(tmp_path: Path) -> None:
    """FAIL with the message; taken up, the same run is RUNNING and then complete."""
    folder, file = FlowFolder(tmp_path), tmp_path / "lineage.jsonl"
    steps = "shop:\n  read: shop.csv\ngone:\n  read: gone.csv\nkept:\n  deliver: gone\n  to: out.csv\n"
    found = folder.run(steps, watchers=[LineageSender.to(str(file))])
    (tmp_path / "gone.csv").write_text("a\n1\n")
    folder.run(resume=found.id, watchers=[LineageSender.to(str(file))])
    events = read_events(file)
    assert [event["eventType"] for event in events] == ["START", "FAIL", "RUNNING", "COMPLETE"]
    assert len({event["run"]["runId"] for event in events}) == 1
    assert "gone.csv" in events[1]["run"]["facets"]["errorMessage"]["message"]
    assert events[1]["outputs"] == []
    assert events[0]["outputs"][0]["name"] == str(tmp_path / "out.csv")


class _Interrupting(RunWatcher):
    def happened(self, run: WatchedRun, event: FlowEvent) -> None:
        if (event.kind, run.flow.name) == ("done", "prices"):
            raise KeyboardInterrupt


def test_a_run_that_is_interrupted_is_aborted(tmp_path: Path) -> None:
    """Ctrl-C after the first step."""
    file = tmp_path / "lineage.jsonl"
    with pytest.raises(KeyboardInterrupt):
        FlowFolder(tmp_path).run("shop:\n  read: shop.csv\n", watchers=[LineageSender.to(str(file)), _Interrupting()])
    assert [event["eventType"] for event in read_events(file)] == ["START", "ABORT"]


def test_events_are_posted_with_the_key_of_the_collector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As JSON, to the path that collectors have unless another one is named."""
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "key of the collector")
    monkeypatch.setenv("OPENLINEAGE_NAMESPACE", "night shift")
    with Service(lambda _: Answer(201)) as collector:
        FlowFolder(tmp_path).run("shop:\n  read: shop.csv\n", watchers=[LineageSender.to(collector.url)])
    forget_secrets()
    assert [request.path for request in collector.requests] == ["/api/v1/lineage"] * 2
    assert {request.headers["authorization"] for request in collector.requests} == {"Bearer key of the collector"}
    events = [check(json.loads(request.body)) for request in collector.requests]
    assert [event["eventType"] for event in events] == ["START", "COMPLETE"]
    assert events[0]["job"] | {"facets": None} == {"namespace": "night shift", "name": "prices", "facets": None}


@pytest.mark.parametrize("answer", [Answer(500), Answer(cut=True), None])
def test_a_collector_that_is_down_is_a_notice(tmp_path: Path, answer: Answer | None) -> None:
    """Whatever it answers, or if nobody does: the run is as good as without it, and says what is missing."""
    with Service(lambda _: answer or Answer(), [answer] * 2 if answer else ()) as collector:
        address = collector.url
        if answer is not None:
            found = FlowFolder(tmp_path).run("shop:\n  read: shop.csv\n", watchers=[LineageSender.to(address)])
    if answer is None:
        found = FlowFolder(tmp_path).run("shop:\n  read: shop.csv\n", watchers=[LineageSender.to(address)])
    assert found.verdict == "ok"
    assert [f"event {kind} was not sent" in found.state.notices[at] for at, kind in enumerate(("START", "COMPLETE"))]
    assert len(found.state.notices) == 2


def test_no_secret_is_in_an_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither that of a database, of which host and table are told, nor one that is written into the flow."""
    (tmp_path / "shop.csv").write_text("id,name\n1,hunter2secret\n")
    monkeypatch.setenv("WAREHOUSE", "postgresql://anna:hunter2secret@db.example:5433/shop?sslmode=disable")
    flow = tmp_path / "x.flow.yaml"
    flow.write_text(
        "flow: 1\nsecrets:\n  warehouse: {environment: WAREHOUSE}\nvariables:\n"
        "  other: postgresql://bob:swordfish@other.example/stock\n"
        "steps:\n  shop:\n    read: shop.csv\n  gone:\n    read: gone.csv\n"
        "  kept:\n    deliver: gone\n    to: {secret: warehouse}\n    table: sales.prices\n"
        '  more:\n    deliver: gone\n    to: "{other}"\n    table: prices\n'
    )
    sightline(
        "run",
        flow,
        "--lineage",
        "lineage.jsonl",
        folder=tmp_path,
        WAREHOUSE="postgresql://anna:hunter2secret@db.example:5433/shop",
    )
    text = (tmp_path / "lineage.jsonl").read_text()
    assert "hunter2secret" not in text
    assert "swordfish" not in text
    places = {(one["namespace"], one["name"]) for one in read_events(tmp_path / "lineage.jsonl")[0]["outputs"]}
    assert places == {
        ("postgres://db.example:5433", "shop.sales.prices"),
        ("postgres://other.example:5432", "stock.public.prices"),
    }
    forget_secrets()


def test_places_of_lineage_that_cannot_be_meant() -> None:
    """An address without a host, and a scheme that takes no events."""
    for place in ("http:///x", "kafka://broker/topic"):
        with pytest.raises(UsageError, match=r"lineage|Lineage"):
            LineageSender.to(place)
