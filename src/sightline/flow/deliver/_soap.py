"""Delivery to a SOAP service: rows become messages that are valid by its WSDL, each with an id that never changes."""

import hashlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import zeep.exceptions
from lxml import etree
from zeep import Settings
from zeep.loader import absolute_location
from zeep.wsdl import Document

from sightline.errors import OutputError, UsageError
from sightline.flow._addresses import quiet
from sightline.flow.deliver._arrays import in_pieces
from sightline.flow.deliver._posting import Arrival, Posting, Reply, by_status, load_name, message_id, remembering
from sightline.flow.deliver._rows import PLAIN, RowTree, as_rows, as_text, check_finite, check_mapping, mapped, put
from sightline.flow.deliver._schema import load_columns
from sightline.flow.deliver._target import Delivered, Load, SoapOptions
from sightline.net import is_loopback

# What a WSDL says: the operation, its address, and the schema by which its messages have to be valid.

_XSD = "{http://www.w3.org/2001/XMLSchema}"
_WSDL = "{http://schemas.xmlsoap.org/wsdl/}"
_REFERENCES = (f"{_XSD}import", f"{_XSD}include", f"{_XSD}redefine")
_PARSER = {"resolve_entities": False, "no_network": True, "huge_tree": True}

_Read = Callable[[str], bytes]


@dataclass(frozen=True)
class Operation:
    """An operation of a service; `binding` makes its envelopes, `schema` says whether their content is valid."""

    name: str
    address: str
    action: str
    binding: Any
    schema: Any


def read_operation(load: Load, options: SoapOptions) -> Operation:
    """The operation that a target names; whatever the WSDL does not have is an error that says what it has."""
    place = load.target.place
    read = _reader(load, options)
    try:
        document = Document(place, _Transport(read), settings=Settings(forbid_dtd=True, strict=True))
        port, operation = _operation(document, load)
        schema = _Schemas(read).schema(place)
    except (zeep.exceptions.Error, etree.LxmlError, AttributeError, KeyError, TypeError) as problem:
        # zeep trips over what it does not find in a WSDL, in these ways.
        said = str(problem).splitlines()[0] if str(problem) else type(problem).__name__
        raise UsageError(f"{load.target} isn't a usable WSDL ({said:.300}); fix or replace it.") from problem
    found = port.binding.get(operation)
    if found.style != "document":
        raise UsageError(
            f"{load.target}: the operation has the style {found.style!r}, and only 'document' can be checked before it "
            "is sent; choose another port or operation."
        )
    action = found.abstract.wsa_action or found.soapaction or ""
    return Operation(operation, port.binding_options["address"], action, port.binding, schema)


def _operation(document: Any, load: Load) -> tuple[Any, str]:
    """The port and the operation; the name of the operation alone is enough where only one port has it."""
    known = {
        f"{service.name}.{port.name}.{operation}": (port, operation)
        for service in document.services.values()
        for port in service.ports.values()
        for operation in port.binding.all()
    }
    wanted = load.target.table
    short = [name for name in known if name.rpartition(".")[2] == wanted]
    name = wanted if wanted in known else short[0] if len(short) == 1 else ""
    if not name:
        near = get_close_matches(wanted, known, 1)
        hint = f"did you mean {near[0]!r}?" if near and not short else f"there are {', '.join(map(repr, known))}."
        raise UsageError(f"{load.target}: the WSDL has no one operation {wanted!r}; {hint}")
    return known[name]


class _Transport:
    """What zeep asks for documents."""

    def __init__(self, read: _Read) -> None:
        self.load = read


