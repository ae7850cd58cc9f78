import pytest

from benchmarks.distribution import percentile


def test_a_percentile_is_a_value_that_was_measured() -> None:
    values = [float(value) for value in range(100, 0, -1)]
    assert [percentile(values, share) for share in (0.5, 0.9, 0.99, 1.0)] == [50.0, 90.0, 99.0, 100.0]


def test_one_value_is_every_percentile() -> None:
    assert percentile([3.0], 0.01) == percentile([3.0], 0.99) == 3.0


@pytest.mark.parametrize(("values", "share"), [([], 0.5), ([1.0], 0.0), ([1.0], 1.1)])
def test_what_has_no_percentile_is_refused(values: list[float], share: float) -> None:
    with pytest.raises(ValueError, match=r"percentile|share"):
        percentile(values, share)
