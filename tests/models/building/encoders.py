"""Small random encoders, and what they compute in plain numpy, in double precision."""

from math import erf

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

from models.building.encoder_layers import EncoderLayer, Linear, Norm

Wide = NDArray[np.float64]

WIDTH, HEADS, INNER = 64, 2, 96


class Random:
    """Draws weights of a plausible size."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def array(self, *shape: int, size: float = 1.0) -> NDArray[np.float32]:
        return (self._generator.normal(size=shape) * size).astype(np.float32)

    def norm(self) -> Norm:
        return Norm(1 + self.array(WIDTH, size=0.1), self.array(WIDTH, size=0.1), 1e-7)

    def linear(self, outputs: int, inputs: int) -> Linear:
        return Linear(self.array(outputs, inputs, size=inputs**-0.5), self.array(outputs, size=0.1))

    def layer(self) -> EncoderLayer:
        return EncoderLayer(
            query_key_value=self.linear(3 * WIDTH, WIDTH),
            output=self.linear(WIDTH, WIDTH),
            attention_norm=self.norm(),
            up=self.linear(INNER, WIDTH),
            down=self.linear(WIDTH, INNER),
            feed_forward_norm=self.norm(),
        )


def run(model: onnx.ModelProto, ids: list[list[int]], mask: list[list[int]]) -> NDArray[np.float32]:
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    inputs = {"input_ids": np.array(ids, np.int64), "attention_mask": np.array(mask, np.int64)}
    result: NDArray[np.float32] = session.run(None, inputs)[0]
    return result


def normalised(rows: Wide, norm: Norm) -> Wide:
    centred = rows - rows.mean(axis=-1, keepdims=True)
    scaled: Wide = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + norm.epsilon)
    return scaled * norm.gain + norm.bias


def applied(rows: Wide, linear: Linear) -> Wide:
    result: Wide = rows @ linear.weight.T.astype(np.float64) + linear.bias
    return result


def gelu(rows: Wide) -> Wide:
    result: Wide = rows * (1 + np.vectorize(erf)(rows / np.sqrt(2))) / 2
    return result


def softmax(scores: Wide) -> Wide:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    result: Wide = powers / powers.sum(axis=-1, keepdims=True)
    return result


def by_head(rows: Wide) -> list[Wide]:
    """Queries, keys and values of one text, each [heads, tokens, head width]."""
    return [part.reshape(len(rows), HEADS, -1).transpose(1, 0, 2) for part in np.split(rows, 3, axis=1)]


def finished(rows: Wide, attended: Wide, layer: EncoderLayer) -> Wide:
    together = attended.transpose(1, 0, 2).reshape(len(rows), -1)
    rows = normalised(rows + applied(together, layer.output), layer.attention_norm)
    return normalised(rows + applied(gelu(applied(rows, layer.up)), layer.down), layer.feed_forward_norm)
