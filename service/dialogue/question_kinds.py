"""What a question asks for, and what is at stake in its answer."""

import re
from collections.abc import Sequence
from typing import Literal

from service.dialogue.terms import TermCategory

QuestionKind = Literal[
    "administrative",
    "repair",
    "small_talk",
    "closing",
    "social",
    "open",
    "character",
    "onset",
    "duration",
    "frequency",
    "severity",
    "location",
    "side",
    "symptom",
    "history",
    "family",
    "habit",
    "drug",
    "dose",
    "allergy",
    "other",
]

AT_STAKE: dict[QuestionKind, float] = {
    "administrative": 0.0,  # identity, address, logistics: not clinical
    "repair": 0.0,  # asks to say it again: what is at stake is in the question before
    "small_talk": 0.0,  # courtesies
    "closing": 0.1,  # consent to a plan: rarely clinical
    "social": 0.2,  # work and home: context, seldom a finding
    "other": 0.4,  # unknown
    "character": 0.6,  # a vaguer symptom has little effect
    "onset": 0.6,  # another plausible timeline has little effect
    "duration": 0.6,
    "frequency": 0.6,
    "habit": 0.6,  # a risk factor
    "open": 0.7,  # the patient's own account: a symptom or reasoning may be lost
    "severity": 0.7,
    "location": 0.8,  # a body part changed alters the picture
    "side": 0.9,
    "family": 0.8,  # a relevant family history
    "history": 0.9,  # a condition lost or invented
    "symptom": 0.9,  # a symptom lost, or its negation flipped
    "drug": 0.9,
    "dose": 1.0,  # a critical number
    "allergy": 1.0,  # decides what may be prescribed
}
"""What is at stake in an answer, 0..1: how far mishearing it changes the clinical picture. By reason, not by fit."""

ADMINISTRATIVE_KINDS: frozenset[QuestionKind] = frozenset(
    {"administrative", "repair", "small_talk", "closing"}
)
CLINICAL_KINDS: frozenset[QuestionKind] = frozenset(
    kind for kind, weight in AT_STAKE.items() if weight >= 0.6
)

