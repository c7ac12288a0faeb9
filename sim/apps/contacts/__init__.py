"""Contacts: people and how to reach them, the owner's own card among them; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.contacts.app import ContactsApp
from heron.sim.apps.contacts.screens import ContactDetail, ContactEdit, ContactList

ContactsApp.ROOT = ContactList
ContactsApp.SCREENS = (ContactList, ContactDetail, ContactEdit)
APP = ContactsApp
