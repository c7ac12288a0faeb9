"""The offer of an ARE scenario: one sentence of what the agent asked, and the words it is known by.

The sentence is cut out of the recorded question so that it says what is done and to what; the
rubric asks for as much of that as the sentence itself says. What it does not know: phones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product

from heron.contracts import PROPOSAL_LENGTH
from heron.scenarios.are.wording import content_words, cut, is_act, names_in, sentences
from heron.scenarios.lexicon import MARK, acts
from heron.sim.users.brief import Rubric
from heron.sim.users.judge import has_any, judge, words

ACTS: dict[str, tuple[str, str]] = {
    "email.send_email": ("tell", "write a mail"),
    "email.reply_to_email": ("tell", "reply"),
    "email.forward_email": ("forward", "forward the mail"),
    "email.move_email": ("file", "move the mail"),
    "email.delete_email": ("remove", "delete the mail"),
    "email.download_attachments": ("file", "save the attachments"),
    "messaging.send_message": ("tell", "send a message"),
    "messaging.send_message_to_group_conversation": ("tell", "write to the group"),
    "messaging.create_group_conversation": ("group", "start a group"),
    "messaging.add_participant_to_conversation": ("group", "add them to the group"),
    "messaging.remove_participant_from_conversation": ("remove", "remove them from the group"),
    "messaging.change_conversation_title": ("rename", "rename the group"),
    "messaging.download_attachment": ("file", "save the attachment"),
    "calendar.add_calendar_event": ("add_event", "add it to the calendar"),
    "calendar.edit_calendar_event": ("move", "change the event"),
    "calendar.delete_calendar_event": ("cancel", "delete the event"),
    "contacts.add_new_contact": ("contact", "save the contact"),
    "contacts.edit_contact": ("contact", "update the contact"),
    "contacts.delete_contact": ("remove", "delete the contact"),
    "notes.create_note": ("note", "write a note"),
    "notes.update_note": ("note", "update the note"),
    "notes.delete_note": ("remove", "delete the note"),
    "notes.move_note": ("file", "move the note"),
    "notes.duplicate_note": ("copy", "copy the note"),
    "notes.add_attachment_to_note": ("note", "attach it to the note"),
    "notes.remove_attachment": ("remove", "remove the attachment"),
    "notes.download_attachments": ("file", "save the attachments"),
    "notes.new_folder": ("file", "create a folder"),
    "notes.rename_folder": ("rename", "rename the folder"),
    "notes.delete_folder": ("remove", "delete the folder"),
    "reminder.add_reminder": ("remind", "set a reminder"),
    "reminder.update_reminder": ("move", "change the reminder"),
    "reminder.delete_reminder": ("cancel", "delete the reminder"),
    "reminder.delete_all_reminders": ("cancel", "delete all reminders"),
    "shopping.add_to_cart": ("cart", "put it in the cart"),
    "shopping.remove_from_cart": ("remove", "take it out of the cart"),
    "shopping.checkout": ("order", "order it"),
    "shopping.cancel_order": ("cancel", "cancel the order"),
    "apartment.save_apartment": ("save", "save the apartment"),
    "apartment.remove_saved_apartment": ("remove", "take the apartment off the list"),
    "cab.order_ride": ("ride", "book a ride"),
    "cab.user_cancel_ride": ("cancel", "cancel the ride"),
    "files.create_folder": ("file", "create a folder"),
    "files.move_file": ("file", "move the file"),
    "files.rename_file": ("rename", "rename the file"),
    "files.delete_file": ("remove", "delete the file"),
    "files.delete_folder": ("remove", "delete the folder"),
}
"""Write tool → entry of the lexicon, and what one would offer."""

_ASKING = ("would you like", "shall i", "should i", "do you want", "can i", "may i", "want me to")
_OFFERING = ("i can", "i could", "let me", "i'll", "i will", "happy to")
VAGUE = "Is there anything that I can do for you right now?"
_OTHER_VERBS = ("ignore", "forget", "photograph", "laugh at", "wonder about")


@dataclass
class Offer:
    """A sentence, its rubric, and offers that are wrong."""

    text: str
    object: list[list[str]]
    act: list[list[str]]
    topic: list[str] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)

    @property
    def rubric(self) -> Rubric:
        """As the user has it, the lexicon's words filled in."""
        return Rubric(
            object=tuple(tuple(group) for group in self.object),
            act=tuple(tuple(spelled(group)) for group in self.act),
            topic=tuple(self.topic),
        )


def offer(
    asked: str,
    tools: Sequence[str],
    objects: Sequence[Sequence[str]],
    nouns: Sequence[str],
    seen: Collection[str],
    otherwise: str,
) -> Offer:
    """The offer.

    Args:
        asked: the recorded question.
        tools: write tools of the reference, in order.
        objects: groups of words for what they are done to, the most telling first.
        nouns: words for the kind of thing that it is about (order, mail).
        seen: words that notifications show anyway.
        otherwise: what is offered where the question says nothing of the matter.
    """
    wanted = _acts(tools)
    named = [list(dict.fromkeys(group)) for group in objects if group]
    texts = list(_versions(asked)) or [VAGUE]
    best = max(texts, key=lambda text: _worth(text, wanted, named))
    if not _telling(best, named):
        best = cut(otherwise, PROPOSAL_LENGTH)
    said = words(best)
    act = [group for group in wanted if has_any(said, spelled(group))]
    if not act:
        act = [_own_acts(best, wanted)]
    object_ = _objects(best, named, seen, nouns)
    made = Offer(best, object_, act, topic=list(dict.fromkeys(nouns)))
    made.wrong = list(_wrong(made))
    return made


