"""What each app keeps of a plot: drafts of its records.

What has not happened by the phone's start is left out, but for the calendar's entries and
reminders that lie ahead. What it does not know: which plots are told, when, and in which words.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any

from heron.scenarios.background.cast import Figure, Group
from heron.scenarios.background.drafts import Draft
from heron.scenarios.background.plots import EventTell, FileTell, MailTell, NoteTell, Plot
from heron.scenarios.background.shop import Shop
from heron.scenarios.background.taken import Taken
from heron.scenarios.forms import Value
from heron.scenarios.locales import Locale
from heron.scenarios.people import Person
from heron.scenarios.template import Scope, render

QUIET = timedelta(hours=3)
"""Before the start nothing of the filler happens for so long."""
DONE_REMINDERS = timedelta(days=45)
"""Reminders that fell due longer ago have been deleted."""
SHOP_ADDRESS = "orders@shop.example"
DELIVERED = timedelta(days=7)
"""What was ordered longer ago has arrived."""
DAY = timedelta(days=1)


@dataclass
class Telling:
    """One plot being told."""

    plot: Plot
    at: datetime
    values: dict[str, Value]
    them: Figure | None
    group: Group | None
    mail: Draft | None = None
    """The last mail of it."""
    subject: str = ""
    event: Draft | None = None


@dataclass
class Keeper:
    """The apps of one phone, and what they keep."""

    me: Person
    shop: Shop
    taken: Taken
    locale: Locale
    apps: Collection[str]
    rng: random.Random
    drafts: list[Draft] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._until = self.taken.start - QUIET
        self._participants: dict[str, Draft] = {}
        self._chats: dict[str, Draft] = {}
        self._paths: set[str] = set()
        self._kinds: Mapping[str, Callable[[Telling, Any, datetime], None]] = {
            "chat": self._chat,
            "group": self._group,
            "mail": self._mail,
            "event": self._event,
            "reminder": self._reminder,
            "note": self._note,
            "file": self._file,
            "ride": self._ride,
            "order": self._order,
        }

    def keep(self, kind: str, telling: Telling, what: Any, moment: datetime) -> None:
        """Keep one thing of a plot.

        Args:
            kind: which of a tell's kinds.
            telling: the plot.
            what: what the tell says of it.
            moment: when it comes into being, or falls due.
        """
        self._kinds[kind](telling, what, moment)

    def text(self, template: str, values: Mapping[str, Value], moment: datetime) -> str:
        """A template, filled; days are told as from ``moment``."""
        return render(template, Scope(values, self.locale, lambda: moment))

    def introduce(self, figures: Collection[Figure], moment: datetime) -> None:
        """Put people into contacts and messaging."""
        for figure in figures:
            person = figure.person
            fields = {
                "first_name": person.first_name,
                "last_name": person.last_name,
                "gender": person.gender,
                "phone": person.phone or None,
                "email": person.email,
                "address": person.address,
                "city_living": person.city_living,
                "country": person.country,
                "job": figure.job,
            }
            self._add("contacts", "contacts", moment, fields)
            named = {"name": person.name, "phone": person.phone or None}
            made = self._add("messaging", "people", moment, named)
            self._participants[person.name] = made

    # --- kinds ---

    def _chat(self, telling: Telling, lines: list[str], moment: datetime) -> None:
        if telling.them is None or moment > self._until:
            return
        they = {"them": telling.them}
        self._say(telling, self._chat_with(telling.them, moment), they, lines, moment)

    def _group(self, telling: Telling, lines: list[str], moment: datetime) -> None:
        group = telling.group
        if group is None or moment > self._until:
            return
        chat = self._chats.get(group.title)
        if chat is None:
            ids = [self._participants[figure.person.name] for figure in group.members]
            fields = {"title": group.title, "participant_ids": ids, "group": True}
            chat = self._chats[group.title] = self._add(
                "messaging", "conversations", moment, fields
            )
        members = self.rng.sample(group.members, min(3, len(group.members)))
        they = {letter: members[n % len(members)] for n, letter in enumerate("abc")}
        self._say(telling, chat, they, lines, moment)

    def _say(
        self,
        telling: Telling,
        chat: Draft,
        they: Mapping[str, Figure],
        lines: list[str],
        moment: datetime,
    ) -> None:
        chat.at = min(chat.at, moment)
        for line in lines:
            who, _, said = line.partition(": ")
            sender = "me" if who == "me" else self._participants[they[who].person.name]
            fields = {
                "conversation_id": chat,
                "sender_id": sender,
                "content": self.text(said, telling.values, moment),
                "timestamp": moment,
            }
            self._add("messaging", "messages", moment, fields)
            moment += timedelta(minutes=self.rng.randint(1, 9))

    def _chat_with(self, figure: Figure, moment: datetime) -> Draft:
        name = figure.person.name
        if name not in self._chats:
            ids = [self._participants[name]]
            fields = {"participant_ids": ids, "title": name}
            self._chats[name] = self._add("messaging", "conversations", moment, fields)
        return self._chats[name]

    def _mail(self, telling: Telling, mail: MailTell, moment: datetime) -> None:
        values, parent = telling.values, telling.mail if mail.answers else None
        missing = (mail.answers and parent is None) or (
            mail.from_ == "shop" and "bought" not in values
        )
        if moment > self._until or missing:
            return
        if parent is None:
            telling.subject = self.text(mail.subject, values, moment)
        else:
            moment = max(moment, parent.at + timedelta(minutes=10))
        mine = mail.from_ == "me"
        fields = {
            "sender": self._address(telling, mail.from_),
            "recipients": [self._recipient(telling, mail, parent) if mine else self.me.email],
            "subject": f"Re: {telling.subject}" if parent else telling.subject,
            "content": self.text(mail.text, values, moment),
            "attachments": [self.text(mail.file, values, moment)] if mail.file else [],
            "timestamp": moment,
            "is_read": mine or self._until - moment > 2 * DAY or self.rng.random() < 0.5,
            "folder": "SENT" if mine else mail.folder,
            "parent_id": parent,
        }
        telling.mail = self._add("email", "emails", moment, fields)

    def _recipient(self, telling: Telling, mail: MailTell, parent: Draft | None) -> str:
        if parent is not None and parent.fields["sender"] != self.me.email:
            return str(parent.fields["sender"])
        return self._address(telling, mail.to)

    def _address(self, telling: Telling, who: str) -> str:
        if who == "them" and telling.them is not None:
            return telling.them.person.email
        company = telling.values["company"]
        if who == "company" and isinstance(company, dict):
            return str(company["email"])
        return SHOP_ADDRESS if who == "shop" else self.me.email

    def _event(self, telling: Telling, event: EventTell, _moment: datetime) -> None:
        start, values = telling.at, telling.values
        end = start + timedelta(minutes=event.minutes)
        if event.all_day:
            start = datetime.combine(start.date(), time.min)
            end = start + (1 + event.nights) * DAY
        people = [] if event.alone or telling.them is None else [telling.them.person.name]
        last = start + timedelta(weeks=event.weeks - 1)
        if not all(
            self.taken.is_open((start + timedelta(weeks=n)).date(), 1 + event.nights)
            for n in range(event.weeks)
        ) or (start < self._until < last):
            return
        fields = {
            "title": self.text(event.title, values, start),
            "start_datetime": start,
            "end_datetime": end,
            "location": self.text(event.place, values, start) if event.place else None,
            "attendees": people,
            "all_day": event.all_day,
            "tag": event.tag,
            "repetition_unit": "week" if event.weeks > 1 else None,
            "repetition_count": event.weeks if event.weeks > 1 else None,
        }
        telling.event = self._add("calendar", "events", start, fields, ahead=True)

    def _reminder(self, telling: Telling, title: str, due: datetime) -> None:
        if telling.plot.has_event and telling.event is None:
            return
        if due < self._until - DONE_REMINDERS or not self.taken.is_open(due.date()):
            return
        fields = {"title": self.text(title, telling.values, due), "due_datetime": due}
        self._add("reminder", "reminders", due, fields, ahead=True)

    def _note(self, telling: Telling, note: NoteTell, moment: datetime) -> None:
        fields = {
            "title": self.text(note.title, telling.values, moment),
            "content": self.text(note.text, telling.values, moment),
            "folder": note.folder,
            "created_at": moment,
            "updated_at": moment,
        }
        self._add("notes", "notes", moment, fields)

    def _file(self, telling: Telling, file: FileTell, moment: datetime) -> None:
        name = self.text(file.name, telling.values, moment)
        if (path := f"{file.folder}/{name}") in self._paths:
            return
        self._paths.add(path)
        text = self.text(file.text, telling.values, moment)
        fields = {"name": name, "folder": file.folder, "content": text, "modified_at": moment}
        self._add("files", "files", moment, fields)

    def _ride(self, telling: Telling, place: str, _moment: datetime) -> None:
        elsewhere = telling.them is not None and (
            "{them.address}" in place and telling.them.person.city_living != self.me.city_living
        )
        if telling.event is None or elsewhere:
            return
        picked_up = telling.at - timedelta(minutes=self.rng.randint(35, 50))
        fields = {
            "status": "COMPLETED",
            "service_type": self.rng.choice(("Default", "Default", "Premium", "Van")),
            "start_location": self.me.address,
            "end_location": self.text(place, telling.values, telling.at),
            "currency": self.shop.currency,
            "time_stamp": picked_up - timedelta(minutes=8),
            "delay": 8,
            "picked_up_at": picked_up,
            "ended_at": telling.at - timedelta(minutes=self.rng.randint(3, 12)),
        }
        self._add("cab", "rides", picked_up, fields)

    def _order(self, telling: Telling, most: int, moment: datetime) -> None:
        if moment > self._until - DELIVERED or "shopping" not in self.apps:
            return
        bought = self.shop.buy(most, moment)
        if bought is not None:
            self.drafts.append(bought.draft)
            telling.values["bought"] = {"what": bought.what}
            telling.values["total"] = bought.total

    # --- inside ---

    def _add(
        self, app: str, table: str, at: datetime, fields: dict[str, Any], *, ahead: bool = False
    ) -> Draft:
        """A draft; it is kept if its app is there and it has happened, or may lie ahead."""
        draft = Draft((app, table), at, fields)
        if app in self.apps and (ahead or at <= self._until):
            self.drafts.append(draft)
        return draft
