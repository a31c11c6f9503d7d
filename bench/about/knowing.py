"""What is known of a page by models that were learned without its site: for what is fitted on top of them."""

import lzma
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import orjson

import sightline as sl
from sightline.extract.about._candidates import Candidates, candidates_of
from sightline.extract.about._model import FieldLikelihoods, FieldModels, read_field_model

FIELD_FOLDS = Path(__file__).with_name("folds.json.xz")


class UnseenFields:
    """The models of fields, for each site those that do not know it; for others those of the first fold."""

    def __init__(self) -> None:
        self._models: dict[tuple[int, ...], FieldModels] = {}

    @cached_property
    def kept(self) -> Mapping[str, Any]:
        """The folds of each field and their models."""
        kept: Mapping[str, Any] = orjson.loads(lzma.decompress(FIELD_FOLDS.read_bytes()))
        return kept

    def models(self, site: str) -> FieldModels:
        """The models that do not know a site."""
        folds = tuple(kept["fold"].get(site, 0) for kept in self.kept.values())
        if folds not in self._models:
            pairs = zip(self.kept.items(), folds, strict=True)
            read = {name: read_field_model(name, kept["models"][fold]) for (name, kept), fold in pairs}
            self._models[folds] = FieldModels(read)
        return self._models[folds]

    def told(self, page: sl.Page, site: str) -> tuple[Candidates, FieldLikelihoods]:
        """The candidates of a page, and how likely each is a value of each field."""
        found = candidates_of(page)
        return found, FieldLikelihoods(found, self.models(site))
