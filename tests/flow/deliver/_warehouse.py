"""A SOAP service with a WSDL, as a warehouse has one: it checks envelopes, and keeps each message once by its id."""

from pathlib import Path
from typing import Any

from lxml import etree

from ._service import Answer, Request, Service

SOAP = {
    "11": "http://schemas.xmlsoap.org/soap/envelope/",
    "12": "http://www.w3.org/2003/05/soap-envelope",
}
ADDRESSING = "{http://www.w3.org/2005/08/addressing}"

TYPES = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:bw:types"
    elementFormDefault="qualified">
  <xs:simpleType name="Currency"><xs:restriction base="xs:string"><xs:pattern value="[A-Z]{3}"/></xs:restriction>
  </xs:simpleType>
</xs:schema>"""

MESSAGES = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:b="urn:bw" xmlns:t="urn:bw:types"
    targetNamespace="urn:bw" elementFormDefault="qualified">
  <xs:import namespace="urn:bw:types" schemaLocation="types.xsd"/>
  <xs:element name="PushPrices"><xs:complexType><xs:sequence>
    <xs:element name="Source" type="xs:string"/>
    <xs:element name="Items"><xs:complexType><xs:sequence>
      <xs:element name="Item" maxOccurs="unbounded"><xs:complexType><xs:sequence>
        <xs:element name="Product" type="xs:string"/>
        <xs:element name="Price"><xs:complexType><xs:simpleContent><xs:extension base="xs:decimal">
          <xs:attribute name="currency" type="t:Currency" use="required"/></xs:extension></xs:simpleContent>
        </xs:complexType></xs:element>
        <xs:element name="Day" type="xs:date" minOccurs="0"/>
        <xs:element name="Tag" type="xs:string" minOccurs="0" maxOccurs="unbounded"/>
      </xs:sequence><xs:attribute name="id" type="xs:int" use="required"/></xs:complexType></xs:element>
    </xs:sequence></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
  <xs:element name="PushPricesResponse"><xs:complexType><xs:sequence>
    <xs:element name="Accepted" type="xs:int"/></xs:sequence></xs:complexType></xs:element>
</xs:schema>"""

PORT = """<binding name="Binding{version}" type="w:Port">
    <soap{version}:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="Push"><soap{version}:operation soapAction="urn:bw:push"/>
      <input><soap{version}:body use="literal"/></input><output><soap{version}:body use="literal"/></output>
    </operation></binding>"""

WSDL = """<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:w="urn:bw:service" xmlns:b="urn:bw"
    xmlns:soap11="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:soap12="http://schemas.xmlsoap.org/wsdl/soap12/"
    targetNamespace="urn:bw:service">
  <types>{messages}</types>
  <message name="In"><part name="parameters" element="b:PushPrices"/></message>
  <message name="Out"><part name="parameters" element="b:PushPricesResponse"/></message>
  <portType name="Port"><operation name="Push"><input message="w:In"/><output message="w:Out"/></operation></portType>
  {ports}
  <service name="Warehouse">
    <port name="Old" binding="w:Binding11"><soap11:address location="{url}/bw"/></port>
    <port name="New" binding="w:Binding12"><soap12:address location="{url}/bw"/></port>
  </service>
</definitions>"""


class Warehouse:
    """What the service does with messages; `items` are the rows that it has taken."""

    def __init__(self, folder: Path) -> None:
        (folder / "types.xsd").write_text(TYPES)
        (folder / "messages.xsd").write_text(MESSAGES)
        self._schema = etree.XMLSchema(file=str(folder / "messages.xsd"))
        self._folder = folder
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.invalid: list[str] = []
        self.wsdl = b""

    def describe(self, service: Service) -> Path:
        """Write the WSDL of a service that runs."""
        ports = PORT.format(version="11") + PORT.format(version="12")
        self.wsdl = WSDL.format(messages=MESSAGES, ports=ports, url=service.url).encode()
        (self._folder / "bw.wsdl").write_bytes(self.wsdl)
        return self._folder / "bw.wsdl"

    def __call__(self, request: Request) -> Answer:
        """Take a message, once; or hand out the WSDL and its schema."""
        if not request.body:
            return Answer(body=TYPES.encode() if request.path.endswith("types.xsd") else self.wsdl)
        envelope = etree.fromstring(request.body)
        space = etree.QName(envelope).namespace
        assert space == SOAP["12" if "soap+xml" in request.headers["content-type"] else "11"]
        content = envelope.find(f"{{{space}}}Body")[0]
        if not self._schema.validate(etree.fromstring(etree.tostring(content))):
            self.invalid.append(str(self._schema.error_log))
            return fault("Client" if space == SOAP["11"] else "Sender", "invalid", space)
        name = envelope.find(f"{{{space}}}Header").findtext(f"{ADDRESSING}MessageID")
        self.messages.setdefault(name, [_item(item) for item in content.iter("{urn:bw}Item")])
        body = (
            f'<PushPricesResponse xmlns="urn:bw"><Accepted>{len(self.messages[name])}</Accepted></PushPricesResponse>'
        )
        return Answer(body=f'<s:Envelope xmlns:s="{space}"><s:Body>{body}</s:Body></s:Envelope>'.encode())

    @property
    def items(self) -> list[dict[str, Any]]:
        """All rows that were taken."""
        return [item for items in self.messages.values() for item in items]


def _item(item: Any) -> dict[str, Any]:
    price = item.find("{urn:bw}Price")
    return {
        "id": int(item.get("id")),
        "name": item.findtext("{urn:bw}Product"),
        "price": price.text,
        "currency": price.get("currency"),
        "day": item.findtext("{urn:bw}Day"),
        "tags": [tag.text for tag in item.iter("{urn:bw}Tag")],
    }


def fault(code: str, text: str, space: str) -> Answer:
    """A fault of either version."""
    if space == SOAP["11"]:
        inner = f"<faultcode>s:{code}</faultcode><faultstring>{text}</faultstring>"
    else:
        inner = (
            f"<s:Code><s:Value>s:{code}</s:Value></s:Code><s:Reason><s:Text xml:lang='en'>{text}</s:Text></s:Reason>"
        )
    body = f'<s:Envelope xmlns:s="{space}"><s:Body><s:Fault>{inner}</s:Fault></s:Body></s:Envelope>'
    return Answer(500, body.encode())
