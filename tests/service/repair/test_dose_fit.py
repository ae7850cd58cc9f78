from service.coherence.facts import UsualDose
from service.repair.dose_fit import doses_spoiled

USUAL = {
    "bisoprolol": UsualDose(least=1.25, most=10, daily=20, weekly=False),
    "propranolol": UsualDose(least=10, most=160, daily=320, weekly=False),
}


def spoiled(line: str, at: int, term: str) -> int:
    return doses_spoiled(line.split(), at, at, term, USUAL)


def test_a_dose_that_fits_what_was_heard_alone_is_spoiled() -> None:
    assert spoiled("the bisoprolol two milligrams", 1, "propranolol") == 1


def test_a_dose_that_fits_the_other_drug_alone_is_mended() -> None:
    assert spoiled("the propranolol two milligrams", 1, "bisoprolol") == -1


def test_a_dose_that_fits_both_says_nothing() -> None:
    assert spoiled("the bisoprolol ten milligrams", 1, "propranolol") == 0


def test_without_a_number_there_is_no_dose() -> None:
    assert spoiled("the bisoprolol milligrams", 1, "propranolol") == 0
