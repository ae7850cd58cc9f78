"""Medical coherence: do drugs, conditions, doses and frequencies that are said together make sense?

The simple form counts pairs of a drug and a condition in one line that are known to belong together. What
misleads a reader more is a dose that nobody takes: five thousand milligrams of metformin, a daily drug once a week.
"""

from collections.abc import Mapping, Sequence

from models.lexicon import Lexicon
from service.coherence.doses import Implausible, implausible_doses, only_drug
from service.coherence.facts import UsualDose, usual_doses, usual_uses
from service.dialogue.lines import Line
from service.dialogue.tokens import Token, bare, span_of
from service.moment import Moment
from service.signals.base import Finding, Measuring, Proposal, absent
from streams.messages import Evidence, SignalReading

_LINES_BEFORE = 2
"""How many lines back a drug may have been named whose dose is said now."""
_SAID_OF = {
    "dose_too_high": "is far more {drug} than is usually taken at once",
    "dose_too_low": "is far less {drug} than is usually taken",
    "daily_dose_too_high": "is far more {drug} than is usually taken in a day",
    "weekly_instead_of_daily": "is an unusual frequency for {drug}, which is taken daily",
}


class MedicalCoherence:
    """Known drug-condition pairs (simple), and implausible doses and frequencies.

    Args:
        lexicon: Finds drugs and conditions.
        doses: Usual doses by drug; those shipped if None.
        uses: Drugs by condition; those shipped if None.
    """

    name = "medical_coherence"
    readings = ("medical_coherence", "medical_coherence_simple")

    def __init__(
        self,
        lexicon: Lexicon,
        doses: Mapping[str, UsualDose] | None = None,
        uses: Mapping[str, frozenset[str]] | None = None,
    ) -> None:
        self._lexicon = lexicon
        self._doses = usual_doses() if doses is None else doses
        self._uses = usual_uses() if uses is None else uses
        self._drugs_with_use = frozenset().union(*self._uses.values())

    def measure(self, moment: Moment) -> Measuring:
        """Value: implausible doses and frequencies said; the simple form's: known pairs / pairs."""
        yield from ()
        words = moment.line.spoken
        if not words:
            return absent(self.readings, "no_words")
        texts = [word.text for word in words]
        found = implausible_doses(texts, self._doses, self._drug_before(moment.history))
        return Finding(
            readings={
                "medical_coherence": SignalReading(
                    float(len(found)),
                    0.0 if found else 1.0,
                    tuple(Evidence(span_of(words, one.first, one.last), one.reason) for one in found),
                ),
                "medical_coherence_simple": self._simple(texts),
            },
            proposals=tuple(_proposal(one, words) for one in found),
            features={"implausible_doses": float(len(found))},
        )

    def _drug_before(self, history: Sequence[Line]) -> str | None:
        for line in reversed(history[-_LINES_BEFORE:]):
            drug = only_drug([word.text for word in line.spoken], self._doses)
            if drug is not None:
                return drug
        return None

    def _simple(self, words: Sequence[str]) -> SignalReading:
        terms = {mention.term for mention in self._lexicon.mentions(words)}
        drugs, conditions = terms & self._drugs_with_use, terms & self._uses.keys()
        pairs = [(drug, condition) for drug in drugs for condition in conditions]
        if not pairs:
            return SignalReading(None, None, absent="no_pairs")
        share = sum(drug in self._uses[condition] for drug, condition in pairs) / len(pairs)
        return SignalReading(share, share)


def _proposal(found: Implausible, words: tuple[Token, ...]) -> Proposal:
    said = bare(words[found.first : found.last + 1])
    return Proposal(
        type="implausible_dose",
        severity="high",
        span=span_of(words, found.first, found.last),
        reason=found.reason,
        explanation=f"“{said}” {_SAID_OF[found.reason].format(drug=found.drug)}.",
        subject=found.drug,
        strength=0.8,
        suggestion=found.suggestion,
    )
