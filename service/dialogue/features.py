"""What the dialogue tells the risk model of a line: what was asked of it, and how much hangs on its answer."""

from service.dialogue.negation import NEGATORS
from service.dialogue.preference import bare_against_preference
from service.dialogue.question_kinds import ADMINISTRATIVE_KINDS
from service.dialogue.reading import LineReading


def features_of(reading: LineReading) -> dict[str, float]:
    """Features of a line that has been read.

    `at_stake` (0..1) is given only where a question is open or asked by the line itself; the others always.
    """
    question = reading.question
    words = reading.said.words
    polarity = reading.answer.polarity if reading.answer is not None else None
    asked = question or (reading.questions[-1] if reading.questions else None)
    features = {
        "answers_question": float(question is not None),
        "asks_question": float(any(mine.form != "statement" for mine in reading.questions)),
        "asked_clinical": float(question is not None and question.clinical),
        "asked_administrative": float(question is not None and question.kind in ADMINISTRATIVE_KINDS),
        "answers_yes": float(polarity == "yes"),
        "answers_no": float(polarity == "no"),
        "bare_against_preference": float(bare_against_preference(reading.answer, question, len(words))),
        "negations": float(sum(word in NEGATORS for word in words)),
        "clinical_terms": float(len(reading.mentions)),
    }
    return features | ({"at_stake": asked.at_stake} if asked is not None else {})