def _reader(load: Load, options: SoapOptions) -> _Read:
    """Reads a document from a file or the web; our headers go to no other host than that of the WSDL."""
    home = urlsplit(load.target.place).netloc

    def read(place: str) -> bytes:
        if "://" not in place:
            return _file(place)
        parts = urlsplit(place)
        if parts.scheme == "file":
            return _file(parts.path)
        headers = dict(options.headers or {}) if parts.netloc == home else {}
        trust = not is_loopback(parts.hostname or "")
        try:
            client = httpx2.Client(timeout=options.seconds, trust_env=trust, headers=headers)
            with quiet("httpx2", "httpcore2"), client:
                answer = client.get(place)
        except httpx2.TransportError as problem:
            raise OutputError(
                f"{load.target}: the WSDL could not be fetched ({problem!s:.100}); run the load again when it can be."
            ) from problem
        if answer.status_code != httpx2.codes.OK:
            raise OutputError(f"{load.target}: the WSDL could not be fetched (status {answer.status_code}); check it.")
        return answer.content

    return read


def _file(place: str) -> bytes:
    try:
        return Path(place).read_bytes()
    except OSError as problem:
        raise UsageError(f"{place}: the file cannot be read ({problem.strerror}); check its name.") from problem


class _Schemas:
    """All schemas that a WSDL holds or refers to, as files that refer to each other."""

    def __init__(self, read: _Read) -> None:
        self._read = read
        self._stored: dict[str, Path] = {}
        self._inline: dict[str, list[Path]] = {}

    def schema(self, place: str) -> Any:
        """One schema of all of them."""
        with tempfile.TemporaryDirectory(prefix="sightline-") as folder:
            self._folder = Path(folder)
            found = list(self._elements(place, set()))
            for number, (element, _) in enumerate(found):
                path = self._folder / f"inline{number}.xsd"
                self._inline.setdefault(element.get("targetNamespace", ""), []).append(path)
            for number, (element, base) in enumerate(found):
                self._write(element, base, self._folder / f"inline{number}.xsd")
            head = etree.Element(f"{_XSD}schema")
            for namespace in self._inline:
                self._refer(etree.SubElement(head, f"{_XSD}import"), namespace, self._of(namespace))
            path = self._folder / "all.xsd"
            path.write_bytes(etree.tostring(head))
            return etree.XMLSchema(file=str(path))

    def _elements(self, place: str, seen: set[str]) -> Iterator[tuple[Any, str]]:
        """The schemas inside a WSDL and those that it imports, each with the place that its references start from."""
        if place in seen:
            return
        seen.add(place)
        root = etree.fromstring(self._read(place), etree.XMLParser(**_PARSER))
        for imported in root.iterchildren(f"{_WSDL}import"):
            yield from self._elements(absolute_location(imported.get("location"), place), seen)
        for types in root.iterchildren(f"{_WSDL}types"):
            for element in types.iterchildren(f"{_XSD}schema"):
                yield element, place

    def _of(self, namespace: str) -> Path:
        """The file for a namespace; libxml2 reads one import of each, so several are put together in one."""
        paths = self._inline[namespace]
        if len(paths) == 1:
            return paths[0]
        joined = self._folder / f"joined{list(self._inline).index(namespace)}.xsd"
        head = etree.Element(f"{_XSD}schema", **({"targetNamespace": namespace} if namespace else {}))
        for path in paths:
            etree.SubElement(head, f"{_XSD}include").set("schemaLocation", str(path))
        joined.write_bytes(etree.tostring(head))
        return joined

    @staticmethod
    def _refer(reference: Any, namespace: str, path: Path) -> None:
        if namespace:
            reference.set("namespace", namespace)
        reference.set("schemaLocation", str(path))

    def _write(self, element: Any, base: str, path: Path) -> None:
        """Store a schema with references to files that are stored, too."""
        for reference in element.iterchildren(*_REFERENCES):
            location = reference.get("schemaLocation")
            if location:
                reference.set("schemaLocation", str(self._external(absolute_location(location, base))))
            elif reference.get("namespace", "") in self._inline:
                self._refer(reference, reference.get("namespace", ""), self._of(reference.get("namespace", "")))
        path.write_bytes(etree.tostring(element))

    def _external(self, place: str) -> Path:
        if place not in self._stored:
            self._stored[place] = path = self._folder / f"external{len(self._stored)}.xsd"
            self._write(etree.fromstring(self._read(place), etree.XMLParser(**_PARSER)), place, path)
        return self._stored[place]


_SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/"
_SOAP_12 = "http://www.w3.org/2003/05/soap-envelope"
_ADDRESSING = "http://www.w3.org/2005/08/addressing"
_OF_THE_SERVICE = ("Server", "Receiver")  # faults that are the service's own: the same message may be taken later


def deliver_load(load: Load, batches: Iterable[Any]) -> Delivered:
    """Send the messages that have not arrived yet."""
    options = load.options
    assert isinstance(options, SoapOptions)
    with remembering(options.state, load) as state:
        if state.done:
            return state.done
        operation = read_operation(load, options)
        total = 0
        with Posting(operation.address, load, options, _judged) as posting:
            for part, rows in enumerate(_parts(batches, options), 1):
                content, headers = _message(load, operation, options, rows, part=part, before=total)
                digest = hashlib.sha256(content).hexdigest()
                if not state.has(part, digest):
                    if state.is_replaced(part):
                        raise _replaced(load, part)
                    posting.post(content, headers, part)
                    state.add(part, len(rows), digest)
                total += len(rows)
        state.finish(total)
    return Delivered(total, inserted=total)


def _replaced(load: Load, part: int) -> OutputError:
    """The error for a message that is another than the service took for the same due date: it can't be taken back."""
    return OutputError(
        f"{load.target}: message {part} of {load_name(load)} was sent before, with other rows, and a service can't be "
        "told to replace it; correct what it has by hand, or deliver to a table."
    )


def _parts(batches: Iterable[Any], options: SoapOptions) -> Iterator[list[RowTree]]:
    """The trees of the rows of each message; without an element for rows, each row is a message."""
    size = options.part_rows if options.element else 1
    part: list[RowTree] = []
    for row in _rows(batches, options):
        part.append(mapped(row, options.columns))
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part


def _rows(batches: Iterable[Any], options: SoapOptions) -> Iterator[Mapping[str, Any]]:
    columns = None
    for piece in in_pieces(batches):
        if columns is None:
            columns = load_columns(piece.schema, (), PLAIN)
            check_mapping(piece.schema, options.columns)
        check_finite(piece, "a message")
        yield from as_rows(piece, columns)


def _message(
    load: Load, operation: Operation, options: SoapOptions, rows: list[RowTree], *, part: int, before: int
) -> tuple[bytes, dict[str, str]]:
    """The envelope of a part, checked by the schema, with the headers of its request."""
    tree: RowTree = {}
    for path, value in (options.values or {}).items():
        put(tree, path, value)
    if options.element:
        put(tree, options.element, rows)
    else:
        tree |= rows[0]
    try:
        envelope = operation.binding.get(operation.name).create(**_arguments(tree)).content
    except (zeep.exceptions.Error, TypeError, ValueError) as problem:
        raise UsageError(
            f"{load.target}: the rows do not fit the operation ({str(problem).splitlines()[0]:.400}); change "
            "`element`, `columns` or `values`."
        ) from problem
    _check(load, operation, envelope, options, before)
    _address(envelope, load, operation, part)
    content: bytes = etree.tostring(envelope, xml_declaration=True, encoding="utf-8")
    return content, _headers(envelope, operation)


def _arguments(tree: RowTree) -> dict[str, Any]:
    """A tree as zeep takes it: attributes by their names, and the text of an element that has some as `_value_1`."""
    return {("_value_1" if not name else name.lstrip("@")): _argument(value) for name, value in tree.items()}


def _argument(value: Any) -> Any:
    if isinstance(value, Mapping):
        return _arguments(dict(value))
    if isinstance(value, list):
        return [_argument(item) for item in value]
    return value if isinstance(value, bytes) else as_text(value)  # bytes are base64 or hexadecimal, as the WSDL says


