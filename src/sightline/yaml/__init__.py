"""YAML files that people write and edit: each value with its line, and forms that read, write and describe it.

Navigation scripts and flows are both such files.
"""

from sightline.yaml._forms import (
    COUNT,
    FLAG,
    LINE,
    OFFSET,
    TEXT_OR_NOTHING,
    VARIABLE,
    WORDS,
    Form,
    JsonSchema,
    Line,
    Lines,
    Mapped,
    OneOf,
    only_keys,
    the_one_key,
)
from sightline.yaml._given import (
    Given,
    GivenPair,
    MistakeError,
    YamlContent,
    check_length,
    check_version,
    did_you_mean,
    inside,
    listed,
    load_text,
    parsed_yaml,
    read_yaml,
)
from sightline.yaml._keys import key, keys_of, main
from sightline.yaml._layout import on_one_line, quoted, yaml_writer
from sightline.yaml._plain_values import YamlPath, check_plain, plain_values
from sightline.yaml._secrets import SecretName, SecretPlace, look_up, read_secrets, secrets_schema
from sightline.yaml._text import YamlText

__all__ = [
    "COUNT",
    "FLAG",
    "LINE",
    "OFFSET",
    "TEXT_OR_NOTHING",
    "VARIABLE",
    "WORDS",
    "Form",
    "Given",
    "GivenPair",
    "JsonSchema",
    "Line",
    "Lines",
    "Mapped",
    "MistakeError",
    "OneOf",
    "SecretName",
    "SecretPlace",
    "YamlContent",
    "YamlPath",
    "YamlText",
    "check_length",
    "check_plain",
    "check_version",
    "did_you_mean",
    "inside",
    "key",
    "keys_of",
    "listed",
    "load_text",
    "look_up",
    "main",
    "on_one_line",
    "only_keys",
    "parsed_yaml",
    "plain_values",
    "quoted",
    "read_secrets",
    "read_yaml",
    "secrets_schema",
    "the_one_key",
    "yaml_writer",
]
