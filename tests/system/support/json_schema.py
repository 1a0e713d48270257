# SPDX-License-Identifier: BSD-3-Clause
"""A validator of the part of JSON Schema (draft 7) that the schema of inputs uses, and YAML as editors read it.

An unknown keyword is an error, so that no rule of a schema is passed over. Where the package jsonschema is
installed, its verdict must be the same.
"""
import re

import yaml

try:
    import jsonschema
except ImportError:
    jsonschema = None

NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$")
TYPES = {"object": dict, "array": list, "string": str, "number": (int, float), "boolean": bool}
SILENT = {"$schema", "title", "description", "default", "then", "else"}


class Loader(yaml.SafeLoader):
    """Numbers as in YAML 1.2: 1e-3 is one."""


Loader.yaml_implicit_resolvers = {
    start: [(tag, pattern) for tag, pattern in resolvers if not tag.endswith((":int", ":float"))]
    for start, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:float", NUMBER, list("-+.0123456789"))
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))


def load(text):
    return yaml.load(text, Loader)


def is_of_type(value, name):
    if name == "integer":
        return is_of_type(value, "number") and value == int(value)
    return isinstance(value, TYPES[name]) and (name == "boolean" or not isinstance(value, bool))


def is_number(value):
    return is_of_type(value, "number")


# Each keyword: whether a value keeps to it. A keyword says nothing of values of another type.
RULES = {
    "type": lambda rule, v, _: any(is_of_type(v, name) for name in ([rule] if isinstance(rule, str) else rule)),
    "enum": lambda rule, v, _: v in rule,
    "pattern": lambda rule, v, _: not isinstance(v, str) or re.search(rule, v),
    "minimum": lambda rule, v, _: not is_number(v) or v >= rule,
    "exclusiveMinimum": lambda rule, v, _: not is_number(v) or v > rule,
    "maximum": lambda rule, v, _: not is_number(v) or v <= rule,
    "minItems": lambda rule, v, _: not isinstance(v, list) or len(v) >= rule,
    "maxItems": lambda rule, v, _: not isinstance(v, list) or len(v) <= rule,
    "items": lambda rule, v, _: not isinstance(v, list) or all(keeps(rule, item) for item in v),
    "required": lambda rule, v, _: not isinstance(v, dict) or all(key in v for key in rule),
    "properties": lambda rule, v, _: not isinstance(v, dict) or all(keeps(rule[k], v[k]) for k in rule if k in v),
    "additionalProperties": lambda rule, v, schema: (
        not isinstance(v, dict) or all(keeps(rule, v[k]) for k in v if k not in schema.get("properties", {}))),
    "anyOf": lambda rule, v, _: any(keeps(part, v) for part in rule),
    "allOf": lambda rule, v, _: all(keeps(part, v) for part in rule),
    "oneOf": lambda rule, v, _: sum(keeps(part, v) for part in rule) == 1,
    "if": lambda rule, v, schema: keeps(schema.get("then" if keeps(rule, v) else "else", True), v),
}


def keeps(schema, value):
    if isinstance(schema, bool):
        return schema
    return all(RULES[keyword](rule, value, schema) for keyword, rule in schema.items() if keyword not in SILENT)


def is_valid(schema, value):
    verdict = keeps(schema, value)
    if jsonschema is not None:
        assert verdict == jsonschema.Draft7Validator(schema).is_valid(value), value
    return verdict
