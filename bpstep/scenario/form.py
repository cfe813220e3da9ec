"""The form of a file: the schema's errors, said in the format's words and put in their places."""

from __future__ import annotations

import re
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from bpstep.engine.errors import nearest
from bpstep.scenario.locate import Mapping, Scalar, Tree, descend, plain
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.schema import File
from bpstep.scenario.source import Span

_EXPECTED = {
    "string_type": "text",
    "float_type": "a number",
    "int_type": "an integer",
    "bool_type": "true or false",
    "list_type": "a list, [ … ]",
    "dict_type": "a mapping, name: value",
    "model_type": "a mapping, name: value",
    "model_attributes_type": "a mapping, name: value",
    "finite_number": "a finite number",
    "too_short": "at least one item",
}
_LIMITS = {"gt": "more than", "ge": "at least", "lt": "less than", "le": "at most"}


def check_form(root: Mapping, problems: Problems, *, complete: bool = True) -> File | None:
    """The file as the schema has it, or None where it does not fit; every misfit is reported.

    Of a file that is not complete, because its base is missing, the graph may be missing too.
    """
    data = {name: value for name, value in _data(root).items() if value is not None}
    try:
        return File.model_validate(data)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=True)
        known = _misspelt(errors) if complete else {*_misspelt(errors), ("graph",)}
        for each in errors:
            if each["type"] != "missing" or each["loc"] not in known:
                _report(each, root, problems)
        return None


def _misspelt(errors: Any) -> set[tuple[int | str, ...]]:
    """The places of keys that are there under names which are nearly theirs."""
    return {
        (*path[:-1], nearest(str(path[-1]), _legal_keys(path[:-1])) or "")
        for path in (each["loc"] for each in errors if each["type"] == "extra_forbidden")
    }


def _data(root: Mapping) -> dict[str, Any]:
    data = plain(root)
    return data if isinstance(data, dict) else {}


def _report(error: Any, root: Mapping, problems: Problems) -> None:
    path, kind = error["loc"], error["type"]
    met = list(descend(root, path))
    key, value = met[-1]
    if kind == "missing":
        message, expected = f"the key '{path[-1]}' is missing", _description(path)
        problems.add(_head(key, value), message, expected=expected, subject=str(path[-1]))
    elif kind == "extra_forbidden":
        legal = _legal_keys(path[:-1])
        problems.add(
            key.span if key else value.span,
            f"there is no key {quoted(path[-1])} here",
            expected=", ".join(legal),
            suggestion=nearest(str(path[-1]), legal),
        )
    else:
        expected, suggestion = _expectation(error)
        span = value.span if value.end > value.start else _head(key, value)
        problems.add(span, f"found {_found(value)}", expected=expected, suggestion=suggestion)


def _head(key: Scalar | None, value: Tree) -> Span:
    """A place for what is about a whole mapping: its key, or its first character."""
    return key.span if key else Span(value.source, value.start, value.start + 1)


def _expectation(error: Any) -> tuple[str, str | None]:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "literal_error":
        options = re.findall(r"'([^']*)'", context["expected"])
        return context["expected"].replace("'", ""), nearest(str(error["input"]), options)
    for name, words in _LIMITS.items():
        if name in context:
            return f"{words} {context[name]:g}", None
    expected = _EXPECTED.get(kind, error["msg"])
    if kind == "string_type" and isinstance(error["input"], (int, float)):
        return "text; in quotes, if this is meant", None
    return expected, None


def _found(tree: Tree) -> str:
    """What stands there, in a few words."""
    if isinstance(tree, Mapping):
        return "a mapping"
    if not isinstance(tree, Scalar):
        return "a list" if tree.items else "an empty list"
    if tree.value is None:
        return "nothing"
    if isinstance(tree.value, bool):
        return str(tree.value).lower()
    return quoted(tree.value) if isinstance(tree.value, str) else str(tree.value)


def _models(annotation: Any) -> list[type[BaseModel]]:
    """The models that an annotation speaks of."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]


def _model(path: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The model that describes the mapping at a path."""
    models: list[type[BaseModel]] = [File]
    for part in path:
        named = [model for model in models if model.__name__ == part]
        field = models[0].model_fields.get(str(part)) if models else None
        if named:
            models = named
        elif field and len(models) == 1:
            models = _models(field.annotation) or [
                model for extra in field.metadata for model in _models(extra)
            ]
    return models[0] if models else None


def _legal_keys(path: tuple[int | str, ...]) -> list[str]:
    model = _model(path)
    fields = model.model_fields if model else {}
    return [field.alias or name for name, field in fields.items()]


def _description(path: tuple[int | str, ...]) -> str | None:
    model = _model(path[:-1])
    fields = {f.alias or name: f for name, f in model.model_fields.items()} if model else {}
    field = fields.get(str(path[-1]))
    return field.description if field else None