_PATTERNS: tuple[tuple[QuestionKind, str], ...] = (
    (
        "repair",
        (
            r"repeat that|say that again|(?:could|can) you (?:just )?repeat|catch that|what was that|"
            r"what's that sorry|what did you say|did you say sorry|hear that"
        ),
    ),
    (
        "administrative",
        (
            r"(?:full|first|last|sur|your) ?names?|name and|date of birth|birthday|address|post ?code|"
            r"(?:phone|mobile|telephone|contact|best|right|your) number|e ?mail|hear me|"
            r"see me|can you see|video|camera|connection|how old|your age|"
            r"private|secure|confidential|able to talk|pharmacy|appointments?|"
            r"nhs number|which gp|calling from|registered|speaking (?:to|with)"
        ),
    ),
    (
        "closing",
        (
            r"any (?:other |more )?questions|questions? (?:for|at all)|makes? sense|does that sound|"
            r"how does that|happy (?:with|for)|is that (?:okay|clear|alright|all right)|"
            r"(?:okay|alright) with that|sound (?:okay|good)|you okay with|would you be (?:happy|willing)|"
            r"understand"
        ),
    ),
    ("allergy", r"allerg\w+|intoleran\w+|react\w* (?:badly )?to"),
    ("family", r"family|hereditary|genetic|relatives|your (?:mum|mother|dad|father|parents|brother|sister)"),
    (
        "dose",
        (
            r"dose|doses|dosage|what strength|milligrams?|micrograms?|"
            r"how (?:many|much) (?:milligrams|micrograms|tablets|puffs|units of|of it|paracetamol|ibuprofen|insulin)|"
            r"how many (?:of (?:those|them|these|the) )(?:\w+ )?(?:do you|did you|are you)|"
            r"how (?:many|much) (?:did you take|do you take|are you taking|have you taken)"
        ),
    ),
    (
        "habit",
        (
            r"smok\w+|(?:you )?drink(?:ing)? (?:much|any|a lot|at all|alcohol)|drink or|alcohol|recreational|"
            r"do you drink$|how many units|"
            r"exercise|diet|cigarettes?|units a week|caffeine|sexually active|sexual\w*"
        ),
    ),
    ("duration", r"how long|how many (?:days|weeks|months|years|hours)|been going on"),
    (
        "frequency",
        (
            r"how often|how many times|how frequent\w*|how regular\w*|every day|times a (?:day|week|month)|"
            r"once a (?:day|week)|twice a day"
        ),
    ),
    (
        "onset",
        (
            r"when (?:did|was|were|do you think|exactly)|when's|start(?:ed)?|began|begin|c[ao]me on|"
            r"sudden\w*|gradual\w*|first notice\w*|which day|how many \w+ ago|what time"
        ),
    ),
    (
        "severity",
        (
            r"scale|how (?:bad|severe|painful)|out of ten|severe|worst|rate (?:it|the|your)|stop(?:s|ping)? you|"
            r"(?:really|very|a) bad"
        ),
    ),
    (
        "side",
        (
            r"left|which (?:side|arm|leg|knee|ear|eye|foot|hip|hand|shoulder|ankle|one)|"
            r"right (?:side|hand|arm|leg|knee|ear|eye|foot|hip)|"
            r"one side|both (?:sides|eyes|ears)"
        ),
    ),
    (
        "location",
        (
            r"above|below|around your|"
            r"where(?:'s| is| are| does| do| exactly| on| in| did)|whereabouts|which part|point to|"
            r"anywhere else|spread\w*|go anywhere|radiat\w+|mov(?:e|ing) anywhere"
        ),
    ),
    (
        "drug",
        (
            r"medications?|medicines?|tablets?|taking|take (?:any|anything|something|regular)|inhalers?|"
            r"painkillers?|antibiotics?|the pill|contracept\w+|prescri\w+|over the counter|steroids?|creams?|"
            r"antihistamines?|drugs?|(?:did|have|do) you (?:try|tried|take|taken|use|used)|vaccin\w+"
        ),
    ),
    (
        "history",
        (
            r"medical (?:history|problems?|conditions?|issues?)|health (?:problems?|conditions?)|before|"
            r"in the past|previous\w*|ever (?:had|been|have|suffered)|operations?|surgery|surgeries|diagnos\w+|"
            r"otherwise (?:fit|well|healthy)|fit and (?:well|healthy)|history of|past history|hospital|"
            r"how's your health|other (?:illness\w*|conditions?|problems)|suffer from|pregnan\w+|period\w*"
        ),
    ),
    (
        "open",
        (
            r"how can (?:i|we) help|how have you been|what else|what can (?:i|we) do|what(?:'s|s)? (?:brings|brought)|"
            r"what's (?:been )?(?:going on|happening|wrong|the matter|the problem)|what happened|more about|"
            r"anything else|any(?:thing)? other symptoms|other symptoms|how are you feeling|what seems|"
            r"what do you think|any ideas|your (?:worries|concerns)|worried about|tell me|concern\w*"
        ),
    ),
    (
        "character",
        (
            r"describe|what (?:kind|sort|type|colour|color)|what does it|feel like|sharp|dull|throbbing|colour|"
            r"color|constant|comes? and goes?|come and go|worse|better|trigger\w*|dry|"
            r"watery|anything that|same time|difference|different"
        ),
    ),
    (
        "social",
        (
            r"(?:your )?work(?:ing)?(?: as| at)?|jobs?|live|lives|living|at home|stress\w*|occupation|school|"
            r"for a living|hobb\w+|off sick"
        ),
    ),
    (
        "symptom",
        (
            r"notic\w+|problems?|difficult\w+|trouble|feel(?:ing)?|symptoms?|eating|drinking|passing|bowels|"
            r"waterworks|sleep\w*|appetite|breath\w*|vision|eyesight|chest|skin|weight|mood|sick|toilet|"
            r"swallow\w*|energy|hot"
        ),
    ),
    (
        "small_talk",
        (
            r"how are you(?: doing| today)?$|nice to (?:meet|see)|how's it going|how you doing|"
            r"you (?:alright|okay)|weekend|weather|holidays?|your day"
        ),
    ),
)
_KINDS = tuple((kind, re.compile(rf"\b(?:{pattern})\b")) for kind, pattern in _PATTERNS)


def kind_of(asked: Sequence[str], *, named: TermCategory | None) -> QuestionKind:
    """The kind of a question: the first of the list whose words it holds.

    Args:
        asked: Its words.
        named: What it asks about by name, where it can be answered with yes or no.
    """
    text = " ".join(asked)
    for kind, pattern in _KINDS:
        if pattern.search(text):
            return kind if kind != "small_talk" or named is None else "symptom"
    if named is None:
        return "other"
    return "history" if named == "condition" else "symptom"
