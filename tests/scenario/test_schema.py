"""The JSON Schema says what the format says, and is enough for an editor."""

from __future__ import annotations

import json

from bpstep.scenario.schema import File, json_schema


def test_every_key_of_a_file_has_a_description():
    schema = json_schema()
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) == {"bpstep", "title", "graph"}
    assert set(schema["properties"]) == set(File.model_fields)
    assert all("description" in each for each in schema["properties"].values())


def test_words_that_may_be_chosen_are_listed():
    schema = json_schema()
    assert schema["properties"]["dtype"]["enum"] == ["float64", "float32"]
    assert "near-kink" in json.dumps(schema["$defs"]["ExpectedCheck"])
    assert "from" in schema["$defs"]["Fault"]["properties"]
    assert schema["$defs"]["InitLeaf"]["properties"]["init"]["enum"] == [
        "normal",
        "uniform",
        "zeros",
        "ones",
        "eye",
    ]
