"""What a model may name while it writes: tables, happenings and tools, as JSON schemas and lines.

Read off the catalog, so a new app is known here without a line of code. Every object is closed and
all its properties are required, as providers ask of strict schemas; so records and arguments are
lists of ``{name, value}``. With ``Names`` a schema allows only what there is; without, it says the
form alone. What it does not know: stages, prompts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from heron.scenarios.catalog import Catalog, creates
from heron.scenarios.generator.names import Names
from heron.scenarios.labels import LABEL_KEY, PERSON_KEY

Node = dict[str, Any]

NAME = "^[a-z][a-z0-9_]{1,23}$"
"""Names of slots, labels and events."""
LABEL = "^@[a-z][a-z0-9_]{1,23}$"
TIME = r"^(\{[a-z][a-z0-9_]{1,23}\}|20[0-9]{2}-[01][0-9]-[0-3][0-9] [0-2][0-9]:[0-5][0-9])$"
"""A slot, or a date with a time of day."""
ADDRESS = r"^[a-z]{2,16}@[a-z]{2,20}\.example$"
"""Of a shop or an office, under the domain that nobody has."""
SLOT = r"^\{[a-z][a-z0-9_]{1,23}\}$"
MOST_ITEMS = 6
NATURAL_IDS = frozenset({"folder", "note_folder", "service", "discount_code"})
"""Kinds of records whose id is a word that the file itself gives."""
_ALONE = frozenset(
    {"sender_name", "email_id", "message_id", "reply_id", "conversation_id", "event_id"}
)
"""Arguments of happenings that only say which id a new record gets, unless they are references."""


def text(most: int = 300) -> Node:
    """A string of some characters."""
    return {"type": "string", "pattern": f"^[^\\n]{{1,{most}}}$"}


def pattern(of: str) -> Node:
    """A string of a pattern."""
    return {"type": "string", "pattern": of}


def word(choices: Iterable[str]) -> Node:
    """One of some words."""
    return {"type": "string", "enum": list(choices)}


def closed(**properties: Node) -> Node:
    """An object with exactly these properties."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def many(items: Node, least: int = 0, most: int = MOST_ITEMS) -> Node:
    """A list."""
    return {"type": "array", "items": items, "minItems": least, "maxItems": most}


def either(options: Sequence[Node]) -> Node:
    """Any of these."""
    return options[0] if len(options) == 1 else {"anyOf": list(options)}


# --- values -------------------------------------------------------------------------------------


def value_schema(field: Mapping[str, Any], names: Names | None = None) -> Node | None:
    """How a model writes a value for which a field of pydantic's JSON schema stands.

    Returns:
        ``None`` for values that are built of objects, which models are not asked for, and for
        references to records of which there are none.
    """
    options = [one for one in field.get("anyOf", ()) if one.get("type") != "null"]
    if options:
        return value_schema(options[-1], names)
    kind = field.get("type")
    if "enum" in field or "const" in field:
        return word(map(str, field.get("enum", [field.get("const")])))
    if kind == "string":
        return _string(field, names)
    if kind in ("integer", "number"):
        slots = pattern(SLOT) if names is None else word(_slots(names.numbers))
        number = {"type": "number", "minimum": 0, "maximum": 100000}
        return {"anyOf": [number, slots]} if names is None or names.numbers else number
    if kind == "boolean":
        return {"type": "boolean"}
    if kind == "array":
        item = value_schema(field.get("items", {}), names)
        return many(item) if item and _is_text(item) else None
    if kind == "object" and isinstance(field.get("additionalProperties"), dict):
        return many(pattern("^[a-z_]{1,20}=[^{}\\n]{1,60}$"), most=4)
    return None


def _string(field: Mapping[str, Any], names: Names | None) -> Node | None:
    form, kind = field.get("format"), field.get("x-ref", "folder")
    if form in ("date-time", "date"):
        if names is None:
            return pattern(TIME)
        slots = names.times if form == "date-time" else (*names.dates, *names.times)
        return word(_slots(slots))
    if "@" in field.get("pattern", "") and names is not None:
        addresses = [f"{{{person}.email}}" for person in names.people]
        return either([word(addresses), pattern(ADDRESS)])
    if kind in NATURAL_IDS:
        return text() if names is None else pattern(names.text(300, "text"))
    if names is None or names.labels is None:
        return pattern(LABEL)
    labels = names.labels.get(kind, ())
    return word(f"@{label}" for label in labels) if labels else None


def _is_text(node: Node) -> bool:
    return all(option.get("type") == "string" for option in node.get("anyOf", [node]))


def _slots(names: Iterable[str]) -> list[str]:
    return ["{" + name + "}" for name in names]


def read_value(field: Mapping[str, Any], value: Any) -> Any:
    """What stands in the file for a value that a model wrote."""
    options = [one for one in field.get("anyOf", ()) if one.get("type") != "null"]
    kind = options[-1].get("type") if options else field.get("type")
    if kind == "object" and isinstance(value, list):
        return dict(str(pair).split("=", 1) for pair in value if "=" in str(pair))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


# --- tables, happenings, tools ------------------------------------------------------------------


