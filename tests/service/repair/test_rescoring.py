import pytest

from service.dialogue.lines import scored_text
from service.dialogue.tokens import tokenise
from service.repair.candidates import Candidate, Kind
from service.repair.rescoring import Repair, best_repairs, variant_text, weigh
from service.repair.settings import RepairSettings

SETTINGS = RepairSettings()


def candidate(first: int, last: int, kind: Kind = "misheard", price: float = 2.0) -> Candidate:
    return Candidate(first, last, "headaches", "symptom", kind, price, promise=5.0)


def test_the_variant_differs_from_the_line_in_the_term_alone() -> None:
    assert variant_text(tokenise("any head eggs today"), candidate(1, 2)) == scored_text(
        tokenise("any headaches today")
    )


def test_the_price_is_paid_from_the_gain() -> None:
    assert weigh(candidate(0, 0, price=2.0), 10.0, SETTINGS).gain == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("kind", "enough"), [("misheard", SETTINGS.flag_gain), ("confusable", SETTINGS.confusable_gain)]
)
def test_a_repair_convinces_from_the_threshold_of_its_kind_on(kind: Kind, enough: float) -> None:
    assert weigh(candidate(0, 0, kind, price=0.0), enough, SETTINGS).convincing
    assert not weigh(candidate(0, 0, kind, price=0.0), enough - 0.1, SETTINGS).convincing


def test_of_repairs_that_share_words_the_best_is_kept() -> None:
    repairs = [
        Repair(candidate(0, 1), 7.0, convincing=True),
        Repair(candidate(1, 2), 9.0, convincing=True),
        Repair(candidate(3, 3), 8.0, convincing=True),
        Repair(candidate(5, 5), 1.0, convincing=False),
    ]

    assert [repair.gain for repair in best_repairs(repairs)] == [9.0, 8.0]
