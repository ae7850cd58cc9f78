"""A lexicon of a few terms, for tests of repair."""

from models.lexicon import Lexicon
from models.lexicon.lexicon import FORMAT

SOUNDS = {
    "any": "enI",
    "headaches": "hedEks",
    "head": "hed",
    "eggs": "egz",
    "pain": "pEn",
    "plane": "plEn",
    "chest": "tSest",
    "nausea": "nozI@",
    "infection": "infekS@n",
    "test": "test",
    "the": "D@",
    "so": "sO",
    "sore": "sor",
    "hydroxyzine": "hYdroksizIn",
    "hydralazine": "hYdrAlAzIn",
    "hypertension": "hYp@rtenS@n",
    "hypotension": "hYpOtenS@n",
}

LEXICON = Lexicon(
    {
        "format": FORMAT,
        "date": "2026-01-01",
        "sources": [],
        "terms": {
            "headaches": "symptom",
            "pain": "symptom",
            "nausea": "symptom",
            "chest infection": "condition",
            "hydroxyzine": "drug",
            "hydralazine": "drug",
            "hypertension": "condition",
            "hypotension": "condition",
        },
        "suggested": ["chest infection", "headaches", "hydralazine", "hydroxyzine", "nausea", "pain"],
        "confusable": [["hydroxyzine", "hydralazine"], ["hypertension", "hypotension"]],
        "sounds": SOUNDS,
        "commonness": dict.fromkeys(SOUNDS, 75),
    }
)
