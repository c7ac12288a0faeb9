"""The notification centre: 20 characters for the user, everything for the observer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from heron.contracts import Evidence, NotificationSeen, Preview

PREVIEW_LENGTH = 20


@dataclass(frozen=True, slots=True)
class Notification:
    """One notification."""

    time: datetime
    app: str
    title: str
    text: str
    record: Evidence | None

    def preview(self) -> Preview:
        """What the user sees of it."""
        flat = " ".join(self.text.split())
        cut = flat if len(flat) <= PREVIEW_LENGTH else flat[:PREVIEW_LENGTH].rstrip() + "…"
        ref = self.record.ref if self.record else None
        return Preview.model_construct(app=self.app, title=self.title, preview=cut, ref=ref)

    def seen(self) -> NotificationSeen:
        """What the observer sees of it."""
        return NotificationSeen.model_construct(
            type="notification",
            app=self.app,
            title=self.title,
            text=self.text,
            record=self.record,
        )
