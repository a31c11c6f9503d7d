"""XML files: by a schema and paths, or as the house writes them."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from lxml import etree

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver import Delivered, deliver

from ._samples import EVERYTHING

XSD = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:prices" xmlns:t="urn:prices"
  elementFormDefault="{form}">
  <xs:element name="prices"><xs:complexType><xs:sequence>
    <xs:element name="shop"><xs:complexType><xs:sequence>
      <xs:element name="product" type="t:Product" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType>
  <xs:unique name="once"><xs:selector xpath=".//{prefix}product"/><xs:field xpath="@id"/></xs:unique></xs:element>
  <xs:complexType name="Product"><xs:sequence>
    <xs:element name="name" type="xs:string"/>
    <xs:element name="price"><xs:complexType><xs:simpleContent>
      <xs:extension base="xs:decimal"><xs:attribute name="currency" type="xs:string" use="required"/></xs:extension>
    </xs:simpleContent></xs:complexType></xs:element>
    <xs:element name="tag" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
    <xs:element name="offers" minOccurs="0"><xs:complexType><xs:sequence>
      <xs:element name="offer" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
        <xs:sequence><xs:element name="amount" type="xs:decimal"/></xs:sequence>
        <xs:attribute name="shop" type="xs:string" use="required"/>
      </xs:complexType></xs:element>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence><xs:attribute name="id" type="xs:int" use="required"/></xs:complexType>
</xs:schema>"""

COLUMNS = {
    "id": "@id",
    "name": "name",
    "currency": "price/@currency",
    "price": "price",
    "tags": "tag",
    "offers": {"element": "offers/offer", "columns": {"shop": "@shop", "amount": "amount"}},
}
OFFER = pa.list_(pa.struct([("shop", pa.string()), ("amount", pa.decimal128(9, 2))]))


def _rows(ids: list[int], **columns: list[Any]) -> pa.RecordBatch:
    count = len(ids)
    offers = [[{"shop": 'Huber & "Co"', "amount": Decimal("9.90")}, {"shop": "b", "amount": Decimal(8)}], [], None]
    values = {
        "id": pa.array(ids),
        "name": pa.array(columns.get("name", ["EOS <5D>\n\tbody"] * count)),
        "currency": pa.array(columns.get("currency", ["EUR"] * count)),
        "price": pa.array(columns.get("price", [Decimal("12345678901234567890.12")] * count)),
        "tags": pa.array([["new", "black"]] * count),
        "offers": pa.array((offers * count)[:count], OFFER),
    }
    return pa.record_batch(values)


