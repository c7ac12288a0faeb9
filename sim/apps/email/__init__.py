"""Email: folders, threads with quoting, drafts; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.email.app import EmailApp
from heron.sim.apps.email.screens import Compose, EmailDetail, Mailbox

EmailApp.ROOT = Mailbox
EmailApp.SCREENS = (Mailbox, EmailDetail, Compose)
APP = EmailApp
