"""Messaging: chats with one person and groups; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.messaging.app import MessagingApp
from heron.sim.apps.messaging.screens import (
    AddPerson,
    Conversation,
    ConversationInfo,
    ConversationList,
    NewChat,
)

MessagingApp.ROOT = ConversationList
MessagingApp.SCREENS = (ConversationList, Conversation, ConversationInfo, AddPerson, NewChat)
APP = MessagingApp
