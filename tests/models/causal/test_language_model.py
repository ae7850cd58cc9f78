"""Scores do not depend on how the text came: whole or in pieces, alone or in company, cached or not."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

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


def test_a_long_sequence_in_pieces_gives_the_same_and_is_kept(
    tiny_model: Path, alone: list[list[float]]
) -> None:
    model = open_tiny_model(tiny_model, CausalSettings(rows_per_pass=8, page_tokens=4))
    requests = call("one")
    assert [model.score([request])[0].nll.tolist() for request in requests[-3:-1]] == alone[-3:-1]
    computed = model.cache_use.computed_tokens
    assert model.score(requests[-1:])[0].nll.tolist() == alone[-1]
    assert model.cache_use.computed_tokens - computed <= 2 * len(alone[-1]) + len("clinician:")


def test_no_pass_is_larger_than_the_settings_say(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = open_tiny_model(tiny_model, CausalSettings(rows_per_pass=16))
    run, sizes = model._session.run, []

    def measured(inputs: Mapping[str, NDArray[Any]], outputs: Sequence[str], tokens: int) -> Any:
        sizes.append(inputs["token_ids"].size)
        return run(inputs, outputs, tokens)

    monkeypatch.setattr(model._session, "run", measured)
    model.score([*call("one"), *call("three"), ScoreRequest("no " * 40, " a" * 60, extends=False)])
    assert max(sizes) <= 16


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


def test_a_text_scored_from_any_character_on_has_the_same_tokens_and_scores(tiny_model: Path) -> None:
    context, text = "patient: no\nclinician:", " any fever for 3 days now\n"
    model = open_tiny_model(tiny_model)
    [whole] = model.score([ScoreRequest(context, text, "call")])
    starts = whole.spans[:, 0] - whole.spans[0, 0]
    for border in range(len(text)):
        rest = ScoreRequest(context + text[:border], text[border:], "call", extends=False)
        [scores] = model.score([rest])
        assert scores.nll.tolist() == whole.nll[len(whole.nll) - len(scores.nll) :].tolist()
        assert len(scores.nll) >= np.count_nonzero(starts >= border)


def test_a_variant_costs_what_differs(tiny_model: Path) -> None:
    model = open_tiny_model(tiny_model)
    context, text = "patient: for 3 days\n" * 4 + "clinician:", " any pain or fever\n"
    model.score([ScoreRequest(context, text, "call")])
    before = model.cache_use
    model.score([ScoreRequest(context + " any pain or", " cough\n", "call", extends=False)])
    after = model.cache_use
    assert after.computed_tokens - before.computed_tokens == len(" cough\n")
    assert after.reused_tokens - before.reused_tokens > len(context) / 2


def test_a_text_without_context_is_computed_once(tiny_model: Path) -> None:
    model = open_tiny_model(tiny_model)
    request = ScoreRequest("", " okay\n", extends=False)
    [first] = model.score([request])
    computed = model.cache_use.computed_tokens
    [second] = model.score([replace(request, stream="another")])
    assert second.nll.tolist() == first.nll.tolist()
    assert model.cache_use.computed_tokens == computed
    assert model.cache_use.remembered_texts == 1


@pytest.mark.parametrize("context", ["", "patient: no\nclinician:"])
def test_the_end_of_the_line_is_weighed_against_every_token(tiny_model: Path, context: str) -> None:
    model = open_tiny_model(tiny_model)
    text = " any fever\n"
    plain, asked = model.score(
        [ScoreRequest(context, text), ScoreRequest(context, text, extends=False, line_ends=True)]
    )
    assert plain.line_end_nll is None
    assert asked.nll.tolist() == plain.nll.tolist()
    assert asked.line_end_nll is not None
    for token, nll in enumerate(asked.line_end_nll):
        so_far = text[: asked.spans[token - 1, 1]] if token else ""
        [ended] = model.score([ScoreRequest(context + so_far, "\n", extends=False)])
        assert nll == pytest.approx(ended.nll[-1], abs=1e-4)
    assert asked.line_end_nll[-1] == asked.nll[-1]


@pytest.mark.parametrize("context", ["", "patient: no\nclinician:"])
def test_the_likeliest_continuations_are_those_of_least_nll(tiny_model: Path, context: str) -> None:
    model = open_tiny_model(tiny_model)
    text = " any no"
    [scores] = model.score(
        [ScoreRequest(context, text, extends=False, continued_at=(0, 4, len(text)), continuations=300)]
    )
    assert len(scores.nll) == len(scores.spans)
    for place, found in zip((0, 4, len(text)), scores.continuations, strict=True):
        assert np.all(np.diff(found.nll) >= 0)
        assert np.exp(-found.nll).sum() == pytest.approx(1, abs=1e-3)
        for written in (" no", "\n", "q"):
            [expected] = model.score([ScoreRequest(context + text[:place], written, extends=False)])
            assert found.nll[found.tokens.index(written)] == pytest.approx(expected.nll[0], abs=1e-4)


def test_each_request_gets_its_own_continuations(tiny_model: Path) -> None:
    model = open_tiny_model(tiny_model)
    plain, three, two = [
        ScoreRequest("pa:", " no", continued_at=places, continuations=count)
        for places, count in (((), 8), ((3,), 3), ((0, 3), 2))
    ]
    together = model.score([plain, three, two])
    assert [len(scores.continuations) for scores in together] == [0, 1, 2]
    assert [len(each.tokens) for scores in together for each in scores.continuations] == [3, 2, 2]
    assert together[1].continuations[0].tokens[:2] == together[2].continuations[1].tokens
    for request, scores in zip((plain, three, two), together, strict=True):
        assert model.score([request])[0].nll.tolist() == scores.nll.tolist()


def test_what_follows_an_empty_text_can_be_asked(tiny_model: Path) -> None:
    [scores] = open_tiny_model(tiny_model).score([ScoreRequest("pa:", "", continued_at=(0,))])
    assert scores.nll.shape == (0,)
    assert len(scores.continuations[0].tokens) == 8


def test_continuations_in_a_text_longer_than_a_window_and_a_pass(tiny_model: Path) -> None:
    text = "no and " * 40
    places = (3, 99, 150, len(text))
    request = ScoreRequest("", text, extends=False, continued_at=places, line_ends=True)
    small = CausalSettings(window_tokens=32, rows_per_pass=8)
    large = CausalSettings(window_tokens=32)
    [pieces] = open_tiny_model(tiny_model, small).score([request])
    [whole] = open_tiny_model(tiny_model, large).score([request])
    assert pieces.nll.tolist() == whole.nll.tolist()
    assert [each.tokens for each in pieces.continuations] == [each.tokens for each in whole.continuations]
    assert len(whole.continuations) == 4


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
