"""Contacts' screens: the list, a person, and the form in which a person is edited."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from heron.contracts import Item
from heron.sim.addresses import Address
from heron.sim.app import require
from heron.sim.apps.contacts.app import (
    Age,
    Contact,
    ContactId,
    ContactsApp,
    Gender,
    Status,
    Text,
)
from heron.sim.listing import LISTED
from heron.sim.screens import Screen, action, item, label


@dataclass(frozen=True)
class ContactList(Screen[ContactsApp]):
    """People by name, or those in whose card some words stand."""

    query: str = ""
    page: int = 0

    def title(self, app: ContactsApp) -> str:
        return f"Contacts with '{self.query}'" if self.query else "Contacts"

    def items(self, app: ContactsApp) -> Iterable[Item]:
        for contact in app.found(self.query)[self.page * LISTED :][:LISTED]:
            yield item(contact, "first_name", "last_name", text=contact.name)

    def more(self, app: ContactsApp) -> bool:
        """Whether there are people after those shown."""
        return len(app.found(self.query)) > (self.page + 1) * LISTED

    @action()
    def open_contact(self, app: ContactsApp, contact_id: ContactId) -> ContactDetail:
        """Open a contact."""
        return ContactDetail(contact_id)

    @action()
    def open_own_card(self, app: ContactsApp) -> ContactDetail:
        """Open your own card."""
        return ContactDetail(app.owner.contact_id)

    @action()
    def search(self, app: ContactsApp, query: str) -> ContactList:
        """Show the people in whose card these words stand; all people without any."""
        return ContactList(query.strip())

    @action(when=more)
    def next_page(self, app: ContactsApp) -> ContactList:
        """Show the people that follow."""
        return replace(self, page=self.page + 1)

    @action()
    def create_new(self, app: ContactsApp) -> ContactEdit:
        """Start a new contact."""
        return ContactEdit()


@dataclass(frozen=True)
class ContactDetail(Screen[ContactsApp]):
    """One person's card."""

    SHOWS = "contact"
    contact_id: ContactId

    def title(self, app: ContactsApp) -> str:
        return app.contacts.get(self.contact_id).name

    def items(self, app: ContactsApp) -> Iterable[Item]:
        contact = app.contacts.get(self.contact_id)
        yield item(contact, "*", text=contact.full())

    @action()
    def edit(self, app: ContactsApp) -> ContactEdit:
        """Edit this contact."""
        return ContactEdit(self.contact_id, app.contacts.get(self.contact_id))

    @action("write", when=lambda screen, app: not app.contacts.get(screen.contact_id).is_user)
    def delete(self, app: ContactsApp) -> ContactList:
        """Delete this contact."""
        app.delete_contact(self.contact_id)
        return ContactList()


NOBODY = Contact(contact_id="", first_name="")


@dataclass(frozen=True)
class ContactEdit(Screen[ContactsApp]):
    """The form of a new or a known person; nothing is stored before it is saved."""

    FORM = True
    contact_id: ContactId | None = None
    draft: Contact = NOBODY

    def title(self, app: ContactsApp) -> str:
        return f"Edit {self.draft.name}" if self.contact_id else "New contact"

    def items(self, app: ContactsApp) -> Iterable[Item]:
        draft = self.draft
        for name in Contact.model_fields:
            if name not in ("contact_id", "is_user"):
                value = getattr(draft, name)
                yield label(f"{name}: {'' if value is None else value}", "field")

    def _with(self, **fields: Any) -> ContactEdit:
        return replace(self, draft=self.draft.model_copy(update=fields))

    @action()
    def set_name(self, app: ContactsApp, first_name: str, last_name: str = "") -> ContactEdit:
        """Type first and last name."""
        draft = self.draft.model_copy(update={"first_name": first_name, "last_name": last_name})
        require(draft.name, "a contact needs a name")
        return replace(self, draft=draft)

    @action()
    def set_phone(self, app: ContactsApp, phone: str) -> ContactEdit:
        """Type the phone number."""
        return self._with(phone=phone)

    @action()
    def set_email(self, app: ContactsApp, email: Address | None = None) -> ContactEdit:
        """Type the email address; none clears it."""
        return self._with(email=email)

    @action()
    def set_address(self, app: ContactsApp, address: Text) -> ContactEdit:
        """Type the postal address."""
        return self._with(address=address)

    @action()
    def set_city(self, app: ContactsApp, city_living: str, country: str = "") -> ContactEdit:
        """Type the city and the country they live in."""
        return self._with(city_living=city_living, country=country or self.draft.country)

    @action()
    def set_job(self, app: ContactsApp, job: Text) -> ContactEdit:
        """Type what they work as."""
        return self._with(job=job)

    @action()
    def set_description(self, app: ContactsApp, description: Text) -> ContactEdit:
        """Type a note about them."""
        return self._with(description=description)

    @action()
    def set_nationality(self, app: ContactsApp, nationality: str) -> ContactEdit:
        """Type their nationality."""
        return self._with(nationality=nationality)

    @action()
    def set_age(self, app: ContactsApp, age: Age | None = None) -> ContactEdit:
        """Type their age; none clears it."""
        return self._with(age=age)

    @action()
    def set_gender(self, app: ContactsApp, gender: Gender) -> ContactEdit:
        """Choose their gender."""
        return self._with(gender=gender)

    @action()
    def set_status(self, app: ContactsApp, status: Status) -> ContactEdit:
        """Choose whether they study, work or neither."""
        return self._with(status=status)

    @action("write", when=lambda screen, _: bool(screen.draft.name))
    def save(self, app: ContactsApp) -> ContactDetail:
        """Save the contact."""
        ref = self.contact_id or app.contacts.new_id()
        return ContactDetail(app.save(self.draft.model_copy(update={"contact_id": ref})).ref)

    @action()
    def discard(self, app: ContactsApp) -> ContactList:
        """Leave without saving."""
        return ContactList()