def fields_of(known: Catalog, table: str) -> dict[str, Mapping[str, Any]]:
    """Fields of ``app.table`` that a model may give, each with its JSON schema."""
    app, _, name = table.partition(".")
    record = known.tables[app][name]
    properties = record.model_json_schema()["properties"]
    own = {record.ID} if record.KIND not in NATURAL_IDS else set()
    return {field: spec for field, spec in properties.items() if field not in own}


def parameters_of(known: Catalog, call: str) -> dict[str, Mapping[str, Any]]:
    """Arguments of a happening or tool that a model may give, each with its JSON schema."""
    happens = call in known.happenings
    declared = known.happenings[call] if happens else known.tools[call]
    properties: Any = declared.signature.schema.get("properties", {})
    return {
        name: spec
        for name, spec in properties.items()
        if not (happens and name in _ALONE and "x-ref" not in str(spec))
    }


def record_schema(known: Catalog, apps: Sequence[str], names: Names | None) -> Node:
    """Any record of the apps."""
    options = []
    for table in tables_of(known, apps):
        fields = fields_of(known, table)
        pairs = list(_pairs(fields, names))
        if "phone" in fields:
            who = pattern(NAME) if names is None else word(names.people)
            pairs.append(closed(name=word([PERSON_KEY]), value=who))
        given = many(either(pairs), least=1, most=9)
        options.append(closed(table=word([table]), label=pattern(NAME), fields=given))
    return either(options)


def call_schema(known: Catalog, calls: Sequence[str], names: Names | None, **more: Node) -> Node:
    """Any of the calls with arguments of its own, and with further properties.

    Calls that must name a record of a kind of which there is none are left out.
    """
    options = []
    for call in possible(known, calls, names):
        pairs = list(_pairs(parameters_of(known, call), names))
        given = many(text(), most=0)
        if pairs:
            least = len(required_of(known, call))
            given = many(either(pairs), least=least, most=min(len(pairs), 8))
        options.append(closed(call=word([call]), arguments=given, **more))
    return either(options)


def possible(known: Catalog, calls: Sequence[str], names: Names | None) -> list[str]:
    """The calls whose required arguments can be given."""
    return [
        call
        for call in calls
        if all(
            value_schema(field, names) is not None
            for name, field in parameters_of(known, call).items()
            if name in required_of(known, call)
        )
    ]


def tables_of(known: Catalog, apps: Sequence[str]) -> list[str]:
    """``app.table`` of the apps, as far as a model can write their records."""
    return [
        f"{app}.{table}" for app in apps for table in known.tables.get(app, {}) if table != "orders"
    ]


def happenings_of(known: Catalog, apps: Sequence[str]) -> list[str]:
    """Happenings of the apps."""
    return [call for call in known.happenings if call.partition(".")[0] in apps]


def writes_of(known: Catalog, apps: Sequence[str]) -> list[str]:
    """Write tools of the apps, but for those that need no look at what they destroy."""
    return [
        name
        for name, tool in known.tools.items()
        if tool.effect == "write"
        and name.partition(".")[0] in apps
        and not name.endswith("delete_all_reminders")
    ]


def text_of(known: Catalog, happening: str) -> str | None:
    """The argument of a happening in which somebody tells something."""
    parameters = parameters_of(known, happening)
    return next((name for name in ("content", "message", "text") if name in parameters), None)


def required_of(known: Catalog, call: str) -> set[str]:
    """Arguments that must be given."""
    declared = known.happenings.get(call) or known.tools[call]
    required: Any = declared.signature.schema.get("required", [])
    return set(required)


def _pairs(fields: Mapping[str, Mapping[str, Any]], names: Names | None) -> Iterator[Node]:
    for name, field in fields.items():
        value = value_schema(field, names)
        if value is not None and name != LABEL_KEY:
            yield closed(name=word([name]), value=value)


# --- for prompts --------------------------------------------------------------------------------


def table_lines(known: Catalog, apps: Sequence[str]) -> list[str]:
    """A line per table: its fields."""
    return [
        f"{table}: {', '.join(_named(fields_of(known, table)))}" for table in tables_of(known, apps)
    ]


def call_lines(known: Catalog, calls: Sequence[str]) -> list[str]:
    """A line per call: its arguments, those that must be given marked with ``*``."""
    lines = []
    for call in calls:
        given = ", ".join(_named(parameters_of(known, call), required_of(known, call)))
        lines.append(f"{call}({given})")
    return lines


def _named(
    fields: Mapping[str, Mapping[str, Any]], required: Collection[str] = ()
) -> Iterator[str]:
    for name, field in fields.items():
        schema = value_schema(field)
        if schema is not None:
            yield f"{name}{_hint(schema)}{'*' if name in required else ''}"


def _hint(schema: Node) -> str:
    if schema.get("pattern") == LABEL:
        return "=@label"
    if schema.get("pattern") == TIME:
        return "={time}"
    return "[]" if schema.get("type") == "array" else ""


def makes_record(known: Catalog, happening: str) -> bool:
    """Whether a happening brings a record that the file can name."""
    declared = known.happenings.get(happening)
    return declared is not None and creates(declared) is not None
