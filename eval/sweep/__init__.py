"""Sweeps: many configurations on the same scenarios, into one store, from one file.

``schema`` and ``reading`` know the file, ``matrix`` what it means, ``estimate`` what it will take,
``session`` plays it, ``outcome`` sums it up; ``data`` holds ready-made files.
"""
