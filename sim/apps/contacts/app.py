"""The contacts app's record and backend. The owner's card is there from the start."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from heron.sim.addresses import Address
from heron.sim.app import App, require, tool
from heron.sim.listing import Limit, Offset, matches, page, short
from heron.sim.marks import ID, PROSE, Ref
from heron.sim.tables import AppRecord

ContactId = Annotated[str, Ref("contact")]
Text = Annotated[str, PROSE]
Age = Annotated[int, Field(ge=0, le=130)]
Gender = Literal["Female", "Male", "Other", "Unknown"]
Status = Literal["Student", "Employed", "Unemployed", "Retired", "Unknown"]


class Contact(AppRecord):
    """A person, or the phone's owner (``is_user``)."""

    KIND: ClassVar[str] = "contact"
    ID: ClassVar[str] = "contact_id"

    contact_id: Annotated[str, ID]
    first_name: str
    last_name: str = ""
    is_user: bool = False
    gender: Gender = "Unknown"
    age: int | None = None
    nationality: str | None = None
    city_living: str | None = None
    country: str | None = None
    status: Status = "Unknown"
    job: Text | None = None
    description: Text | None = None
    phone: str | None = None
    email: str | None = None
    address: Text | None = None

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.first_name} {self.last_name}".strip()

    def line(self) -> str:
        owner = " (the phone's owner)" if self.is_user else ""
        place = self.address or ", ".join(p for p in (self.city_living, self.country) if p)
        about = [self.phone, self.email, place, self.job, short(self.description or "")]
        return ", ".join([f"{self.name}{owner}", *(part for part in about if part)])

    def full(self) -> str:
        """All of it, as on its own screen: a line per field that is filled in."""
        known = {
            "Phone": self.phone,
            "Email": self.email,
            "Address": self.address,
            "City": self.city_living,
            "Country": self.country,
            "Job": self.job,
            "Notes": self.description,
            "Age": self.age,
            "Nationality": self.nationality,
            "Gender": None if self.gender == "Unknown" else self.gender,
            "Status": None if self.status == "Unknown" else self.status,
        }
        filled = [f"{name}: {value}" for name, value in known.items() if value not in (None, "")]
        return "\n".join([self.name, *filled])

    def route(self, parameter: str) -> Any:
        return " ".join(p for p in (self.name, self.phone) if p) if parameter == "query" else None

    def matches(self, query: str) -> bool:
        """Whether all words of ``query`` stand in it."""
        reach = (self.phone, self.email, self.address, self.city_living, self.country)
        return matches(query, (self.name, *reach, self.job, self.description))


class ContactsApp(App):
    """People and how to reach them."""

    NAME = "contacts"
    TITLE = "Contacts"

    def setup(self) -> None:
        self.contacts = self.table("contacts", Contact, "p")
        first, _, last = self.owner.name.partition(" ")
        self.contacts.put(
            Contact(
                contact_id=self.owner.contact_id,
                first_name=first,
                last_name=last,
                is_user=True,
                phone=self.owner.phone or None,
                email=self.owner.email or None,
            )
        )

    def found(self, query: str = "") -> list[Contact]:
        """The contacts in which all words of ``query`` stand, by name; all of them without any."""
        people = [c for c in self.contacts if not query or c.matches(query)]
        return sorted(people, key=lambda contact: contact.name.casefold())

    # --- tools ---

    @tool("read")
    def get_contacts(self, offset: Offset = 0, limit: Limit = 10) -> dict[str, Any]:
        """Contacts by name; offset skips the first ones."""
        return page("contacts", self.found(), offset, limit)

    @tool("read")
    def get_contact(self, contact_id: ContactId) -> Contact:
        """One contact in full."""
        return self.contacts.get(contact_id)

    @tool("read")
    def get_current_user_details(self) -> Contact:
        """The contact card of the phone's owner."""
        return self.contacts.get(self.owner.contact_id)

    @tool("read")
    def search_contacts(self, query: str, offset: Offset = 0, limit: Limit = 10) -> dict[str, Any]:
        """Contacts by part of a name, phone number, email, place, job or note."""
        require(query.strip(), "query needs at least one word")
        return page("contacts", self.found(query), offset, limit)

    @tool("write")
    def add_new_contact(  # noqa: PLR0913  (a contact has that many fields)
        self,
        *,
        first_name: str,
        last_name: str = "",
        phone: str | None = None,
        email: Address | None = None,
        address: Text | None = None,
        city_living: str | None = None,
        country: str | None = None,
        job: Text | None = None,
        description: Text | None = None,
        age: Age | None = None,
        nationality: str | None = None,
        gender: Gender | None = None,
        status: Status | None = None,
    ) -> Contact:
        """Add a person to the contacts."""
        given = {name: value for name, value in locals().items() if name != "self"}
        fields = {name: value for name, value in given.items() if value is not None}
        return self.save(Contact(contact_id=self.contacts.new_id(), **fields))

    @tool("write")
    def edit_contact(  # noqa: PLR0913  (a contact has that many fields)
        self,
        *,
        contact_id: ContactId,
        first_name: str | None = None,
        last_name: str | None = None,
        phone: str | None = None,
        email: Address | None = None,
        address: Text | None = None,
        city_living: str | None = None,
        country: str | None = None,
        job: Text | None = None,
        description: Text | None = None,
        age: Age | None = None,
        nationality: str | None = None,
        gender: Gender | None = None,
        status: Status | None = None,
    ) -> Contact:
        """Change fields of a contact; those left out stay, empty text clears a field."""
        given = {k: v for k, v in locals().items() if k not in ("self", "contact_id")}
        fields = {name: value for name, value in given.items() if value is not None}
        require(fields, f"nothing to change in {contact_id}; give at least one field")
        return self.save(self.contacts.get(contact_id).model_copy(update=fields))

    @tool("write")
    def delete_contact(self, contact_id: ContactId) -> str:
        """Delete a contact."""
        contact = self.contacts.get(contact_id)
        require(not contact.is_user, "the owner's own card can be edited, not deleted")
        self.contacts.delete(contact_id)
        return f"deleted {contact_id} {contact.name}"

    # --- for screens ---

    def save(self, contact: Contact) -> Contact:
        """Store a new or changed contact.

        Raises:
            IllegalCall: it has no name, or a phone number without a digit.
        """
        empty = [n for n, f in Contact.model_fields.items() if f.default is None]
        cleared = {name: None for name in empty if getattr(contact, name) == ""}
        contact = contact.model_copy(update=cleared) if cleared else contact
        require(contact.name, "a contact needs a name")
        phone = contact.phone
        require(not phone or any(c.isdigit() for c in phone), f"{phone!r} is no phone number")
        if self.contacts.find(contact.ref) == contact:
            return contact
        return self.contacts.put(contact)
