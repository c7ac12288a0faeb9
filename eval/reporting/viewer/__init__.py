"""The episode viewer of a report: what was on the phone, what everyone did, and what it cost.

``rows`` makes one short row per episode for the list, ``model`` the content of one episode,
``collection`` gathers both in one pass over a store, ``choosing`` says which episodes lie in the
page itself, ``mount`` writes the fragment of a page and the files beside it, ``page`` a page of its
own. The scripts and the style sheet lie in ``assets``; they ask no server for anything.
"""
