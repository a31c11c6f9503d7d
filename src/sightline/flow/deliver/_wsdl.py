"""What a WSDL says: the operation, its address, and the schema by which its messages have to be valid."""

import tempfile
from collections.abc import Callable, Iterator
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
from sightline.flow._quiet import quiet
from sightline.flow.deliver._load import Load
from sightline.flow.deliver._options import SoapOptions
from sightline.net import is_loopback

__all__ = ["Operation", "read_operation"]

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
        raise UsageError(f"{load.target} is no WSDL that can be used ({said:.300}); mend or replace it.") from problem
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
