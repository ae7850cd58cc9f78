"""How much work repair may do, and how sure it must be."""

from pydantic import BaseModel, ConfigDict, Field


class RepairSettings(BaseModel):
    """Noisy-channel repair of misheard terms. Surprise is negative log-likelihood in context, in nats."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    span_words: int = Field(4, ge=1, le=6, description="Longest stretch of words that is put in question.")
    word_surprise: float = Field(6.0, gt=0, description="Surprise from which a word is suspicious.")
    neighbour_surprise: float = Field(2.0, ge=0, description="Least surprise of the words beside it.")
    spans: int = Field(
        24, ge=1, description="Stretches put in question in one segment, most surprising first."
    )
    span_sounds: int = Field(18, ge=4, description="Longest stretch, in sounds.")
    coarse_distance: float = Field(
        1.0, gt=0, description="Largest sum of the two plain distances, for each sound."
    )
    neighbours: int = Field(10, ge=1, description="Terms of near sounds whose distance is measured.")
    distance: float = Field(0.33, gt=0, description="Largest sound distance, for each sound of the longer.")
    distance_nats: float = Field(3.0, ge=0, description="Nats that a sound distance of 1 must bring.")
    by_ear_distance_nats: float = Field(
        9.0, ge=0, description="The same where what was written is no word: a name that was spelled by ear."
    )
    by_ear_nats: float = Field(
        5.0, ge=0, description="Nats that speak against such a word before anything is compared."
    )
    valid_term_nats: float = Field(6.0, ge=0, description="Nats that taking a valid term away must bring.")
    dose_nats: float = Field(
        4.0, ge=0, description="Nats that a known confusion must bring where nobody takes such a dose of it."
    )
    consultation_share: float = Field(
        0.4,
        ge=0,
        le=1,
        description="Share of the nats by which words are commoner in consultations that counts for them.",
    )
    recent_lines: int = Field(20, ge=0, description="Lines before it in which a term may have been said.")
    recent_nats: float = Field(
        2.0, ge=0, description="Nats by which having been said there makes it likelier."
    )
    terms_per_span: int = Field(4, ge=1, description="Terms tried for one stretch.")
    promise: float = Field(6.0, description="Least that a repair may bring at best, nats.")
    variants: int = Field(5, ge=1, description="Readings of one segment that the language model compares.")
    term_gain: float = Field(
        -3.0,
        description="Least that the term alone must gain (nats, less the price) for the words after it to be compared.",
    )
    following_words: int = Field(8, ge=0, description="Words after a repair that the comparison looks at.")
    flag_gain: float = Field(
        5.0, gt=0, description="Gain (nats, less the price) from which a repair is a flag."
    )
    confusable_gain: float = Field(7.5, gt=0, description="The same for valid terms known to be confused.")
    worst_gain: float = Field(15.0, gt=0, description="Gain at which the score is 0.")
