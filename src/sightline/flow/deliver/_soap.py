"""Delivery to a SOAP service: rows become messages that are valid by its WSDL, each with an id that never changes."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import zeep.exceptions
from lxml import etree

from sightline.errors import OutputError, UsageError
from sightline.flow.deliver._acknowledged import message_id, remembering
from sightline.flow.deliver._arrays import in_pieces
from sightline.flow.deliver._load import Load
from sightline.flow.deliver._loads import Delivered
from sightline.flow.deliver._options import SoapOptions
from sightline.flow.deliver._paths import RowTree, check_mapping, mapped, put
from sightline.flow.deliver._posting import Arrival, Posting, Reply, by_status
from sightline.flow.deliver._rows import PLAIN, as_rows, as_text, check_finite
from sightline.flow.deliver._schema import load_columns
from sightline.flow.deliver._wsdl import Operation, read_operation

__all__ = ["deliver_load"]

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
                    posting.post(content, headers, part)
                    state.add(part, len(rows), digest)
                total += len(rows)
        state.finish(total)
    return Delivered(total, inserted=total)


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
