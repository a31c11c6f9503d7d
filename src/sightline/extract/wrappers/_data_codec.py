"""The rules of a wrapper that read the pages' own data, as they stand in its file."""

from collections.abc import Mapping, Sequence
from typing import Any

from sightline.errors import UsageError
from sightline.extract.behind import CarriedName, DataRule, DataSlot, ListPath, ValuePath, is_form, is_readable
from sightline.extract.wrappers._data_rules import DataRules, FieldPaths, RecordsPath


def data_rules_to_json(rules: DataRules) -> dict[str, Any]:
    """The rules as plain values; what is “in words” is for reading only."""
    return {
        "fields": [
            {
                "field": one.name,
                "in words": one.told,
                **({} if one.alone else {"alone": False}),
                "paths": [_path_to_json(path) for path in one.paths],
            }
            for one in rules.fields
        ],
        "lists": [
            {
                "records": one.records,
                "in words": one.array.told,
                **_place(one.array.source, one.array.path),
                "fields": {name: _rule_to_json(rule) for name, rule in one.array.rules.items()},
            }
            for one in rules.lists
        ],
    }


def _place(source: CarriedName, path: Sequence[str | int]) -> dict[str, Any]:
    return {"syntax": source.syntax, "name": source.name, "path": list(path)}


def _path_to_json(path: ValuePath) -> dict[str, Any]:
    written = {"written": _rule_to_json(path.rule)} if path.rule else {}
    return {**_place(path.source, path.path), **written}


def _rule_to_json(rule: DataRule) -> list[dict[str, Any]]:
    """A rule, and those that hold as well on all that was seen."""
    return [
        {
            "pieces": [_piece_to_json(piece) for piece in one.pieces],
            **({"words": [{"data": data, "text": text} for data, text in one.words]} if one.words else {}),
        }
        for one in (rule, *rule.others)
    ]


def _piece_to_json(piece: str | DataSlot) -> str | dict[str, Any]:
    return piece if isinstance(piece, str) else {"path": list(piece.path), "form": piece.form}


# ---------------------------------------------------------------- from a file


def data_rules_from_json(document: Mapping[str, Any]) -> DataRules:
    """The inverse of `data_rules_to_json`, for a document that has been checked against its form."""
    return DataRules(
        tuple(
            FieldPaths(one["field"], tuple(map(_path, one["paths"])), one.get("alone", True))
            for one in document.get("fields", ())
        ),
        tuple(
            RecordsPath(
                one["records"],
                ListPath(
                    CarriedName(one["syntax"], one["name"]),
                    tuple(one["path"]),
                    {name: _rule(rules) for name, rules in one["fields"].items()},
                ),
            )
            for one in document.get("lists", ())
        ),
    )


def _path(document: Mapping[str, Any]) -> ValuePath:
    written = document.get("written")
    source = CarriedName(document["syntax"], document["name"])
    return ValuePath(source, tuple(document["path"]), _rule(written) if written else None)


def _rule(several: Sequence[Mapping[str, Any]]) -> DataRule:
    first, *others = map(_one_rule, several)
    return DataRule(first.pieces, first.words, tuple(others))


def _one_rule(document: Mapping[str, Any]) -> DataRule:
    pieces = tuple(piece if isinstance(piece, str) else _slot(piece) for piece in document["pieces"])
    rule = DataRule(pieces, tuple((one["data"], one["text"]) for one in document.get("words", ())))
    if not is_readable(rule):
        raise UsageError(f"the rule “{rule.told[:60]}” has more or fewer values than can be read together")
    return rule


def _slot(document: Mapping[str, Any]) -> DataSlot:
    form = document.get("form", "text")
    if not is_form(form):
        raise UsageError(f"no value is written in the form {form!r:.60}")
    return DataSlot(tuple(document["path"]), form)
