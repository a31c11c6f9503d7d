"""Events of OpenLineage: what a run read, what it made of it, and which columns came from which.

The structure is that of the specification 2-0-2. Facets of our own begin with `sightline_`; docs/operating.md has them.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Literal, TypeAlias
from uuid import NAMESPACE_URL, uuid5

import pyarrow as pa

from sightline._version import __version__
from sightline.flow.operate._lineage_datasets import LineageDataset, dataset_written, datasets_read
from sightline.flow.run import (
    LINEAGE_KINDS,
    ColumnOrigins,
    MadeColumn,
    QueryColumns,
    SeenColumn,
    WatchedRun,
    Way,
    checked_rules,
    columns_of_run,
    columns_to_deliver,
    kept_rows,
    seen_columns,
)
from sightline.flow.spec import DeliverStep, FlowCheckStep, FlowStep, QuerySource, SqlStep
from sightline.redaction import hide_passwords, redacted_in

EventType: TypeAlias = Literal["START", "RUNNING", "COMPLETE", "FAIL", "ABORT"]

ROWS_SEEN = 50
"""Rows of a source of which an event says where their values were seen; it says of all of them how many were."""
PRODUCER = f"urn:sightline:{__version__}"
_SPEC = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACETS = "https://openlineage.io/spec/facets"

Facets: TypeAlias = dict[str, dict[str, Any]]


def job_namespace() -> str:
    """Where the jobs of this machine belong, as other programs that send such events are told it."""
    return os.environ.get("OPENLINEAGE_NAMESPACE") or "sightline"


def lineage_run_id(run: WatchedRun) -> str:
    """The id of a run as OpenLineage wants it: the same for the same run, however often it is taken up."""
    return str(uuid5(NAMESPACE_URL, f"sightline:{job_namespace()}/{run.flow.name}/{run.state.id}"))


def lineage_event(run: WatchedRun, kind: EventType, at: datetime | None = None) -> dict[str, Any]:
    """The event that a run began or ended, without any secret."""
    event = _Event(run)
    has_ended = kind in ("COMPLETE", "FAIL", "ABORT")
    return redacted_in(  # type: ignore[no-any-return]
        {
            "eventType": kind,
            "eventTime": (at or datetime.now(UTC)).isoformat(),
            "producer": PRODUCER,
            "schemaURL": _SPEC,
            "run": {"runId": lineage_run_id(run), "facets": _run_facets(run, kind)},
            "job": {"namespace": job_namespace(), "name": run.flow.name, "facets": _job_facets(run)},
            "inputs": list(event.inputs()),
            "outputs": list(event.outputs(has_ended=has_ended)),
        }
    )


def _facet(schema: str, **content: Any) -> dict[str, Any]:
    """A facet of the specification, by its version and name: `1-0-1/NominalTimeRunFacet`."""
    name = schema.partition("/")[2]
    return {"_producer": PRODUCER, "_schemaURL": f"{_FACETS}/{schema}.json#/$defs/{name}", **content}


def _own(name: str, **content: Any) -> dict[str, Any]:
    """A facet of our own."""
    return {"_producer": PRODUCER, "_schemaURL": f"urn:sightline:facet:1:{name}", **content}


def _run_facets(run: WatchedRun, kind: EventType) -> Facets:
    state = run.state
    found = {
        "nominalTime": _facet("1-0-1/NominalTimeRunFacet", nominalStartTime=state.due_at.isoformat()),
        "processing_engine": _facet("1-1-1/ProcessingEngineRunFacet", version=__version__, name="Sightline"),
        "sightline_run": _own(
            "run",
            run=state.id,
            verdict=state.verdict if kind in ("COMPLETE", "FAIL") else None,
            reasons=list(state.reasons),
            notices=list(state.notices),
        ),
    }
    if kind == "FAIL":
        message = "; ".join(state.reasons) or "the run failed"
        found["errorMessage"] = _facet("1-0-1/ErrorMessageRunFacet", message=message, programmingLanguage="PYTHON")
    return found


def _job_facets(run: WatchedRun) -> Facets:
    flow = run.flow
    code = hide_passwords(flow.text)
    found = {
        "jobType": _facet("2-0-3/JobTypeJobFacet", processingType="BATCH", integration="SIGHTLINE", jobType="FLOW"),
        "sourceCode": _facet("1-0-1/SourceCodeJobFacet", language="yaml", sourceCode=code),
    }
    if flow.about:
        found["documentation"] = _facet("1-0-1/DocumentationJobFacet", description=flow.about)
    asked = [step.sql for step in flow.steps.values() if isinstance(step, SqlStep | QuerySource)]
    if len(asked) == 1:  # the facet is for one query
        found["sql"] = _facet("1-0-1/SQLJobFacet", query=asked[0])
    return found


def _field(dataset: LineageDataset, column: str, **transformation: Any) -> dict[str, Any]:
    return {
        "namespace": dataset.namespace,
        "name": dataset.name,
        "field": column,
        "transformations": [transformation],
    }


@dataclass
class _Event:
    """The datasets of one run, as they are known when an event is made."""

    run: WatchedRun
    _read: dict[str, list[LineageDataset]] = field(default_factory=dict)
    _known_places: dict[str, Mapping[str, SeenColumn]] = field(default_factory=dict)

    @cached_property
    def _origins(self) -> ColumnOrigins:
        return ColumnOrigins(self.run.flow, columns_of_run(self.run.flow, self.run.folder))

    def _sources(self) -> Iterator[FlowStep]:
        return (step for step in self.run.flow.steps.values() if step.is_source)

    def _datasets(self, step: str) -> list[LineageDataset]:
        if step not in self._read:
            self._read[step] = datasets_read(self.run, self.run.flow.steps[step])
        return self._read[step]

    # what is read

    def inputs(self) -> Iterator[dict[str, Any]]:
        """All that the sources of the flow read, each dataset once."""
        found: dict[tuple[str, str], dict[str, Any]] = {}
        for step in self._sources():
            for dataset in self._datasets(step.name):
                entry = {
                    "namespace": dataset.namespace,
                    "name": dataset.name,
                    "facets": self._input_facets(step, dataset),
                    "inputFacets": self._input_statistics(step),
                }
                found.setdefault((dataset.namespace, dataset.name), entry)
        yield from found.values()

    def _input_facets(self, step: FlowStep, dataset: LineageDataset) -> Facets:
        found = {"dataSource": _facet("1-0-1/DatasourceDatasetFacet", name=dataset.namespace, uri=dataset.uri)}
        state = self.run.state.steps.get(step.name)
        if state is None:
            return found
        told = {"verdict": state.verdict, "readAt": state.at, "standsIn": state.stands_in}
        found["sightline_source"] = _own("source", step=step.name, **told)
        # What a query makes is not what its tables have.
        if (schema := self._schema(step.name)) is not None and not isinstance(step, QuerySource):
            found["schema"] = _schema_facet(columns_to_deliver(step, schema.names), schema)
        if seen := self._seen(step.name, dataset):
            found["sightline_origins"] = seen
        return found

    def _input_statistics(self, step: FlowStep) -> Facets:
        state = self.run.state.steps.get(step.name)
        if state is None or not state.is_done or len(self._datasets(step.name)) != 1 or isinstance(step, QuerySource):
            return {}
        found = {"inputStatistics": _facet("1-0-0/InputStatisticsInputDatasetFacet", rowCount=state.rows)}
        if assertions := [one for check in self._checks_of(step) for one in self._assertions(check)]:
            found["dataQualityAssertions"] = _facet("1-1-0/DataQualityAssertionsDatasetFacet", assertions=assertions)
        return found

    def _checks_of(self, source: FlowStep) -> Iterator[FlowCheckStep]:
        """The checks whose rows all come from one source, so that what they say is said of it."""
        flow = self.run.flow
        for step in flow.steps.values():
            if isinstance(step, FlowCheckStep):
                sources = [name for name in flow.upstream(step.name) if flow.steps[name].is_source]
                if sources == [source.name]:
                    yield step

    def _assertions(self, step: FlowCheckStep) -> Iterator[dict[str, Any]]:
        kinds = {"need": "not_null", "unique": "unique", "rule": "custom_sql"}
        for one in checked_rules(self.run.folder, step):
            name = ", ".join(one.names)
            told = {"assertion": kinds[one.kind], "success": not one.held, "severity": "error"}
            told |= {"name": f"{step.name}: {name}", "expected": "0", "actual": str(one.held)}
            if one.kind == "rule":
                told |= {"content": (step.rules or {})[name], "contentType": "sql"}
            elif len(columns := self._origins.of(step.rows, name).used) == 1:
                told["column"] = next(iter(columns)).column
            yield told

    def _seen(self, step: str, dataset: LineageDataset) -> dict[str, Any] | None:
        """Where the values of the first rows were seen, as far as they come from this dataset."""
        if step not in self._known_places:
            self._known_places[step] = seen_columns(self.run.folder, step, ROWS_SEEN)
        seen = self._known_places[step]
        if not seen:
            return None
        is_only = len(self._datasets(step)) == 1
        columns = {
            name: {
                "total": column.total,
                "places": [
                    {"row": one.row, "source": one.source, "page": one.page, "box": one.box, "sheet": one.sheet}
                    for one in column.first
                    if is_only or not dataset.source or one.source == dataset.source
                ],
            }
            for name, column in seen.items()
        }
        return _own("origins", mostRows=ROWS_SEEN, columns=columns)

    def _schema(self, step: str) -> pa.Schema | None:
        path = self.run.folder.rows(self.run.flow.holder(step))
        return kept_rows(path).schema if path.exists() else None

    # what is delivered

    def outputs(self, *, has_ended: bool) -> Iterator[dict[str, Any]]:
        """What the flow delivers to; at its end, what it has delivered to."""
        for step in self.run.flow.steps.values():
            if not isinstance(step, DeliverStep):
                continue
            state = self.run.state.steps.get(step.name)
            if has_ended and (state is None or not state.is_done):
                continue
            dataset = dataset_written(self.run, step)
            if dataset is None:
                continue
            facets = {"dataSource": _facet("1-0-1/DatasourceDatasetFacet", name=dataset.namespace, uri=dataset.uri)}
            statistics: Facets = {}
            if has_ended and state is not None:
                facets |= self._output_facets(step)
                counted = _facet("1-0-2/OutputStatisticsOutputDatasetFacet", rowCount=state.rows)
                statistics["outputStatistics"] = counted
            yield {
                "namespace": dataset.namespace,
                "name": dataset.name,
                "facets": facets,
                "outputFacets": statistics,
            }

    def _output_facets(self, step: DeliverStep) -> Facets:
        schema = self._schema(step.rows)
        if schema is None:
            return {}
        names = columns_to_deliver(step, schema.names)
        lineage, unknown = self._column_lineage(step, names)
        found = {"schema": _schema_facet(names, schema), "columnLineage": lineage}
        if unknown:
            found["sightline_unknown"] = _own("unknown", columns=unknown)
        return found

    def _column_lineage(self, step: DeliverStep, names: Mapping[str, str]) -> tuple[dict[str, Any], dict[str, str]]:
        """Of each delivered column the columns that it depends on; and of which of them that can't be told, and why."""
        fields: dict[str, Any] = {}
        unknown: dict[str, str] = {}
        for new, old in names.items():
            made = self._origins.of(step.rows, old)
            used, doubts = self._fields_of(made)
            if doubts:
                unknown[new] = "; ".join(doubts)
            fields[new] = {"inputFields": used}
        deciding = [
            _field(dataset, column, type="INDIRECT", **({"subtype": one.how} if one.how else {}))
            for one in sorted(self._origins.deciding(step.rows))
            if not one.column.startswith("_")
            for dataset, column, _ in self._columns_of_source(one.step, one.column)
        ]
        return _facet("1-2-0/ColumnLineageDatasetFacet", fields=fields, dataset=deciding), unknown

    def _fields_of(self, made: MadeColumn) -> tuple[list[dict[str, Any]], list[str]]:
        used, doubts = [], [made.doubt] if made.doubt else []
        for one in sorted(made.used):
            asked = self._query_column(one.table, one.column)
            doubts += [f"`{one.table}`: {asked.doubt}"] if asked is not None and asked.doubt else []
            for dataset, column, way in self._columns_of_source(one.table, one.column):
                subtype = LINEAGE_KINDS[one.used(way).way]
                used.append(_field(dataset, column, type="DIRECT", subtype=subtype))
        return used, doubts

    def _columns_of_source(self, step: str, column: str) -> Iterator[tuple[LineageDataset, str, Way]]:
        """The columns of datasets that a column of a source is; those of a database are what its query makes it of."""
        made = self._query_column(step, column)
        if made is None:
            yield from ((dataset, column, "same") for dataset in self._datasets(step))
            return
        tables = {dataset.table: dataset for dataset in self._datasets(step)}
        for one in sorted(made.used):
            if one.table in tables:
                yield tables[one.table], one.column, one.way

    def _query_column(self, step: str, column: str) -> MadeColumn | None:
        source = self.run.flow.steps[step]
        if not isinstance(source, QuerySource):
            return None
        names = self._origins.columns_of(step) or (column,)
        return QueryColumns.of(source.sql).named(names).get(column)


def _schema_facet(names: Mapping[str, str], schema: pa.Schema) -> dict[str, Any]:
    known = {one.name: str(one.type) for one in schema}
    fields = [{"name": new, "type": known[old]} for new, old in names.items() if old in known]
    return _facet("1-1-1/SchemaDatasetFacet", fields=fields)
