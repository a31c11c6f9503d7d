"""How the values of a field look, as learned from pages that say what theirs are: weights of words, and trees.

The models are grown by `python -m bench.about.grow`; docs/about.md has a card of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import orjson

from sightline.arrays import IntArray
from sightline.extract.about._candidates import KINDS, NUMBER_OF, Candidates
from sightline.extract.about._context import ROLES, WordContext, context_of
from sightline.extract.about._measures import MEASURES, measured
from sightline.trees import Forest, read_forest

WAYS = ("sum", "most", "least")
NAMES = (*MEASURES, *(f"{role} {way}" for role in ROLES for way in WAYS))
"""All measures: of a candidate alone, then of the words around it."""
PLACES = {name: number for number, name in enumerate(NAMES)}
# Of which kinds the candidates of each learned field are.
TEXTS = ("block", "piece", "value")
ASKED: Mapping[str, tuple[str, ...]] = {
    "name": ("block", "piece"),
    "author": TEXTS,
    "brand": TEXTS,
    "recipeIngredient": ("block",),
    "recipeInstructions": ("block",),
    "price": ("money", "number"),
    "sku": ("code", "value"),
    "mpn": ("code", "value"),
    "totalTime": ("span",),
    "recipeYield": ("number",),
    "ratingValue": ("number",),
    "datePublished": ("day",),
}


Measured: TypeAlias = tuple[IntArray, npt.NDArray[np.float32], npt.NDArray[np.float32]]
Weights: TypeAlias = Mapping[str, Mapping[str, float]]


def word_measures(context: WordContext, weights: Weights) -> npt.NDArray[np.float32]:
    """What the words around each candidate weigh: in each role all together, the most and the least; a row each."""
    return Vocabulary.of([weights]).measures(context)[:, :, 0]


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The weights of words for several fields: of each role the place of each word, and a row of weights for it.

    A word that a field does not know is NaN there.
    """

    place: Mapping[str, Mapping[str, int]]
    weight: Mapping[str, npt.NDArray[np.float32]]

    @classmethod
    def of(cls, several: Sequence[Weights]) -> "Vocabulary":
        """The vocabulary of some fields, in their order."""
        place, weight = {}, {}
        for role in ROLES:
            words = dict.fromkeys(chain.from_iterable(weights[role] for weights in several))
            place[role] = {word: number for number, word in enumerate(words)}
            table = np.full((len(words), len(several)), np.nan, dtype=np.float32)
            for column, weights in enumerate(several):
                for word, own in weights[role].items():
                    table[place[role][word], column] = own
            weight[role] = table
        return cls(place, weight)

    def measures(self, context: WordContext) -> npt.NDArray[np.float32]:
        """What the words of each candidate weigh in each role and way, (measures, candidates, fields)."""
        return np.concatenate([self._of_role(context, role)[:, context.of[role]] for role in ROLES])

    def _of_role(self, context: WordContext, role: str) -> npt.NDArray[np.float32]:
        place, weight, words = self.place[role], self.weight[role], context.words[role]
        known = [[place[word] for word in several if word in place] for several in words]
        size = np.array([len(one) for one in known])
        table = np.zeros((len(WAYS), len(words), weight.shape[1]), dtype=np.float32)
        filled = size > 0
        if filled.any():
            rows = weight[np.fromiter(chain.from_iterable(known), dtype=np.intp, count=int(size.sum()))]
            starts = (np.cumsum(size) - size)[filled]
            unknown = np.isnan(rows)
            table[0, filled] = np.add.reduceat(np.where(unknown, 0, rows), starts)
            for way, reduce in ((1, np.fmax), (2, np.fmin)):
                table[way, filled] = np.nan_to_num(reduce.reduceat(rows, starts))
        return table


@dataclass(frozen=True, eq=False)
class FieldModel:
    """What is known of the values of one field."""

    field: str
    words: Weights
    forest: Forest

    @cached_property
    def places(self) -> npt.NDArray[np.intp]:
        """Where what the trees ask for stands among all measures."""
        return np.array([PLACES[name] for name in self.forest.names], dtype=np.intp)


@cache
def field_model(field: str) -> FieldModel:
    """The model of a field."""
    content = resources.files("sightline.extract.about").joinpath("fields", f"{field}.json").read_bytes()
    return read_field_model(field, orjson.loads(content))


def read_field_model(field: str, document: Mapping[str, Any]) -> FieldModel:
    """A model from plain values, as they are kept in its file."""
    forest = read_forest(tuple(document["names"]), "\n".join(document["trees"]), document["bias"])
    return FieldModel(field, document["words"], forest)


@dataclass(frozen=True, eq=False)
class FieldModels:
    """The models of all fields that are found by their looks."""

    models: Mapping[str, FieldModel]

    @cached_property
    def of_kind(self) -> Mapping[str, tuple[str, ...]]:
        """Of each kind of candidates the fields whose values they may be."""
        return {kind: tuple(name for name in self.models if kind in ASKED[name]) for kind in KINDS}

    @cached_property
    def vocabulary(self) -> Mapping[str, Vocabulary]:
        """Of each kind of candidates the weights of words for its fields."""
        return {
            kind: Vocabulary.of([self.models[name].words for name in of]) for kind, of in self.of_kind.items() if of
        }


@cache
def field_models() -> FieldModels:
    """The models that come with the package."""
    return FieldModels({name: field_model(name) for name in ASKED})


class FieldLikelihoods(Mapping[str, npt.NDArray[np.float64]]):
    """For each field how likely each candidate is its value, 0 where it cannot be; told when a field is asked for.

    Few fields are asked for where a page says what it is about, and for most of them few candidates are measured.
    """

    def __init__(self, found: Candidates, known: FieldModels | None = None) -> None:
        self.found = found
        self.known = known or field_models()
        self._told: dict[str, npt.NDArray[np.float64]] = {}
        self._measured: dict[str, Measured] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.known.models)

    def __len__(self) -> int:
        return len(self.known.models)

    def __getitem__(self, field: str) -> npt.NDArray[np.float64]:
        if field not in self._told:
            self._told[field] = self._tell(self.known.models[field])
        return self._told[field]

    def _tell(self, model: FieldModel) -> npt.NDArray[np.float64]:
        likely = np.zeros(len(self.found))
        for kind in ASKED[model.field]:
            rows, matrix, weighed = self._of_kind(kind)
            if len(rows):
                own = weighed[:, :, self.known.of_kind[kind].index(model.field)]
                likely[rows] = model.forest.likely_by_columns(np.concatenate([matrix, own])[model.places])
        return likely

    def _of_kind(self, kind: str) -> Measured:
        """The candidates of a kind, what is measured of each alone, and what the words around it weigh."""
        if kind not in self._measured:
            rows = np.flatnonzero(self.found.kind == NUMBER_OF[kind]).astype(np.int32)
            matrix = weighed = np.zeros((0, 0), dtype=np.float32)
            if len(rows):
                own = self.found.only(rows)
                matrix, weighed = measured(own), self.known.vocabulary[kind].measures(context_of(own))
            self._measured[kind] = rows, matrix, weighed
        return self._measured[kind]
