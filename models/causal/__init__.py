"""The language model: built from a GGUF file without torch, run with a paged prefix cache."""
