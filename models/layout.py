"""What a built embedding or NLI model looks like: names of its files and of its graph's output."""

GRAPH = "model.onnx"
TOKENIZER = "tokenizer.json"

EMBEDDING_OUTPUT = "sentence_embedding"
"""float32 [batch, dimension], L2-normalised."""

CONTRADICTION_OUTPUT = "contradiction_probability"
"""float32 [batch], probability that the second text contradicts the first."""
