"""Heron: proactive assistants that live on the device, and the benchmark that scores them.

Import submodules (``from heron.eval.metrics import ...``): this file imports nothing, so that a
worker process loads only what it uses.
"""

__version__ = "0.1.0"
