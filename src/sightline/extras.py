"""The optional parts: what each one enables, what it consists of, and the command that installs it.

`pyproject.toml` says which packages an extra installs; a test holds this table to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType

from sightline.errors import MissingExtra

__all__ = ["EVERYTHING", "EXTRAS", "Extra", "as_missing_extra", "install_command", "is_installed"]

EVERYTHING = "all"  # the extra that brings all the others


@dataclass(frozen=True)
class Extra:
    """One optional part of Sightline."""

    name: str
    enables: str
    modules: tuple[str, ...]
    """What it installs, by the names that are imported."""

    @property
    def is_installed(self) -> bool:
        """Whether everything that belongs to it can be imported."""
        return all(find_spec(module) is not None for module in self.modules)


_FLOW = ("duckdb", "pyarrow", "sqlalchemy")

# A package that several extras install belongs, for somebody who misses it, to the first of them.
EXTRAS: Mapping[str, Extra] = MappingProxyType(
    {
        extra.name: extra
        for extra in (
            Extra("flow", "flows, batches, reviews of matches, run history; DuckDB and Parquet files", _FLOW),
            Extra("excel", "reading and writing Excel files", ("openpyxl", "xlsxwriter")),
            Extra("parquet", "reading and writing Parquet files", ("pyarrow",)),
            Extra("pandas", "results as pandas frames", ("pandas",)),
            Extra("polars", "results as polars frames", ("polars",)),
            Extra("duckdb", "DuckDB beside your own code", ("duckdb",)),
            Extra("postgres", "PostgreSQL as a source, a target and a ledger of batches", ("psycopg",)),
            Extra("sqlalchemy", "another name for `flow`; databases need a driver of your choice", _FLOW),
            Extra("delta", "Delta tables as targets", (*_FLOW, "deltalake")),
            Extra("ocr", "text in scanned sheets, photos and other pictures", ("rapidocr", "onnxruntime", "cv2")),
            Extra("xml", "XML files that are checked by a schema", (*_FLOW, "lxml")),
            Extra("soap", "SOAP services as targets", (*_FLOW, "lxml", "zeep")),
            Extra("notify", "notifications by mail, chat and a hundred other services", ("apprise",)),
            Extra("keyring", "secrets from the keyring of the system", ("keyring",)),
            Extra("scale", "batches over object stores", (*_FLOW, "fsspec")),
            Extra("ray", "batches on a Ray cluster", (*_FLOW, "fsspec", "ray")),
            Extra("mcp", "tools for AI agents (`sightline mcp`)", ("mcp",)),
            Extra("trafilatura", "main text by trafilatura, for comparison", ("trafilatura", "lxml_html_clean")),
            Extra("readability", "main text by readability, for comparison", ("readability", "lxml_html_clean")),
            Extra("boilerpy3", "main text by boilerpy3, for comparison", ("boilerpy3",)),
        )
    }
)


def is_installed(name: str) -> bool:
    """Whether an extra is installed.

    >>> is_installed("parquet") == (find_spec("pyarrow") is not None)
    True
    """
    return EXTRAS[name].is_installed


def install_command(name: str) -> str:
    """The command that installs an extra.

    >>> install_command("excel")
    "pip install 'sightline-data[excel]'"
    """
    return f"pip install 'sightline-data[{name}]'"


def as_missing_extra(error: ImportError, purpose: str) -> MissingExtra | None:
    """What to tell people about an import that failed; None where no extra would help.

    >>> print(as_missing_extra(ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow.csv"), "This command"))
    This command needs an optional part; install it with `pip install 'sightline-data[flow]'`.
    >>> as_missing_extra(ModuleNotFoundError("No module named 'numpy'", name="numpy"), "This command") is None
    True
    """
    package = (error.name or "").partition(".")[0]
    fitting = [extra.name for extra in EXTRAS.values() if package in extra.modules]
    return MissingExtra(fitting[0], purpose) if fitting else None
