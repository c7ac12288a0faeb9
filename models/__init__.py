"""The only room that knows an LLM library: catalogue, llama.cpp, litellm, fakes, meter.

What it does not know: phones, scenarios, proposals, and what its answers are used for.
"""
