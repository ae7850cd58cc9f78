"""Reads a BERT encoder from a safetensors file with the names that transformers gives its weights."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

from models.building.bert_graph import BertWeights
from models.building.encoder_layers import EncoderLayer, Linear, Norm, side_by_side
from models.building.products import FloatArray, quantised


def read_bert(weights: Path, config: Path, positions: int) -> BertWeights:
    """Reads the weights.

    Args:
        weights: The safetensors file.
        config: The `config.json` beside it.
        positions: How many positions are kept: the longest input in tokens.

    Raises:
        KeyError: a weight or a hyperparameter is missing.
    """
    settings = json.loads(config.read_bytes())
    tensors: Mapping[str, FloatArray] = load_file(weights)
    epsilon = float(settings["layer_norm_eps"])

    def norm(name: str) -> Norm:
        return Norm(tensors[f"{name}.weight"], tensors[f"{name}.bias"], epsilon)

    def linear(name: str) -> Linear:
        return Linear(tensors[f"{name}.weight"], tensors[f"{name}.bias"])

    def layer(name: str) -> EncoderLayer:
        attention = f"{name}.attention.self"
        return EncoderLayer(
            query_key_value=side_by_side(
                linear(f"{attention}.query"), linear(f"{attention}.key"), linear(f"{attention}.value")
            ),
            output=linear(f"{name}.attention.output.dense"),
            attention_norm=norm(f"{name}.attention.output.LayerNorm"),
            up=linear(f"{name}.intermediate.dense"),
            down=linear(f"{name}.output.dense"),
            feed_forward_norm=norm(f"{name}.output.LayerNorm"),
        )

    first_type = tensors["embeddings.token_type_embeddings.weight"][0]
    return BertWeights(
        heads=int(settings["num_attention_heads"]),
        words=quantised(tensors["embeddings.word_embeddings.weight"]),
        positions=(tensors["embeddings.position_embeddings.weight"][:positions] + first_type).astype(
            np.float32
        ),
        embedding_norm=norm("embeddings.LayerNorm"),
        layers=tuple(layer(f"encoder.layer.{index}") for index in range(int(settings["num_hidden_layers"]))),
    )
