"""The real model, on an invented dialogue and on real ones.

`reference_nll.jsonl` holds what `build_language_model(..., precision="float32")` gives for the dialogue in it.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from models.causal.artifact import GRAPH_FILE
from models.causal.language_model import CausalLanguageModel
from models.interfaces import ScoreRequest
from models.session import SessionSettings, open_session
from models.store import ModelStore

REFERENCE = [
    json.loads(line) for line in (Path(__file__).parent / "reference_nll.jsonl").read_text().splitlines()
]


@pytest.fixture(scope="module")
def model(built_models: ModelStore) -> CausalLanguageModel:
    folder = built_models.path("smollm2-135m-instruct")
    return CausalLanguageModel(folder, open_session(folder / GRAPH_FILE, SessionSettings()))


def growing(turns: list[tuple[str, str]], stream: str | None) -> list[ScoreRequest]:
    requests: list[ScoreRequest] = []
    context = ""
    for speaker, text in turns:
        requests.append(ScoreRequest(f"{context}{speaker}:", f" {text}\n", stream))
        context += f"{speaker}: {text}\n"
    return requests


DIALOGUE = [(turn["speaker"], turn["text"]) for turn in REFERENCE]


def test_int8_agrees_with_float32(model: CausalLanguageModel) -> None:
    scores = model.score(growing(DIALOGUE, "dialogue"))
    expected = np.concatenate([turn["nll"] for turn in REFERENCE])
    error = np.abs(np.concatenate([each.nll for each in scores]) - expected)
    assert error.mean() < 0.15
    assert error.max() < 1.5


def test_segment_by_segment_gives_the_same_bits(model: CausalLanguageModel) -> None:
    whole = model.score(growing(DIALOGUE, None))
    pieces = [model.score([request])[0] for request in growing(DIALOGUE, "pieces")]
    assert [each.nll.tolist() for each in pieces] == [each.nll.tolist() for each in whole]


def test_a_misheard_drug_is_a_peak(model: CausalLanguageModel) -> None:
    context = "clinician: have you taken anything for the pain\npatient:"
    heard, said = model.score(
        [ScoreRequest(context, f" i took some {drug} twice a day\n") for drug in ("my break", "ibuprofen")]
    )
    assert heard.nll.max() > said.nll.max() + 1


def test_bare_dialogue_costs_what_it_should(model: CausalLanguageModel, shared_data: Path) -> None:
    lines = (shared_data / "primock57" / "day1_consultation02.jsonl").read_text(encoding="utf-8").splitlines()
    turns = [(turn["speaker"], turn["text"].lower().strip(".,?!")) for turn in map(json.loads, lines[:40])]
    scores = model.score(growing(turns, "real"))
    assert 3.0 < np.mean(np.concatenate([each.nll for each in scores])) < 4.5
