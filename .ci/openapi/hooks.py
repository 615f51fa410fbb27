"""Teaches Schemathesis NDJSON: a list is one value a line, and anything else one line."""

import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def to_lines(context, value):
    values = value if isinstance(value, list) else [value]
    return "".join(json.dumps(one) + "\n" for one in values).encode()


@schemathesis.deserializer("application/x-ndjson")
def from_lines(context, response):
    return [json.loads(line) for line in response.text.split("\n") if line]
