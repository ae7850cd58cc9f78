"""An invented call and a small lexicon, for tests of injected errors."""

import orjson

from models.lexicon import Lexicon
from service.composition import clinical_terms
from service.perturbation.base import Original
from service.perturbation.originals import originals
from service.perturbation.plan import Injector
from service.perturbation.registry import error_types
from service.perturbation.transcripts import RecordedCall, read_calls
from streams.decoding import Limits
from streams.messages import Segment, Speaker

LEXICON = Lexicon(
    {
        "date": "2026-01-01",
        "sources": [],
        "suggested": [
            "amlodipine",
            "amitriptyline",
            "amiloride",
            "chest infection",
            "eczema",
            "itchy",
            "rash",
        ],
        "terms": {
            "amlodipine": "drug",
            "amitriptyline": "drug",
            "amiloride": "drug",
            "chest infection": "condition",
            "eczema": "condition",
            "itchy": "symptom",
            "rash": "symptom",
        },
        "sounds": {
            "itchy": "itSI",
            "each": "ItS",
            "key": "kI",
            "rash": "rAS",
            "crash": "krAS",
            "headache": "hedEk",
            "head": "hed",
            "ache": "Ek",
            "eggs": "egz",
            "hurdle": "h@rd@l",
            "itch": "itS",
            "chest": "tSest",
            "test": "test",
        },
        "commonness": {
            "itchy": 61,
            "each": 90,
            "key": 80,
            "rash": 62,
            "crash": 76,
            "headache": 66,
            "head": 82,
            "ache": 72,
            "eggs": 74,
            "itch": 66,
            "hurdle": 60,
            "chest": 71,
            "test": 85,
        },
        "confusable": [["amlodipine", "amiloride"]],
    }
)
TYPES = error_types(LEXICON)

SAID: tuple[tuple[Speaker, str], ...] = (
    ("clinician", "Hello, what can I do for you?"),
    ("patient", "Well, I've had a headache and an itchy rash for about three days."),
    ("clinician", "Do you have any fever?"),
    ("patient", "No, I haven't had any fever."),
    ("clinician", "And do you take anything for it?"),
    ("patient", "I take amlodipine, 5 mg twice a day, and I have eczema."),
    ("clinician", "Have you ever had a chest infection?"),
    ("patient", "Yes, I have. Two years ago, I had a chest infection."),
    ("patient", ""),
    ("patient", "um"),
)


def call(call_id: str = "c1", said: tuple[tuple[Speaker, str], ...] = SAID) -> RecordedCall:
    """A recorded call, with a field that nobody knows and the words of a recogniser."""
    lines = [
        orjson.dumps(
            {
                "call_id": call_id,
                "sequence": sequence,
                "speaker": speaker,
                "text": text,
                "start": 5.0 * sequence,
                "end": 5.0 * sequence + 4.0,
                "words": [{"text": word} for word in text.split()],
                "northwind": {"kept": True},
            }
        )
        for sequence, (speaker, text) in enumerate(said)
    ]
    lines.append(orjson.dumps({"type": "call.ended", "call_id": call_id}))
    [recorded] = read_calls(lines, Limits(), unreadable=lambda line: None)
    return recorded


def original(text: str, before: str = "Do you have any fever?", speaker: Speaker = "patient") -> Original:
    """A segment after a clinician's line."""
    segments = [
        Segment(call_id="c1", sequence=0, speaker="clinician", text=before),
        Segment(call_id="c1", sequence=1, speaker=speaker, text=text),
    ]
    return next(
        one for segment, one in originals(segments, None, clinical_terms(LEXICON)) if segment.sequence
    )


def injector(*names: str, seed: int = 7, speaker: str | None = "patient") -> Injector:
    """An injector of some error types; of all if none is named."""
    types = [TYPES[name] for name in names or TYPES]
    return Injector(types, clinical_terms(LEXICON), seed=seed, speaker=speaker)
