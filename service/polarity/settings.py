"""How much work comparing a line with its opposite may take, and how sure it must be."""

from pydantic import BaseModel, ConfigDict, Field


class PolaritySettings(BaseModel):
    """Lines compared with their opposite. Gains are in nats."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    following_words: int = Field(
        4, ge=0, description="Words after what is turned round that the comparison looks at."
    )
    places: int = Field(2, ge=1, description="Places of one segment at which a negation is put in.")
    least_surprise: float = Field(
        5.0, ge=0, description="Surprise (nats) of a word near such a place, below which none was lost."
    )
    bare_words: int = Field(
        3, ge=1, description="Words of the longest answer that the next speaker's words are held against."
    )
    taken_up_words: int = Field(
        8, ge=1, description="Words of the next speaker that are held against an answer."
    )
    flag_gain: float = Field(4.0, gt=0, description="Gain (nats) from which a lost negation is a flag.")
    taken_up_flag_gain: float = Field(
        3.0, gt=0, description="The same for an answer that the next speaker's words speak against."
    )
