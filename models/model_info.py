"""What a loaded model is and how it runs, as a record that stands beside every measurement.

What it does not know: results.
"""

from __future__ import annotations

from heron.contracts import Record
from heron.models.constraint import Grammars
from heron.models.llama_context import FlashAttention, LlamaContext
from heron.models.llama_lib import LlamaModel, library_text, system_text
from heron.models.store import read_seal
from heron.models.template import DialogueTemplate, Form


class ModelInfo(Record):
    """A loaded model. Sizes are bytes as llama.cpp reports them; None where it does not."""

    file: str
    """Name of the file, without its folder."""
    sha256: str | None
    """Of the file; None if it was not hashed since it was last written to."""
    architecture: str
    quantisation: str
    parameters: int
    vocabulary: int
    """Tokens that it knows."""
    trained_window: int
    window: int
    threads: int
    flash_attention: FlashAttention
    template: Form
    """``gguf``: the file's chat template; ``raw``: plain headings."""
    template_reason: str
    """Why the template is not used, or not in full."""
    grammars: tuple[str, ...] = ()
    """Grammar engines, in the order in which they are tried."""
    weights: int | None
    """Mapped from the file and shared between processes."""
    repacked: int | None
    """Weights copied into another order, which is memory of the process's own."""
    kv: int | None
    """Memory of the window."""
    compute: int | None
    library: str
    """Versions of the binding and of llama.cpp."""
    system: str
    """CPU features that llama.cpp was built with."""


def info_of(
    model: LlamaModel,
    context: LlamaContext,
    template: DialogueTemplate,
    grammars: Grammars,
) -> ModelInfo:
    """Gather what is known."""
    seal = read_seal(model.path)
    return ModelInfo(
        file=model.path.name,
        sha256=seal.sha256 if seal else None,
        architecture=model.architecture,
        quantisation=model.quantisation,
        parameters=model.parameters,
        vocabulary=model.n_vocab,
        trained_window=model.trained_window,
        window=context.window,
        threads=context.threads,
        flash_attention=context.flash_attention,
        template=template.form,
        template_reason=template.reason,
        grammars=grammars.names,
        weights=model.buffers.get("model"),
        repacked=model.buffers.get("repacked", 0) if "model" in model.buffers else None,
        kv=context.buffers.get("KV"),
        compute=context.buffers.get("compute"),
        library=library_text(),
        system=system_text(),
    )
