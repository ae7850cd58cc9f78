"""Thresholds, weights and bounds of the monitor: everything about *what is risky* that may be tuned."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from service.polarity.settings import PolaritySettings
from service.repair.settings import RepairSettings

MOST_WORST_SEGMENTS = 100
"""Of each call so many are remembered."""


Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
"""ISO 639, without a region: `en` stands for `en-GB` and `en_us` too."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CallSettings(_Frozen):
    """Bounds of what is remembered of one call, and of how many calls are followed."""

    history_lines: int = Field(48, ge=4, description="Earlier lines that signals may look at.")
    history_characters: int = Field(
        32_000, ge=1000, description="Characters of these lines, with five for each word's place."
    )
    context_words: int = Field(
        160, ge=16, description="Words after which the language model's context restarts."
    )
    context_kept_words: int = Field(
        30,
        ge=0,
        description="Words that a restarted context begins with: whole lines, or the end of a long one.",
    )
    line_words: int = Field(400, ge=16, description="Words of one line that are kept; the rest is not read.")
    remembered_sequences: int = Field(5000, ge=16, description="Sequences whose repetition is recognised.")
    silence_seconds: float = Field(
        900.0, gt=0, description="A call without segments for this long has ended."
    )
    ended_calls: int = Field(
        1000, ge=0, description="Ended calls whose summary goes on if a segment comes late."
    )
    open_calls: int = Field(
        4000, ge=1, description="Calls followed at once; beyond it the quietest is ended."
    )
    languages: tuple[Language, ...] = Field(("en",), description="Languages that the signals understand.")


class PerplexitySettings(_Frozen):
    """Perplexity in context."""

    peak_tokens: int = Field(3, ge=1, description="How many of the most improbable tokens make the peak.")
    healthy_peak: float = Field(5.0, gt=0, description="Peak (nats) at which the score begins to fall.")
    worst_peak: float = Field(13.0, gt=0, description="Peak (nats) at which the score is 0.")
    evidence_nats: float = Field(9.0, gt=0, description="A token less probable than this is evidence.")
    flag_peak: float = Field(12.0, gt=0, description="Peak (nats) from which improbable words are a flag.")
    flag_tokens: int = Field(4, ge=1, description="Shortest segment (tokens) that may be flagged.")


class DriftSettings(_Frozen):
    """Embedding drift."""

    window_lines: int = Field(8, ge=2, description="Earlier lines that make the recent topic.")
    warm_up_lines: int = Field(8, ge=1, description="Lines before the first drift flag of a call.")
    content_words: int = Field(5, ge=1, description="Shorter lines (acknowledgements) are not measured.")
    healthy_similarity: float = Field(0.40, gt=0, le=1, description="Similarity from which the score is 1.")
    flag_similarity: float = Field(0.06, description="Similarity below which a long line is a drift flag.")
    flag_content_words: int = Field(7, ge=1, description="Shortest line (content words) that may be flagged.")


class PaceSettings(_Frozen):
    """Speech rate: what is usual, and what is implausible."""

    usual_words_per_second: float = Field(
        2.7, gt=0, description="Rate of conversational English while speaking."
    )
    prior_seconds: float = Field(20.0, gt=0, description="Seconds of speech that the usual rate counts for.")
    memory_seconds: float = Field(300.0, gt=0, description="Seconds of speech after which a pace has faded.")
    slack_seconds: float = Field(0.5, ge=0, description="By how much the times of a segment may be wrong.")
    flag_missing_words: float = Field(14.0, gt=0, description="Words missing from which it is a flag.")
    flag_missing_share: float = Field(
        0.75, gt=0, le=1, description="Share of the expected words that must be missing."
    )
    flag_surplus_words: float = Field(4.0, gt=0, description="Words surplus from which it is a flag.")
    fastest_words_per_second: float = Field(6.0, gt=0, description="Words beyond this rate are surplus.")


class ContradictionSettings(_Frozen):
    """Contradictions within a call. A classifier is asked only where the settings of the models name one."""

    ledger_assertions: int = Field(512, ge=16, description="Assertions remembered of one call.")
    pairs_per_segment: int = Field(4, ge=1, description="Pairs that the classifier is asked about a segment.")
    confirmed: float = Field(0.9, ge=0, le=1, description="Classifier probability that confirms a pair.")
    unconfirmed_strength: float = Field(
        0.6, ge=0, le=1, description="Strength of the rules that stands without a classifier."
    )
    polarity: PolaritySettings = PolaritySettings()


class ConfidenceSettings(_Frozen):
    """Confidence: the recogniser's own doubt."""

    other_words: float = Field(
        0.1,
        ge=0,
        le=1,
        description="Weight of a word that is no clinical term, number or negation (these: 1).",
    )
    evidence_doubt: float = Field(
        0.4, gt=0, le=1, description="Doubt (1 - confidence) from which a word is evidence."
    )
    flag_doubt: float = Field(0.6, gt=0, le=1, description="Doubt from which a word that matters is a flag.")