@pytest.fixture(params=["qualified", "unqualified"])
def options(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Options with a schema whose inner elements are in its namespace, or in none."""
    prefix = "t:" if request.param == "qualified" else ""
    (tmp_path / "prices.xsd").write_text(XSD.format(form=request.param, prefix=prefix))
    return {"schema": str(tmp_path / "prices.xsd"), "element": "prices/shop/product", "columns": COLUMNS}


def _write(tmp_path: Path, batches: Any, options: Any = None) -> Delivered:
    return deliver(batches, str(tmp_path / "prices.xml"), load="a", mode="replace", options=options)


def test_document_is_valid_and_says_what_the_rows_do(tmp_path: Path, options: dict[str, Any]) -> None:
    """Attributes, nested lists and repeated elements are at their paths; texts and decimals are exact."""
    assert _write(tmp_path, [_rows([1, 2, 3])], options) == Delivered(3, inserted=3)
    tree = etree.parse(tmp_path / "prices.xml")
    etree.XMLSchema(etree.parse(options["schema"])).assertValid(tree)
    products = tree.getroot()[0]
    assert products[0].get("id") == "1"
    name, price, *tags, offers = products[0]
    assert name.text == "EOS <5D>\n\tbody"
    assert (price.text, price.get("currency")) == ("12345678901234567890.12", "EUR")
    assert [tag.text for tag in tags] == ["new", "black"]
    assert [(offer.get("shop"), offer[0].text) for offer in offers] == [('Huber & "Co"', "9.90"), ("b", "8.00")]
    assert len(products[1][-1]) == 0, "an empty list is an element without items"
    assert len(products[2]) == 4, "and a missing one is no element"


def test_invalid_rows_are_named_with_their_path(tmp_path: Path, options: dict[str, Any]) -> None:
    """The error has row, path and what the schema says; the old file stays."""
    _write(tmp_path, [_rows([1])], options)
    before = (tmp_path / "prices.xml").read_bytes()
    missing = _rows([1, 2, 3], currency=["EUR", "EUR", None])
    with pytest.raises(
        OutputError, match=r"Row 3 has something at prices/shop/product/price, .*'currency' is required"
    ):
        _write(tmp_path, [missing], options)
    wrong = _rows([*range(2_000)], price=["1"] * 1_500 + ["cheap"] + ["1"] * 499)
    with pytest.raises(OutputError, match=r"Row 1501 has something at prices/shop/product/price, .*'cheap' is not"):
        _write(tmp_path, [wrong], options)
    with pytest.raises(OutputError, match=r"The document has something, which .* does not allow: .*Duplicate key"):
        _write(tmp_path, [_rows([7, 8, 7])], options)
    assert (tmp_path / "prices.xml").read_bytes() == before


def test_columns_out_of_order_are_told(tmp_path: Path, options: dict[str, Any]) -> None:
    """Elements come in the order of the mapping, which has to be that of the schema."""
    reordered = {"price": "price", **{name: path for name, path in COLUMNS.items() if name != "price"}}
    with pytest.raises(OutputError, match=r"Row 1 has something at prices/shop/product/price.*Expected is.*name"):
        _write(tmp_path, [_rows([1])], {**options, "columns": reordered})


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"columns": {**COLUMNS, "nmae": "name"}}, "no column 'nmae'; did you mean 'name'"),
        ({"columns": {"id": "@id"}}, "'name', 'currency', 'price', 'tags', 'offers' would be lost"),
        (
            {"columns": {**COLUMNS, "offers": {"element": "o", "columns": {"shop": "@s"}}}},
            "'offers.amount' would be lost",
        ),
        ({"columns": {**COLUMNS, "name": {"element": "name"}}}, "'name' holds string and no structs"),
        ({"columns": {**COLUMNS, "name": "price"}}, "two columns have the path 'price'"),
        ({"columns": {**COLUMNS, "tags": "@tags"}}, "has a list or struct at product"),
        ({"columns": {**COLUMNS, "name": "full name"}}, "'full name', which isn't an XML element name"),
        ({"columns": {**COLUMNS, "offers": {"elements": "o"}}}, "did you mean 'element'"),
        ({"element": "product"}, "write it as `element: prices/product`"),
        ({"schema": "none.xsd"}, "none.xsd: the schema cannot be read"),
        ({"shema": "a.xsd"}, "did you mean 'schema'"),
    ],
)
def test_bad_options_are_told(tmp_path: Path, options: dict[str, Any], change: dict[str, Any], problem: str) -> None:
    """Each is one sentence, with what was probably meant; nothing would be dropped silently."""
    with pytest.raises(UsageError, match=problem):
        _write(tmp_path, [_rows([1])], {**options, **change})


def test_broken_schema_is_told(tmp_path: Path) -> None:
    """The error says what is wrong with it."""
    (tmp_path / "a.xsd").write_text("<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema'><xs:elment/></xs:schema>")
    with pytest.raises(UsageError, match=r"a\.xsd isn't a usable schema .*Expected is .*element"):
        _write(tmp_path, [_rows([1])], {"schema": str(tmp_path / "a.xsd"), "element": "a/b"})


def test_characters_that_xml_forbids_are_told(tmp_path: Path, options: dict[str, Any]) -> None:
    """They are named with row and path instead of being replaced."""
    batch = _rows([1, 2], name=["a", "b\x07"])
    with pytest.raises(OutputError, match="Row 2 has U\\+0007 at product/name"):
        _write(tmp_path, [batch], options)
    with pytest.raises(OutputError, match="Row 2 has U\\+0007 at name"):
        _write(tmp_path, [batch])


def test_without_a_schema_it_is_the_house_format(tmp_path: Path) -> None:
    """Records with an element for each field, lists with items, decimals with all digits; missing is no element."""
    _write(tmp_path, [EVERYTHING])
    first, second, third = etree.parse(tmp_path / "prices.xml").getroot()
    assert first.findtext("price") == "12345678901234567890.12"
    assert [item.findtext("price") for item in first.find("offers")] == ["9.90"]
    assert first.findtext("name") == 'EOS "5D", black\nbody'
    assert first.findtext("sold") == "true"
    assert second.findtext("name") == ""
    assert [field.tag for field in third] == ["id"]


def test_paths_work_without_a_schema(tmp_path: Path) -> None:
    """The document is then not checked; columns without paths are elements of their names."""
    _write(tmp_path, [pa.record_batch({"id": [1], "maker": [{"name": "Canon"}]})], {"element": "a/b"})
    assert (tmp_path / "prices.xml").read_text().splitlines()[1:] == [
        "<a>",
        "<b><id>1</id><maker><name>Canon</name></maker></b>",
        "</a>",
    ]
