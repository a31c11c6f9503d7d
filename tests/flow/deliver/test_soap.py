"""Rows as messages of a SOAP service: valid by its WSDL, retried, and taken exactly once by their ids."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, deliver

from ._service import Answer, Service
from ._warehouse import SOAP, Warehouse, fault

COLUMNS = {
    "id": "@id",
    "name": "Product",
    "price": "Price",
    "currency": "Price/@currency",
    "day": "Day",
    "tags": "Tag",
}
VERSIONS = {"Old": "11", "New": "12"}


def _rows(count: int, **columns: list[Any]) -> pa.RecordBatch:
    values = {
        "id": pa.array([*range(count)]),
        "name": pa.array(["EOS <5D> & more"] * count),
        "price": pa.array([Decimal("0.0000001"), *[Decimal("19.90")] * (count - 1)], pa.decimal128(38, 7)),
        "currency": pa.array(["EUR"] * count),
        "day": pa.array([None, *[date(2026, 5, 3)] * (count - 1)], pa.date32()),
        "tags": pa.array([["new", "black"]] * count),
    }
    return pa.record_batch({**values, **{name: pa.array(column) for name, column in columns.items()}})


ROWS = _rows(7)


def _send(folder: Path, port: str = "Old", batches: Any = (ROWS,), wsdl: str = "", **options: Any) -> Delivered:
    usual = {"state": str(folder / "state"), "part_rows": 3, "pause": 0, "seconds": 20.0}
    mapping = {"element": "Items/Item", "columns": COLUMNS, "values": {"Source": "Sightline"}}
    target = f"soap:{wsdl or folder / 'bw.wsdl'}#Warehouse.{port}.Push"
    return deliver(batches, target, load="a", mode="append", options={**usual, **mapping, **options})


@pytest.mark.parametrize("port", VERSIONS)
def test_rows_become_valid_messages_once(tmp_path: Path, port: str) -> None:
    """Both versions of SOAP: the service finds every envelope valid; the same load again sends nothing."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse) as service:
        warehouse.describe(service)
        assert _send(tmp_path, port) == Delivered(7, inserted=7)
        assert _send(tmp_path, port) == Delivered(7, inserted=7, was_done=True)
    assert warehouse.invalid == []
    assert [len(items) for items in warehouse.messages.values()] == [3, 3, 1]
    assert [item["id"] for item in warehouse.items] == [*range(7)]
    usual = {"name": "EOS <5D> & more", "currency": "EUR", "tags": ["new", "black"]}
    assert warehouse.items[0] == {"id": 0, "price": "0.0000001", "day": None, **usual}
    assert warehouse.items[1] == {"id": 1, "price": "19.9000000", "day": "2026-05-03", **usual}
    headers = service.requests[0].headers
    assert "urn:bw:push" in (headers["soapaction"] if port == "Old" else headers["content-type"])


@pytest.mark.slow
@pytest.mark.parametrize("port", VERSIONS)
@pytest.mark.parametrize("trouble", ["fault", "hang", "cut", "unseen", "503"])
def test_trouble_of_the_service_is_retried_exactly_once(tmp_path: Path, port: str, trouble: str) -> None:
    """A fault of the server, a time-out after it has processed, a cut connection: each message counts once."""
    space = SOAP[VERSIONS[port]]
    answer = {
        "fault": fault("Server" if port == "Old" else "Receiver", "try later", space),
        "hang": Answer(hang=True),
        "cut": Answer(cut=True),
        "unseen": Answer(unseen=True),
        "503": Answer(503, b"<html>busy</html>"),
    }[trouble]
    warehouse = Warehouse(tmp_path)
    with Service(warehouse, [None, answer, answer]) as service:
        warehouse.describe(service)
        _send(tmp_path, port, seconds=3.0 if trouble == "hang" else 20.0)
    assert len(service.requests) >= 5
    assert [item["id"] for item in warehouse.items] == [*range(7)]
    assert len(warehouse.messages) == 3


@pytest.mark.parametrize("port", VERSIONS)
def test_fault_of_the_message_is_told_and_not_retried(tmp_path: Path, port: str) -> None:
    """The error has the fault's code and text; mended, the load goes on with that message under the same id."""
    code = "Client" if port == "Old" else "Sender"
    warehouse = Warehouse(tmp_path)
    with Service(warehouse, [None, fault(code, "unknown product", SOAP[VERSIONS[port]])]) as service:
        warehouse.describe(service)
        with pytest.raises(
            OutputError, match=rf"fault s:{code} \(unknown product\) to part 2 of the load 'a'; the part bef"
        ):
            _send(tmp_path, port)
        assert len(service.requests) == 2
        _send(tmp_path, port)
    assert len(service.requests) == 4
    assert [item["id"] for item in warehouse.items] == [*range(7)]