class HallucinationSettings(_Frozen):
    """Hallucination patterns."""

    loop_words: int = Field(
        8, ge=4, description="Words of immediate repetition, three times or more, that are a loop."
    )
    compression_ratio: float = Field(
        2.4, gt=1, description="Bytes over deflated bytes from which text is a loop."
    )
    words_in_silence: int = Field(
        3, ge=0, description="Words that may be written where no speech was measured."
    )
    words_per_second: float = Field(
        8.0, gt=0, description="Words for each second of measured speech beyond these."
    )
    insertion_gain: float = Field(
        0.1,
        description="Nats a token by which the dialogue must make a line more probable, or it is unlike the call.",
    )
    insertion_words: int = Field(6, ge=1, description="Shortest line (words) that may be unlike the call.")
    insertion_lines: int = Field(
        4, ge=1, description="Lines before it that the language model must have read."
    )


class GapSettings(_Frozen):
    """Dialogue gaps: speech that was lost between the words that came."""

    speech_without_text: float = Field(
        0.8, gt=0, description="Seconds of speech without a word from which they are lost speech."
    )
    answer_without_text: float = Field(
        0.25,
        gt=0,
        description="The same right after a clinical question: the shortest answer takes about 0.3.",
    )
    cut_off_silence: float = Field(
        0.4, ge=0, description="Seconds of silence after a turn with less of which it was interrupted."
    )
    end_silence: float = Field(
        0.7,
        ge=0,
        description="The same where its last word can end a turn: how probable its end is then decides.",
    )
    cut_off_nats: float = Field(
        5.0,
        gt=0,
        description="Improbability of a turn's end (nats, seconds of silence added) that cuts it off.",
    )
    silence_after_question: float = Field(
        1.6, gt=0, description="Seconds after a question from which its asker goes on without an answer."
    )
    silence_after_answer: float = Field(
        4.5, gt=0, description="Seconds between a patient's words and the clinician's: speech was lost."
    )
    silence: float = Field(6.0, gt=0, description="Seconds between any other two lines: speech was lost.")


class FlagSettings(_Frozen):
    """Which proposals become flags."""

    cooldown_segments: int = Field(12, ge=0, description="Segments within which one subject is flagged once.")
    per_segment: int = Field(3, ge=1, description="Flags of one segment; the most severe are kept.")


class CompositeSettings(_Frozen):
    """Weights of the published composite quality; renormalised over the signals that ran."""

    perplexity: float = Field(0.15, ge=0, description="Weight of the simple form of perplexity.")
    grammar: float = Field(0.15, ge=0, description="Weight of the simple form of grammar.")
    entity_validity: float = Field(0.20, ge=0, description="Weight of the simple form of entity validity.")
    medical_coherence: float = Field(
        0.15, ge=0, description="Weight of the simple form of medical coherence."
    )
    contradiction: float = Field(0.15, ge=0, description="Weight of the simple form of contradiction.")
    embedding_drift: float = Field(0.10, ge=0, description="Weight of the simple form of embedding drift.")
    confidence: float = Field(0.10, ge=0, description="Weight of the simple form of confidence.")
    accept: float = Field(0.80, ge=0, le=1, description="Quality from which a call is accepted.")
    review: float = Field(
        0.50, ge=0, le=1, description="Quality from which a call is reviewed, not rejected."
    )


class RecommendationSettings(_Frozen):
    """From risk and flags to a call's recommendation."""

    worst_segments: int = Field(
        3, ge=1, le=MOST_WORST_SEGMENTS, description="Segments whose mean risk is the call's risk."
    )
    review_risk: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Call risk from which a person should look; that of the risk weights if unset.",
    )
    reject_risk: float = Field(
        0.9, ge=0, le=1, description="Call risk from which the transcript is unusable."
    )
    review_high_flags: int = Field(2, ge=1, description="High flags from which a person should look.")
    reject_urgent_flags: int = Field(5, ge=1, description="High and critical flags that reject a transcript.")


class MonitorSettings(_Frozen):
    """All settings of the monitor."""

    call: CallSettings = CallSettings()
    perplexity: PerplexitySettings = PerplexitySettings()
    repair: RepairSettings = RepairSettings()
    drift: DriftSettings = DriftSettings()
    pace: PaceSettings = PaceSettings()
    contradiction: ContradictionSettings = ContradictionSettings()
    confidence: ConfidenceSettings = ConfidenceSettings()
    hallucination: HallucinationSettings = HallucinationSettings()
    gaps: GapSettings = GapSettings()
    grammar: bool = Field(False, description="Whether grammar is measured: a weak signal on speech.")
    flags: FlagSettings = FlagSettings()
    composite: CompositeSettings = CompositeSettings()
    recommendation: RecommendationSettings = RecommendationSettings()
    risk_model: Path | None = Field(
        None, description="Risk weights; those shipped with the package if unset."
    )
