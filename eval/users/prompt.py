"""What a model user reads: who it is and what it wants, then a view a turn, in few words.

A view has two halves: what was seen, which stays in the history, and what can be done, which does
not. It never reads the solution, the rubric, what it would have to see, or when help is useful.
What this file does not know: chat formats, how answers are held (see ``choices``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heron.contracts import Item, Record, UserView
from heron.eval.users.choices import Choice, Choices, visible
from heron.eval.users.intentions import Intention

LONGEST_LINE = 120
"""Characters of an item in a list."""
LONGEST_PAGE = 700
"""Characters of a record that is open in full."""
MANY = 12
"""Values of an argument that are listed; of more only the argument is named."""

RULES = """\
You play the owner of a phone. Each turn you see what is new and the screen, and do one thing that \
is possible there.
Answer with one JSON object: {"why": "…", "move": {"do": "…", "with": {…}}}
"why" says in a few words what you do now and what for; "with" holds the arguments of an action \
and is left out where there are none; to do nothing, do "idle". Do not repeat yourself.
An assistant may offer help. While an offer is open, the move begins with your answer:
{"answer": "accept"}: it is right, you want it, and you have read what it is about;
{"answer": "reject"}: it is wrong, vague, or not wanted;
{"answer": "gather_context", "do": …}: you go and look first whether it is right;
{"answer": "ignore", "do": …}: you go on with your own business."""


class Briefing(Record):
    """What a model user is told when an episode begins."""

    user_name: str
    persona: str
    """What kind of person it is, in words."""
    goal: str
    habits: tuple[Intention, ...] = ()
    """What it does unaided, in order."""
    apps: tuple[str, ...] = ()
    """Names of the phone's apps."""
    seed: int = 0
    """For models that take one."""


def system_text(told: Briefing) -> str:
    """Rules, which are always the same, then who the user is."""
    lines = [
        RULES,
        f"You are {told.user_name}. {told.persona}",
        f"What you want today: {told.goal}",
    ]
    if told.habits:
        plan = "; ".join(habit.text for habit in told.habits)
        lines.append(f"On your own you will, in this order: {plan}.")
    if told.apps:
        lines.append(f"Apps: {', '.join(told.apps)}.")
    return "\n".join(lines)


def seen_text(view: UserView) -> str:
    """What there is to see."""
    return "\n".join(_seen(view))


def choices_text(view: UserView, choices: Choices, following: Intention | None = None) -> str:
    """What can be done, and what the user meant to do next."""
    lines = ["Possible: " + ", ".join(map(_choice, choices.choices.values()))]
    if following is not None:
        lines.append(f"Next on your own: {following.text}.")
    if view.proposal is not None:
        lines.append("But first answer the offer: accept, reject, gather_context or ignore.")
    return "\n".join(lines)


def _seen(view: UserView) -> Iterator[str]:
    activity = view.device.activity
    doing = "" if activity == "free" else f" You are {_ACTIVITIES.get(activity, activity)}."
    yield f"Turn {view.turn}, {view.time:%A %Y-%m-%d %H:%M}.{doing}"
    for note in view.previews:
        there = f" ({note.ref})" if note.ref else ""
        yield f"Notification from {note.app}: {note.title}: “{note.preview}”{there}"
    if view.report is not None:
        yield f"The assistant reports: {_cut(view.report, LONGEST_PAGE)}"
    screen = view.screen
    yield f"Screen {screen.app} {screen.screen}: {screen.title}"
    yield from map(_item, (item for item in visible(view) if item.kind != "app"))
    hidden = len(screen.items) - len(visible(view))
    if hidden > 0:
        yield f"(and {hidden} more further down)"
    if view.question is not None:
        yield f"The assistant asks: “{view.question}”"
    if view.proposal is not None:
        yield f"The assistant offers: “{view.proposal.text}”"


_ACTIVITIES = {"meeting": "in a meeting"}


def _item(item: Item) -> str:
    page = "*" in item.shows
    text = _cut(item.text, LONGEST_PAGE if page else LONGEST_LINE)
    return f"{item.ref} {item.kind}: {text}" if item.ref else text


def _choice(choice: Choice) -> str:
    if choice.arguments is None:
        return choice.name
    required = choice.arguments.get("required", ())
    # The apps stand in the system text, once.
    told = choice.offer is not None and choice.offer.name == "open_app"
    names = (
        f"{name}{'' if name in required else '?'}{'' if told else _values(node)}"
        for name, node in choice.arguments.get("properties", {}).items()
    )
    return f"{choice.name}({', '.join(names)})"


def _values(node: dict[str, Any]) -> str:
    """The values of a closed set."""
    inner = node.get("items", node)
    found = inner.get("enum") if isinstance(inner, dict) else None
    if isinstance(found, list) and len(found) <= MANY:
        return f": {'|'.join(map(str, found))}"
    return ""


def _cut(text: str, longest: int) -> str:
    flat = " / ".join(line.strip() for line in text.splitlines() if line.strip())
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"
