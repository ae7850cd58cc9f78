"""How much work repair may do, and how sure it must be."""

from pydantic import BaseModel, ConfigDict, Field


class RepairSettings(BaseModel):
    """Noisy-channel repair of misheard terms. Surprise is negative log-likelihood in context, in nats."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    span_words: int = Field(4, ge=1, le=6, description="Longest stretch of words that is put in question.")
    word_surprise: float = Field(4.0, gt=0, description="Surprise from which a word is suspicious.")
    span_surprise: float = Field(6.0, gt=0, description="Least surprise of a stretch put in question.")
    spans: int = Field(
        24, ge=1, description="Stretches put in question in one segment, most surprising first."
    )
    span_sounds: int = Field(18, ge=4, description="Longest stretch, in sounds.")
    neighbours: int = Field(
        48, ge=1, description="Terms with near coarse sounds whose distance is measured exactly."
    )
    distance: float = Field(0.34, gt=0, description="Largest sound distance, for each sound of the longer.")
    variants: int = Field(8, ge=1, description="Readings of one segment that the language model compares.")
    distance_nats: float = Field(
        2.0, ge=0, description="Nats of gain that a sound distance of 1 must be worth."
    )
    flag_gain: float = Field(
        6.0, gt=0, description="Gain (nats, distance paid) from which a repair is a flag."
    )
    confusable_gain: float = Field(2.0, gt=0, description="The same for valid terms known to be confused.")
