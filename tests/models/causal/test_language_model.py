"""Scores do not depend on how the text came: whole or in pieces, alone or in company, cached or not."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.causal.language_model import CausalSettings
from models.interfaces import ModelFailure, ScoreRequest
from tests.models.causal.tiny import open_tiny_model, write_tiny_model

TEXTS = (
    " no a headache\n",
    " any fever\n",
    " no\n",
    " for 3 days now and it is a throbbing pain\n",
    " okay\n",
    " paracetamol 500 mg and a nap\n",
    " a\n",
)


def call(name: str, count: int = 14) -> list[ScoreRequest]:
    """A growing call: each request's context is all that was said before."""
    requests: list[ScoreRequest] = []
    context = ""
    for index in range(count):
        speaker = ("patient", "clinician")[index % 2]
        text = TEXTS[(index + len(name)) % len(TEXTS)]
        requests.append(ScoreRequest(f"{context}{speaker}:", text, stream=name))
        context += f"{speaker}:{text}"
    return requests


def nlls(
    folder: Path, requests: list[ScoreRequest], settings: CausalSettings | None = None
) -> list[list[float]]:
    return [scores.nll.tolist() for scores in open_tiny_model(folder, settings).score(requests)]


@pytest.fixture
def alone(tiny_model: Path) -> list[list[float]]:
    """Every segment of one call scored by itself, nothing cached."""
    model = open_tiny_model(tiny_model)
    return [model.score([replace(request, stream=None)])[0].nll.tolist() for request in call("one")]


def test_a_call_in_one_list_gives_what_its_segments_give_alone(
    tiny_model: Path, alone: list[list[float]]
) -> None:
    assert nlls(tiny_model, call("one")) == alone


def test_a_call_segment_by_segment_gives_the_same(tiny_model: Path, alone: list[list[float]]) -> None:
    model = open_tiny_model(tiny_model)
    assert [model.score([request])[0].nll.tolist() for request in call("one")] == alone


def test_company_changes_nothing(tiny_model: Path, alone: list[list[float]]) -> None:
    model = open_tiny_model(tiny_model)
    others = [call(name) for name in ("three", "fifteen", "seven")]
    for index, request in enumerate(call("one")):
        company = [requests[index] for requests in others if index % 3 or requests is others[0]]
        scores = model.score([*company, request])
        assert scores[-1].nll.tolist() == alone[index]


def test_an_evicting_store_changes_nothing(tiny_model: Path, alone: list[list[float]]) -> None:
    model = open_tiny_model(tiny_model, CausalSettings(cached_tokens=160))
    calls = [call(name) for name in ("one", "three", "fifteen")]
    scored = [
        [model.score([request])[0].nll.tolist() for request in poll] for poll in zip(*calls, strict=True)
    ]
    assert [poll[0] for poll in scored] == alone
    assert model.cached_tokens <= 160


def test_small_passes_and_rounds_change_nothing(tiny_model: Path, alone: list[list[float]]) -> None:
    settings = CausalSettings(rows_per_pass=8, tokens_per_round=20)
    assert nlls(tiny_model, call("one"), settings) == alone


def test_passes_side_by_side_change_nothing(tiny_model: Path, alone: list[list[float]]) -> None:
    model = open_tiny_model(tiny_model, CausalSettings(rows_per_pass=8), passes_at_once=3)

    assert [scores.nll.tolist() for scores in model.score(call("one"))] == alone


def test_variants_share_the_prefix_and_leave_it_alone(tiny_model: Path, alone: list[list[float]]) -> None:
    model = open_tiny_model(tiny_model)
    requests = call("one")
    for index, request in enumerate(requests):
        variants = [replace(request, text=text, extends=False) for text in TEXTS]
        before, scores = variants[:3], model.score([*variants[:3], request, *variants[3:]])
        assert scores[len(before)].nll.tolist() == alone[index]
        same = [place for place, text in enumerate(TEXTS) if text == request.text]
        without_request = [*scores[:3], *scores[4:]]
        assert all(without_request[place].nll.tolist() == alone[index] for place in same)


def test_a_context_that_starts_again_is_scored_as_new(tiny_model: Path) -> None:
    requests = call("one")
    restarted = ScoreRequest("patient:", " no a headache\n", stream="one")
    [expected] = nlls(tiny_model, [replace(restarted, stream=None)])
    assert nlls(tiny_model, [*requests, restarted])[-1] == expected


def test_texts_longer_than_the_window_are_scored_whole_and_alike(tiny_model: Path) -> None:
    settings = CausalSettings(window_tokens=32)
    model = open_tiny_model(tiny_model, settings)
    in_pieces = [model.score([request])[0].nll.tolist() for request in call("one")]
    assert nlls(tiny_model, call("one"), settings) == in_pieces
    [long] = nlls(tiny_model, [ScoreRequest("", "no and " * 60)], settings)
    assert np.all(np.isfinite(long))
    assert len(long) > 100


def test_a_window_beyond_the_models_positions_is_narrowed(tmp_path: Path) -> None:
    folder = write_tiny_model(tmp_path, "float32", context_length=64)
    [scores] = open_tiny_model(folder).score([ScoreRequest("", "no and " * 60)])
    assert np.all(np.isfinite(scores.nll))


def test_the_context_matters(tiny_model: Path) -> None:
    one, other = nlls(tiny_model, [ScoreRequest("patient:", " no\n"), ScoreRequest("doctor:", " no\n")])
    assert one != other


@pytest.mark.parametrize("context", ["", "patient:"])
def test_an_empty_text_has_no_scores(tiny_model: Path, context: str) -> None:
    [scores] = open_tiny_model(tiny_model).score([ScoreRequest(context, "", stream="one")])
    assert scores.nll.shape == (0,)
    assert scores.spans.shape == (0, 2)


def test_no_requests_give_no_scores(tiny_model: Path) -> None:
    assert open_tiny_model(tiny_model).score([]) == []


def test_every_token_of_a_text_without_context_is_scored(tiny_model: Path) -> None:
    [scores] = open_tiny_model(tiny_model).score([ScoreRequest("", " no\n")])
    assert np.all(scores.nll > 0)


def test_a_failing_runtime_leaves_the_cache_as_it_was(
    tiny_model: Path, alone: list[list[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = open_tiny_model(tiny_model)
    requests = call("one")
    model.score(requests[:5])

    def fail(*_: object) -> list[NDArray[np.float32]]:
        raise ModelFailure("ONNX Runtime failed: Fail")

    with monkeypatch.context() as broken:
        broken.setattr(model._session, "run", fail)
        with pytest.raises(ModelFailure):
            model.score(requests[5:8])
    assert [scores.nll.tolist() for scores in model.score(requests[5:8])] == alone[5:8]
