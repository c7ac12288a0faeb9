"""Files in folders, as text with a size; an app of the phone."""

from __future__ import annotations

from heron.sim.apps.files.app import FilesApp
from heron.sim.apps.files.screens import FileDetail, FolderList, MoveFile

FilesApp.ROOT = FolderList
FilesApp.SCREENS = (FolderList, FileDetail, MoveFile)
APP = FilesApp
