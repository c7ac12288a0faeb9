"""Prints what the installed llama.cpp is and was built for, as one line of JSON.

Run as a program of its own (see ``machine``): importing llama_cpp is slow, and a build for another
processor ends the process. What it does not know: who asks.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Print the answer."""
    import llama_cpp

    sys.stdout.write(
        json.dumps(
            {
                "version": llama_cpp.__version__,
                "system_info": llama_cpp.llama_print_system_info().decode().strip(),
                "mmap": bool(llama_cpp.llama_supports_mmap()),
                "mlock": bool(llama_cpp.llama_supports_mlock()),
                "gpu_offload": bool(llama_cpp.llama_supports_gpu_offload()),
            }
        )
    )


if __name__ == "__main__":
    main()
