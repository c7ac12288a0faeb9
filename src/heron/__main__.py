"""``python -m heron`` is ``heron``."""

from heron.cli.app import main

if __name__ == "__main__":
    main()
