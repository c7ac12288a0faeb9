"""Fields of ARE's records ↔ fields of Heron's, one table per kind.

A field without a counterpart on the other side is named with ``None``: it is derived, or says
nothing here. Whatever no table names is refused where it holds something. What it does not know:
where records lie in an app's state (``phone``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Form = Literal[
    "text",
    "optional",
    "number",
    "count",
    "flag",
    "time",
    "texts",
    "options",
    "minutes",
    "choice",
    "skip",
]
"""How a value is turned over: ``optional`` is a text that may be missing, ``minutes`` a number that
is whole here, ``choice`` one of a closed set, ``skip`` nothing at all."""


@dataclass(frozen=True)
class Field:
    """A field on both sides."""

    are: str
    heron: str | None
    form: Form = "text"
    volatile: bool = False
    """It differs from run to run and is not compared."""


def _same(*names: str, form: Form = "text", volatile: bool = False) -> tuple[Field, ...]:
    return tuple(Field(name, name, form, volatile) for name in names)


def _left(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, None, "skip") for name in names)


RECORDS: dict[str, tuple[Field, ...]] = {
    "apartment": (
        *_same("name", "location", "zip_code"),
        *_same("price", form="number"),
        *_same("bedrooms", "bathrooms", "square_footage", form="count"),
        *_same("property_type", "furnished_status", "floor_level", "pet_policy", "lease_term"),
        *_same("amenities", form="texts"),
        *_same("saved", form="flag"),
        *_left("apartment_id"),
    ),
    "ride": (
        Field("status", "status", "choice"),
        *_same("service_type", "start_location", "end_location"),
        *_same("price", form="number"),
        Field("duration", "duration", "minutes"),
        Field("time_stamp", "time_stamp", "time", volatile=True),
        Field("distance_km", "distance_km", "number"),
        Field("delay", "delay", "minutes", volatile=True),
        *_left("ride_id", "delay_history", "cab_app", "seed"),
    ),
    "service": (
        *_same("nb_seats", form="count"),
        *_same("price_per_km", "max_distance_km", form="number"),
        Field("base_delay_min", "base_delay_min", "minutes"),
    ),
    "event": (
        *_same("title"),
        *_same("start_datetime", "end_datetime", form="time"),
        *_same("tag", "description", "location", form="optional"),
        *_same("attendees", form="texts"),
        *_left("event_id", "start_strftime", "end_strftime"),
    ),
    "contact": (
        *_same("first_name", "last_name"),
        *_same("is_user", form="flag"),
        *_same("gender", "status", form="choice"),
        *_same("age", form="count"),
        *_same(
            "nationality",
            "city_living",
            "country",
            "job",
            "description",
            "phone",
            "email",
            "address",
            form="optional",
        ),
        *_left("contact_id"),
    ),
    "email": (
        *_same("sender", "subject", "content"),
        *_same("recipients", "cc", form="texts"),
        Field("timestamp", "timestamp", "time", volatile=True),
        Field("is_read", "is_read", "flag", volatile=True),
        *_left("email_id", "parent_id", "attachments"),
    ),
    "message": (
        *_same("content"),
        Field("timestamp", "timestamp", "time", volatile=True),
        *_left("message_id", "sender_id", "sender", "attachment", "attachment_name"),
    ),
    "conversation": (
        *_same("title"),
        *_left("conversation_id", "participant_ids", "participants", "messages", "last_updated"),
    ),
    "note": (
        *_same("title", "content"),
        *_same("pinned", form="flag"),
        *_same("created_at", "updated_at", form="time", volatile=True),
        *_left("note_id", "attachments"),
    ),
    "reminder": (
        *_same("title", "description"),
        *_same("due_datetime", form="time"),
        *_same("repetition_unit", form="choice"),
        *_same("repetition_value", form="count"),
        *_left("reminder_id", "time_notified", "already_notified"),
    ),
    "product": (*_same("name"), *_left("product_id", "variants")),
    "item": (
        *_same("price", form="number"),
        *_same("available", form="flag"),
        *_same("options", form="options"),
        *_left("item_id"),
    ),
    "order": (
        *_same("order_status", form="choice"),
        Field("order_date", "order_date", "time", volatile=True),
        *_same("order_total", form="number"),
        *_left("order_id", "order_items"),
    ),
}
"""Kind → its fields."""

ID_FIELDS: dict[str, str] = {
    "apartment": "apartment_id",
    "ride": "ride_id",
    "event": "event_id",
    "contact": "contact_id",
    "email": "email_id",
    "message": "message_id",
    "conversation": "conversation_id",
    "note": "note_id",
    "reminder": "reminder_id",
    "product": "product_id",
    "item": "item_id",
    "order": "order_id",
}
"""Kind → the field that holds ARE's id of such a record."""

CHOICES: dict[tuple[str, str], dict[str, str]] = {
    ("ride", "status"): {
        name: name
        for name in (
            "BOOKED",
            "DELAYED",
            "ARRIVED_AT_PICKUP",
            "IN_PROGRESS",
            "COMPLETED",
            "CANCELLED",
        )
    },
    ("contact", "gender"): {name: name for name in ("Female", "Male", "Other", "Unknown")},
    ("contact", "status"): {
        name: name for name in ("Student", "Employed", "Unemployed", "Retired", "Unknown")
    },
    ("reminder", "repetition_unit"): {
        name: name for name in ("second", "minute", "hour", "day", "week", "month")
    },
    ("order", "order_status"): {
        name: name
        for name in ("processed", "shipped", "out_for_delivery", "delivered", "cancelled")
    },
}
"""Kind and field → ARE's word → Heron's."""

NEAREST: dict[tuple[str, str], dict[str, str]] = {
    ("order", "order_status"): {
        **dict.fromkeys(
            ("pending", "processing", "confirmed", "ordered", "placed", "paid", "preparing"),
            "processed",
        ),
        **dict.fromkeys(
            ("in_transit", "in transit", "dispatched", "shipping", "on the way"), "shipped"
        ),
        **dict.fromkeys(("out for delivery", "out-for-delivery"), "out_for_delivery"),
        **dict.fromkeys(("complete", "completed", "fulfilled", "received"), "delivered"),
        **dict.fromkeys(("canceled", "refunded", "returned", "failed"), "cancelled"),
    },
    ("ride", "status"): {
        **dict.fromkeys(("ongoing", "on_going", "started", "in progress"), "IN_PROGRESS"),
        **dict.fromkeys(("scheduled", "confirmed", "requested", "accepted"), "BOOKED"),
        **dict.fromkeys(("done", "finished", "ended"), "COMPLETED"),
        **dict.fromkeys(("canceled",), "CANCELLED"),
        **dict.fromkeys(("arrived",), "ARRIVED_AT_PICKUP"),
    },
}
"""Words that ARE takes though it does not know them, and the nearest that Heron has."""
