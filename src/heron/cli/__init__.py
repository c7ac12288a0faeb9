"""The command line. Sub-commands are loaded from a table when they are called.

How to add a command ``name`` (see also ``README.md`` beside this file):

1. Write ``heron/cli/name.py`` with a module attribute ``app``, made by
   ``typer.Typer(**SETTINGS)`` from ``heron.cli.errors``. For a plain command decorate exactly one
   function with ``@app.command()`` and set no callback; for a group decorate several, or one and
   an ``@app.callback()``.
2. Add it to ``COMMANDS`` in ``heron.cli.app`` with the one line that ``heron --help`` shows.
3. Import rooms inside the command function, so that ``heron name --help`` stays quick.
4. Let ``HeronError`` pass: the root prints it in one line and exits with its ``exit_code``. To
   end with a code and no message raise ``typer.Exit(code)``. Results go to stdout, everything
   else (progress, notes) to stderr.

What it does not know: how anything is done; it reads options, calls a room, and prints.
"""