def _check(load: Load, operation: Operation, envelope: Any, options: SoapOptions, before: int) -> None:
    """Raise an error that names the row and the path if the schema does not allow the content of an envelope."""
    content = etree.fromstring(etree.tostring(envelope.find(f"{{{_space(envelope)}}}Body")[0]))
    if operation.schema.validate(content):
        return
    entry = operation.schema.error_log[0]
    prefixes = {prefix: space for prefix, space in content.nsmap.items() if prefix}
    found = content.getroottree().xpath(entry.path, namespaces=prefixes) if entry.path else []
    way = [found[0], *found[0].iterancestors()][::-1] if found else [content]
    raise OutputError(
        f"{load.target}: {_row(way, options, before)} has something at {'/'.join(map(_local, way))} that the WSDL does "
        f"not allow: {_bare(entry.message):.400} Change the rows or their paths."
    )


def _row(way: list[Any], options: SoapOptions, before: int) -> str:
    depth = len(options.element.strip("/").split("/")) if options.element else 0
    if depth >= len(way):
        return "the message"
    element = way[depth]
    return f"row {before + (len(list(element.itersiblings(element.tag, preceding=True))) if depth else 0) + 1}"


def _local(element: Any) -> str:
    return str(element.tag.rpartition("}")[2])


def _bare(said: str) -> str:
    """A message without the namespaces that stand before each name."""
    parts = said.split("{")
    return parts[0] + "".join(part.partition("}")[2] for part in parts[1:])


def _address(envelope: Any, load: Load, operation: Operation, part: int) -> None:
    """Write who the message is for and which it is into its header (WS-Addressing)."""
    space = _space(envelope)
    header = envelope.find(f"{{{space}}}Header")
    if header is None:
        header = etree.Element(f"{{{space}}}Header")
        envelope.insert(0, header)
    parts = urlsplit(operation.address)
    to = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    for name, text in (
        ("Action", operation.action),
        ("MessageID", f"urn:uuid:{message_id(load, part)}"),
        ("To", to),
    ):
        if text:
            etree.SubElement(header, f"{{{_ADDRESSING}}}{name}", nsmap={"wsa": _ADDRESSING}).text = text


def _headers(envelope: Any, operation: Operation) -> dict[str, str]:
    action = operation.action.replace('"', "%22")
    if _space(envelope) == _SOAP_12:
        said = f'; action="{action}"' if action else ""
        return {"Content-Type": f"application/soap+xml; charset=utf-8{said}"}
    return {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": f'"{action}"'}


def _space(envelope: Any) -> str:
    return str(etree.QName(envelope).namespace)


def _judged(reply: Reply) -> Arrival:
    """A fault is an error, retried if it is the service's own; an answer that is no SOAP is judged by its status."""
    if not reply.content.strip():
        return by_status(reply)
    try:
        answer = etree.fromstring(
            reply.content, etree.XMLParser(resolve_entities=False, no_network=True, recover=False)
        )
    except etree.XMLSyntaxError:
        return _no_soap(reply)
    space = etree.QName(answer).namespace
    if space not in (_SOAP_11, _SOAP_12):
        return _no_soap(reply)
    fault = answer.find(f"{{{space}}}Body/{{{space}}}Fault")
    if fault is None:
        return by_status(reply)
    code, text = _fault(fault, str(space))
    again = code.rpartition(":")[2].partition(".")[0] in _OF_THE_SERVICE
    return Arrival(arrived=False, reason=f"answered with the fault {code} ({text:.300})", again=again)


def _no_soap(reply: Reply) -> Arrival:
    verdict = by_status(reply)
    if verdict.arrived:
        return Arrival(arrived=False, reason=f"answered {reply.status} with something that is not SOAP")
    return verdict


def _fault(fault: Any, space: str) -> tuple[str, str]:
    """The code and the text of a fault."""
    if space == _SOAP_11:
        return fault.findtext("faultcode", "").strip(), " ".join(fault.findtext("faultstring", "").split())
    code = fault.findtext(f"{{{space}}}Code/{{{space}}}Value", "").strip()
    return code, " ".join(fault.findtext(f"{{{space}}}Reason/{{{space}}}Text", "").split())
