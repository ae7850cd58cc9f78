from collections.abc import Sequence

import numpy as np

from models.interfaces import ModelFailure
from service.rounds import run_rounds
from service.signals.base import Finding, Measuring, ask_contradiction, ask_embeddings
from streams.messages import SignalReading


def found(value: float) -> Finding:
    return Finding({"one": SignalReading(value, None)})


def measuring(*texts: str) -> Measuring:
    vectors = yield from ask_embeddings(texts)
    return found(float(vectors.sum()))


def test_all_measurements_of_a_round_share_one_batch_of_distinct_items() -> None:
    batches: list[list[str]] = []

    def embed(texts: Sequence[str]) -> list[np.ndarray]:
        batches.append(list(texts))
        return [np.full(1, len(text), dtype=np.float32) for text in texts]

    outcomes = run_rounds([measuring("a", "bb"), measuring("bb", "ccc")], {"embedding": embed})

    assert batches == [["a", "bb", "ccc"]]
    assert outcomes == [found(3.0), found(5.0)]


def test_a_second_question_waits_for_the_second_round() -> None:
    rounds: list[str] = []

    def twice() -> Measuring:
        first = yield from ask_embeddings(["first"])
        second = yield from ask_contradiction([("second", str(float(first.sum())))])
        return found(float(second[0]))

    def embed(texts: Sequence[str]) -> list[np.ndarray]:
        rounds.append("embedding")
        return [np.ones(1, dtype=np.float32) for _ in texts]

    def contradict(pairs: Sequence[tuple[str, str]]) -> list[float]:
        rounds.append("contradiction")
        assert pairs == [("second", "1.0")]
        return [0.25]

    outcomes = run_rounds([twice()], {"embedding": embed, "contradiction": contradict})

    assert outcomes == [found(0.25)]
    assert rounds == ["embedding", "contradiction"]


def test_a_failing_model_ends_only_the_measurements_that_asked_it() -> None:
    def asks_nothing() -> Measuring:
        return found(1.0)
        yield

    def fail(_: Sequence[str]) -> list[np.ndarray]:
        raise ModelFailure("out of memory")

    failed, fine = run_rounds([measuring("a"), asks_nothing()], {"embedding": fail})

    assert isinstance(failed, ModelFailure)
    assert fine == found(1.0)


def test_a_measurement_may_do_without_a_model_that_is_not_configured() -> None:
    def tolerant() -> Measuring:
        try:
            yield from ask_contradiction([("a", "b")])
        except ModelFailure:
            return found(0.0)
        raise AssertionError

    assert run_rounds([tolerant()], {}) == [found(0.0)]


def test_a_defect_in_a_signal_is_its_outcome_and_not_the_polls() -> None:
    def defective() -> Measuring:
        yield from ask_embeddings(["a"])
        raise KeyError("defect")

    broken, fine = run_rounds(
        [defective(), measuring("a")], {"embedding": lambda texts: [np.ones(1, np.float32) for _ in texts]}
    )

    assert isinstance(broken, KeyError)
    assert fine == found(1.0)


def test_a_defect_in_a_model_is_a_failure_of_that_model_without_its_message() -> None:
    def defective(_: Sequence[str]) -> list[object]:
        raise ValueError("xylocanary")

    (failed,) = run_rounds([measuring("a")], {"embedding": defective})

    assert isinstance(failed, ModelFailure)
    assert "xylocanary" not in str(failed)


def test_asking_nothing_of_a_model_does_not_call_it() -> None:
    def asks_for_none() -> Measuring:
        probabilities = yield from ask_contradiction([])
        return found(float(len(probabilities)))

    def never(_: Sequence[tuple[str, str]]) -> list[float]:
        raise AssertionError

    assert run_rounds([asks_for_none()], {"contradiction": never}) == [found(0.0)]
