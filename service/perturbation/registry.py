"""All error types, in the order in which they are listed."""

from typing import Final, Literal, get_args

from models.lexicon import Lexicon
from service.perturbation.base import ErrorType
from service.perturbation.censor_diagnosis import CensorDiagnosis
from service.perturbation.censor_medical import CensorMedical
from service.perturbation.censor_value import CensorValue
from service.perturbation.medical_homophone import MedicalHomophone
from service.perturbation.medical_terms import MedicalTerms
from service.perturbation.negation_flip import NegationFlip
from service.perturbation.sound_alikes import SoundAlikes
from service.perturbation.symptom_omission import SymptomOmission

ErrorName = Literal[
    "censor_medical",
    "censor_value",
    "censor_diagnosis",
    "symptom_omission",
    "negation_flip",
    "medical_homophone",
]

ERROR_NAMES: Final[tuple[ErrorName, ...]] = get_args(ErrorName)


def error_types(lexicon: Lexicon) -> dict[str, ErrorType]:
    """Every error type by its name.

    Args:
        lexicon: Medical terms and how words sound.
    """
    terms = MedicalTerms(lexicon)
    types: tuple[ErrorType, ...] = (
        CensorMedical(terms),
        CensorValue(),
        CensorDiagnosis(terms),
        SymptomOmission(terms),
        NegationFlip(terms),
        MedicalHomophone(terms, SoundAlikes(lexicon)),
    )
    return {one.name: one for one in types}
