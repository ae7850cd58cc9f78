"""A model is opened with products that give right results here, or not at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from models.causal.self_test import TOLERANCE, Products, SelfTest, open_tested
from models.errors import ModelInaccurate
from models.session import Session, SessionSettings, open_session


@dataclass
class Openings:
    """Opens sessions, or stand-ins whose NLLs are off by so much with each kind of products."""

    folder: Path
    off_by: dict[Products, float] = field(default_factory=dict)
    opened: list[Products] = field(default_factory=list)

    def __call__(self, products: Products) -> "Session | OffBy":
        self.opened.append(products)
        session = open_session(
            self.folder / "model.onnx", SessionSettings(threads=1, exact_products=products == "exact")
        )
        return OffBy(session, self.off_by[products]) if products in self.off_by else session


@dataclass
class OffBy:
    """A graph that saturates: its NLLs are wrong."""

    session: Session
    nats: float

    def run(
        self, inputs: Mapping[str, NDArray[Any]], outputs: Sequence[str], tokens: int
    ) -> list[NDArray[Any]]:
        nll, present = self.session.run(inputs, outputs, tokens)
        return [nll + np.float32(self.nats), present]


def test_fast_products_are_kept_where_they_are_right(tiny_model: Path) -> None:
    openings = Openings(tiny_model)
    tested = open_tested(tiny_model, openings)
    assert tested.products == "fast"
    assert tested.error < TOLERANCE
    assert openings.opened == ["fast"]


@pytest.mark.parametrize("wrong", [2 * TOLERANCE, float("nan")])
def test_products_that_cannot_saturate_replace_wrong_ones(tiny_model: Path, wrong: float) -> None:
    openings = Openings(tiny_model, {"fast": wrong})
    tested = open_tested(tiny_model, openings)
    assert tested.products == "exact"
    assert isinstance(tested.graph, Session)
    assert openings.opened == ["fast", "exact"]


def test_a_model_that_is_wrong_either_way_is_refused(tiny_model: Path) -> None:
    openings = Openings(tiny_model, {"fast": 2.0, "exact": 1.0})
    with pytest.raises(ModelInaccurate, match=r"off by \d\.\d+ .* by \d\.\d+ .*auscult models build"):
        open_tested(tiny_model, openings)


def test_an_expectation_that_does_not_hold_is_noticed(
    tiny_model: Path, tmp_path: Path, copied: Callable[[Path, Path], Path]
) -> None:
    folder = copied(tiny_model, tmp_path / "doctored")
    honest = SelfTest.read(folder)
    honest.model_copy(update={"nll": tuple(nll + 1 for nll in honest.nll)}).write(folder)
    with pytest.raises(ModelInaccurate):
        open_tested(folder, Openings(folder))


@pytest.fixture
def copied() -> Callable[[Path, Path], Path]:
    def copy(source: Path, target: Path) -> Path:
        target.mkdir()
        for file in source.iterdir():
            (target / file.name).write_bytes(file.read_bytes())
        return target

    return copy
