"""Heron's scenarios and episodes as files that ARE's tools read, and back.

A scenario is written with what ARE has no place for carried beside it, so that taking it over again
restores it (see ``heron.scenarios.are.export``).
"""
