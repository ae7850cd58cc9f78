"""Which segments get an error depends on the seed alone, and nothing besides them changes."""

import subprocess
import sys

import pytest

from service.perturbation.registry import ERROR_NAMES
from tests.service.perturbation.consultations import SAID, call, injector


def test_each_type_gets_so_many_segments_of_the_speaker() -> None:
    call_ = call()

    found = injector().one_per_copy(call_, per_type=2)

    said = {segment.sequence: segment for segment in call_.segments}
    assert {one.type for one in found} == set(ERROR_NAMES)
    for name in ERROR_NAMES:
        sequences = [one.sequence for one in found if one.type == name]
        assert len(sequences) <= 2
        assert sequences == sorted(set(sequences))
    assert all(said[one.sequence].speaker == "patient" for one in found)
    assert all(said[one.sequence].text == one.original != one.altered for one in found)
    assert len({one.id for one in found}) == len(found)


def test_everyone_may_get_errors() -> None:
    found = injector("censor_diagnosis", speaker=None).one_per_copy(call(), per_type=9)

    assert {SAID[one.sequence][0] for one in found} == {"patient", "clinician"}


def test_the_seed_decides() -> None:
    def altered(seed: int) -> list[str]:
        return [one.altered for one in injector(seed=seed).one_per_copy(call(), per_type=1)]

    assert altered(1) == altered(1)
    assert len({tuple(altered(seed)) for seed in range(8)}) > 1


def test_what_else_is_asked_for_changes_no_error() -> None:
    every = injector().one_per_copy(call(), per_type=2)
    alone = injector("negation_flip").one_per_copy(call(), per_type=2)
    fewer = injector("negation_flip").one_per_copy(call(), per_type=1)

    assert alone == [one for one in every if one.type == "negation_flip"]
    assert set(fewer) <= set(alone)


def test_each_call_has_chance_of_its_own() -> None:
    found = {
        tuple((one.sequence, one.altered) for one in injector().one_per_copy(call(f"c{at}"), per_type=1))
        for at in range(8)
    }

    assert len(found) > 1


@pytest.mark.parametrize(("rate", "errors"), [(0.0, 0), (0.25, 1), (1.0, 4)])
def test_a_rate_is_a_share_of_the_segments_that_hold_words(rate: float, errors: int) -> None:
    found = injector().at_rate(call(), rate)

    assert [one.sequence for one in found] == sorted({one.sequence for one in found})
    assert len(found) == errors


def test_a_higher_rate_adds_errors_to_those_of_a_lower_one() -> None:
    assert set(injector().at_rate(call(), 0.5)) < set(injector().at_rate(call(), 1.0))


def test_the_types_take_turns_at_a_rate() -> None:
    found = injector().at_rate(call(), 1.0)

    assert len({one.type for one in found}) == len(found)


def test_revised_and_foreign_segments_are_left_alone() -> None:
    call_ = call()
    once = injector().one_per_copy(call_, per_type=9)
    twice = type(call_)(call_.call_id, (*call_.lines, call_.lines[1]))
    again = injector().one_per_copy(twice, per_type=9)

    assert any(one.sequence == 1 for one in once)
    assert again == [one for one in once if one.sequence != 1]


def test_the_order_of_hashes_changes_nothing() -> None:
    script = (
        "from tests.service.perturbation.consultations import call, injector\n"
        "from service.perturbation.manifest import encode_injection\n"
        "for one in injector(seed=3, speaker=None).one_per_copy(call(), 9): print(encode_injection(one).decode())\n"
    )

    def manifest(hash_seed: str) -> bytes:
        return subprocess.run(
            [sys.executable, "-c", script],
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
            timeout=60,
        ).stdout

    first = manifest("1")
    assert first
    assert manifest("2") == first
