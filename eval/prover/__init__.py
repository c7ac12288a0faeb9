"""Proves scenarios by playing episodes with mutants of solution, offer and consent.

``heron scenarios prove`` is its door; ``docs/proof.md`` says what each mutant is. A mutant that
is scored as it should not be is a survivor: a hole in the scenario, or in the scoring.
"""