def test_answer_that_is_no_soap_is_no_success(tmp_path: Path) -> None:
    """A log-in page with status 200 acknowledges nothing."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse, [Answer(body=b"<html>log in</html>")]) as service:
        warehouse.describe(service)
        with pytest.raises(OutputError, match="answered 200 with something that is not SOAP"):
            _send(tmp_path)


def test_wsdl_is_read_from_the_web_with_its_schemas(tmp_path: Path) -> None:
    """The address of a WSDL works as its file does, imports included."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse) as service:
        warehouse.describe(service)
        _send(tmp_path, wsdl=f"{service.url}/bw?wsdl", headers={"X-Token": "t0ken"})
        assert {request.headers.get("x-token") for request in service.requests} == {"t0ken"}
    assert [item["id"] for item in warehouse.items] == [*range(7)]


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"currency": ["EUR"] * 4 + ["euro"] + ["EUR"] * 2}, r"row 5 has .* PushPrices/Items/Item/Price .*'euro'"),
        ({"price": ["1"] * 6 + ["cheap"]}, r"row 7 has .* PushPrices/Items/Item/Price .*'cheap'"),
    ],
)
def test_invalid_envelope_is_never_sent(tmp_path: Path, columns: dict[str, list[Any]], problem: str) -> None:
    """The error names the row, the path and what the schema says; no message with it goes out."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse) as service:
        warehouse.describe(service)
        with pytest.raises(OutputError, match=problem):
            _send(tmp_path, batches=[_rows(7, **columns)])
    assert warehouse.invalid == []
    assert all(item["currency"] == "EUR" for item in warehouse.items)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"values": {}}, "must map names to paths"),
        ({"values": None}, "do not fit the operation .*Source"),
        ({"element": "Items/Itme"}, "do not fit the operation .*Itme"),
        ({"columns": {**COLUMNS, "name": "Produkt"}}, "do not fit the operation .*Produkt"),
        ({"columns": {**COLUMNS, "nam": "Product"}}, "no column 'nam'; did you mean 'name'"),
        ({"colums": COLUMNS}, "did you mean 'columns'"),
    ],
)
def test_bad_options_are_told(tmp_path: Path, change: dict[str, Any], problem: str) -> None:
    """Each is one sentence, before anything is sent."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse) as service:
        warehouse.describe(service)
        with pytest.raises(UsageError, match=problem):
            _send(tmp_path, **change)
    assert service.requests == []


def test_bad_wsdl_and_operations_are_told(tmp_path: Path) -> None:
    """The error says what there is; the name of an operation alone is enough if only one port has it."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse) as service:
        warehouse.describe(service)
        with pytest.raises(UsageError, match=r"did you mean 'Warehouse\.Old\.Push'"):
            _send(tmp_path, "Odl")
        (tmp_path / "one.wsdl").write_bytes(warehouse.wsdl.replace(b'name="New" binding="w:Binding12"', b'name="N"'))
        with pytest.raises(UsageError, match="a usable WSDL"):
            _send(tmp_path, wsdl=str(tmp_path / "one.wsdl"))
        with pytest.raises(UsageError, match=r"none\.wsdl: the file cannot be read"):
            _send(tmp_path, wsdl="none.wsdl")
        (tmp_path / "odd.wsdl").write_text("<definitions")
        with pytest.raises(UsageError, match="a usable WSDL"):
            _send(tmp_path, wsdl=str(tmp_path / "odd.wsdl"))
    with pytest.raises(OutputError, match="the WSDL could not be fetched"):
        _send(tmp_path, wsdl=f"{service.url}/bw?wsdl")


def test_service_that_is_down_leaves_the_load_resumable(tmp_path: Path) -> None:
    """After the last attempt the same load goes on with the message that was not acknowledged."""
    warehouse = Warehouse(tmp_path)
    with Service(warehouse, [None, *[Answer(503, b"")] * 2]) as service:
        warehouse.describe(service)
        with pytest.raises(OutputError, match="answered 503, also at attempt 2, for part 2"):
            _send(tmp_path, attempts=2)
        _send(tmp_path)
    assert [item["id"] for item in warehouse.items] == [*range(7)]