def spelled(group: Iterable[str]) -> list[str]:
    """A group with the lexicon's words in the place of their entry."""
    known = acts()
    return [
        phrase
        for one in group
        for phrase in (known[one[len(MARK) :]] if one.startswith(MARK) else (one,))
    ]


# --- the sentence -------------------------------------------------------------------------------


def _versions(asked: str) -> Iterable[str]:
    """Sentences that a question can be cut to, the shortest telling ones first."""
    parts = sentences(asked)
    if not parts:
        return
    asking = [i for i, part in enumerate(parts) if _asks(part)]
    at = asking[0] if asking else len(parts) - 1
    question, lead = parts[at], parts[:at]
    listed = parts[at + 1 :]
    if question.endswith(":") and listed:
        question = cut(f"{question} {'; '.join(listed)}", PROPOSAL_LENGTH)
    yield cut(" ".join(asked.split()), PROPOSAL_LENGTH)
    yield cut(question, PROPOSAL_LENGTH)
    for first in [*lead[::-1], *listed]:
        yield _joined(first, question)
    for other in parts:
        yield cut(other, PROPOSAL_LENGTH)
    room = PROPOSAL_LENGTH // 2
    for first in lead[::-1]:
        yield f"{cut(first, room)} {cut(question, PROPOSAL_LENGTH - room - 1)}"
        yield f"{cut(first, PROPOSAL_LENGTH - 46)} {cut(question, 44)}"


def _telling(text: str, named: Sequence[list[str]]) -> bool:
    """Whether a sentence names a thing, by a name that is known or by any word of its own."""
    said = words(text)
    own = [word for word in content_words(text) if not is_act(word)]
    return bool(own) or any(has_any(said, group) for group in named)


def _joined(first: str, question: str) -> str:
    left = PROPOSAL_LENGTH - len(question) - 1
    if left < 20:
        return cut(question, PROPOSAL_LENGTH)
    return f"{cut(first, left)} {question}"


def _asks(sentence: str) -> bool:
    low = sentence.casefold()
    return "?" in low or any(start in low for start in (*_ASKING, *_OFFERING))


def _worth(text: str, wanted: Sequence[list[str]], named: Sequence[list[str]]) -> tuple[int, ...]:
    said = words(text)
    acted = sum(has_any(said, spelled(group)) for group in wanted)
    about = sum(has_any(said, group) for group in named[:4])
    whole = -text.count("…")
    return (min(about, 1) + min(acted, 1), int(_asks(text)), acted + about, whole, -len(text))


# --- the rubric ---------------------------------------------------------------------------------


def _acts(tools: Sequence[str]) -> list[list[str]]:
    entries = dict.fromkeys(ACTS[tool][0] for tool in tools if tool in ACTS)
    return [[f"{MARK}{entry}"] for entry in entries]


def _own_acts(text: str, wanted: Sequence[list[str]]) -> list[str]:
    """What is done by the sentence's own words, where they are none of the lexicon's for it."""
    usual = list(wanted[0]) if wanted else []
    own = [word for word in content_words(text, 2) if is_act(word)]
    return [*usual, *(own or content_words(text)[-3:] or list(words(text))[:1] or ["help"])]


def _objects(
    text: str, named: Sequence[list[str]], seen: Collection[str], nouns: Sequence[str]
) -> list[list[str]]:
    """One or two groups that the sentence fulfils and that no notification fulfils alone."""
    said, shown = words(text), tuple(seen)
    found = [group for group in named if has_any(said, group)]
    hidden = [group for group in found if not has_any(shown, group)]
    chosen = found[:2]
    if chosen and not any(group in hidden for group in chosen):
        chosen = [chosen[0], *(hidden[:1])]
    if chosen and any(not has_any(shown, group) for group in chosen):
        return chosen
    names = [name for name in names_in(text) if not has_any(shown, [name]) and not _acting(name)]
    if names:
        return [*chosen[:1], names]
    things = [noun for noun in nouns if has_any(said, [noun]) and not has_any(shown, [noun])]
    if things:
        return [*chosen[:1], list(dict.fromkeys([*things, *nouns]))]
    own = [w for w in content_words(text) if w not in seen and not is_act(w)]
    own = own or [w for w in content_words(text, 3) if w not in seen]
    if own:
        return [*chosen[:1], own[:5]]
    return chosen or [list(said)[:3] or ["help"]]


def _acting(name: str) -> bool:
    return is_act(name.casefold())


def _wrong(made: Offer) -> Iterable[tuple[str, str]]:
    """A vague offer, one of the wrong thing and one of the wrong act, as far as there are any."""
    rubric = made.rubric
    noun = made.topic[0] if made.topic else made.object[0][0]
    do = rubric.act[0][0].rstrip("*") if rubric.act and rubric.act[0] else "take care of"
    acting = [phrase for group in rubric.act for phrase in group]
    named = " and ".join(
        next((one for one in group if not has_any(words(one), acting)), group[0])
        for group in made.object
    )
    tried = {
        "vague": [VAGUE, "Can I be of use?", "Hello.", "Hm."],
        "object": [f"Shall I {do} the other {noun}?", f"Shall I see to another {noun}?"],
        "act": [
            *(f"Shall I {verb} {named}?" for verb in _OTHER_VERBS),
            *(f"What of {' and '.join(pair)}?" for pair in product(*made.object)),
        ][:60],
    }
    for why, texts in tried.items():
        sense = "vague" if why == "vague" else "wrong"
        for text in texts:
            if judge(rubric, text, ()).sense == sense:
                yield text, why
                break
