"""Why a user answers as it does: a closed set of reasons, and each in the user's language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Language = Literal["en", "de", "es"]

Why = Literal[
    "fits",
    "vague",
    "against",
    "object",
    "act",
    "plan",
    "unspecific",
    "long",
    "unwanted",
    "early",
    "late",
    "hour",
    "confirm",
    "unseen",
    "patience",
    "fatigue",
]
"""``unseen``: there is no way to what it would have to see; the others speak for themselves."""

REASONS: Mapping[Language, Mapping[Why, str]] = {
    "en": {
        "fits": "Yes, please.",
        "vague": "That does not say what it is about.",
        "against": "That is not what I want done.",
        "object": "That is about something else.",
        "act": "That is the wrong thing to do here.",
        "plan": "What it plans to do is not what it says.",
        "unspecific": "Say exactly who, what and when.",
        "long": "That is too long to read.",
        "unwanted": "No, thank you: there is nothing to do here.",
        "early": "It is too early for that.",
        "late": "It is too late for that now.",
        "hour": "Not at this hour, please.",
        "confirm": "I want to be asked twice before money is spent.",
        "unseen": "I cannot see what that is about.",
        "patience": "I have no time to look into that.",
        "fatigue": "Not now, I have been interrupted enough.",
    },
    "de": {
        "fits": "Ja, bitte.",
        "vague": "Da steht nicht, worum es geht.",
        "against": "Das möchte ich nicht.",
        "object": "Darum geht es nicht.",
        "act": "Das wäre hier das Falsche.",
        "plan": "Geplant ist etwas anderes, als da steht.",
        "unspecific": "Bitte genau sagen, wer, was und wann.",
        "long": "Das ist mir zu lang.",
        "unwanted": "Nein, danke: hier ist nichts zu tun.",
        "early": "Dafür ist es zu früh.",
        "late": "Dafür ist es jetzt zu spät.",
        "hour": "Bitte nicht um diese Uhrzeit.",
        "confirm": "Bevor Geld ausgegeben wird, möchte ich zweimal gefragt werden.",
        "unseen": "Ich sehe nicht, worum es geht.",
        "patience": "Ich habe keine Zeit, dem nachzugehen.",
        "fatigue": "Jetzt nicht, ich bin oft genug gestört worden.",
    },
    "es": {
        "fits": "Sí, por favor.",
        "vague": "Ahí no dice de qué se trata.",
        "against": "Eso no es lo que quiero.",
        "object": "No se trata de eso.",
        "act": "Eso no es lo que hay que hacer.",
        "plan": "Lo que se propone hacer no es lo que dice.",
        "unspecific": "Di exactamente quién, qué y cuándo.",
        "long": "Es demasiado largo.",
        "unwanted": "No, gracias: aquí no hay nada que hacer.",
        "early": "Es demasiado pronto para eso.",
        "late": "Ya es demasiado tarde para eso.",
        "hour": "A esta hora no, por favor.",
        "confirm": "Antes de gastar dinero quiero que se me pregunte dos veces.",
        "unseen": "No veo de qué se trata.",
        "patience": "No tengo tiempo para mirarlo.",
        "fatigue": "Ahora no, ya me han interrumpido bastante.",
    },
}
"""Language → reason → what the user says."""
