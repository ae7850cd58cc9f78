"""When and how surely something was said: the time and the certainty of a clause.

After ConText (Chapman, Chu and Dowling, 2007), which reads the same for notes; here for speech, with what a
consultation adds: what is planned, what has ended, and what was so this morning.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Temporality = Literal["current", "recent", "past", "ended", "hypothetical", "planned"]
"""`recent`: over the last day, so part of this illness; `ended`: it was so until lately ("has gone"); `past`: once."""

DOUBTED = 0.3
"""The certainty of what the speaker does not know, or only thinks possible."""
_HEDGED_CERTAINTY = 0.7


def _any_of(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(phrases)})\b")


_CONDITIONAL = _any_of(
    r"if|unless|would|may|should|whether|develop|in case|what if|let (?:me|us) know|make sure",
    r"can (?:also |sometimes )?(?:cause|give|get|make|lead)|prevent|avoid|risk|side effects?|caused by|due to(?! have)",
    r"(?:look|watch|watching) (?:out )?for|eye out|keep an eye|(?<!no )signs? of|such as|for example|things like",
    r"(?:i|you) might (?:get|notice|feel|find|see|have|experience|need)|don't want|scared|afraid|frightened",
    r"i read|googl\w+|check(?:ed)? for|looking for|help with|good for|treat the|die of|dying of",
)
_HOW_MANY = (
    r"(?:(?:a|an) )?(?:about |around )?(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|couple|few|half|"
    r"once|twice|every|twenty|thirty|forty|fifty)"
)
"""What is doubtful then is the number, not that it is so: "maybe three times"."""
_POSSIBLE = _any_of(
    rf"might|could|(?:maybe|perhaps|possibly|probably)(?! {_HOW_MANY})|possible|possibilit(?:y|ies)|potentially",
    r"probable|wonder(?:ing)?|(?<!not )worr(?:y|ied|ying)(?! about (?:the|my|this|that|these))|suspect|reckons?|thinks",
    r"(?<!not )concern(?:ed)?|suggest(?:s|ive)?|likely|(?:sounds?|feels?|looks?) (?:a (?:bit|little) )?like|similar to",
    r"rule out|can't exclude|may have|as though",
    r"(?<!n't )(?:think|thinks|thought|guess|reckon|reckons|suppose|believe) (?:it's|it is|it was|that's|this is)",
)
_PLANNED = _any_of(
    r"(?:i'll|we'll|you'll|they'll|will)(?! (?:go|not|stop))|next (?:week|month|year)|tomorrow|arrang\w+|booked",
    r"going to (?!the|my|a|your|bed|work|school|hospital|see|get)|(?:like|want) you to|let's|prescribe|refer you",
    r"due (?:for|to have)|(?:giv|start|putt|send)ing you|(?:give|start|put|send) you",
)
_ENDED = _any_of(
    r"no longer|any ?more|(?:went|going|gone) (?:away|down)|gets? better|got better|better now|cleared up|easing off",
    r"(?:is|it's|that's|'s) (?!no |not |any )(?:\w+ )?(?:better|over)|gone|stopped|settled|cleared|resolved",
    r"vanished|disappeared|finished|gave up|quit|came off|recovered|got over",
)
_NOT_ENDED = _any_of(
    r"(?:\w+n't|not|never) (?:\w+ )?(?:gone?|went|goes|stop(?:ped)?|settled?|cleared?|improved?|got|get(?:ting)?|going)"
)
_PAST = _any_of(
    r"previous(?:ly)?|childhood|formerly|history|past|once(?! (?:a|an|every|daily|i|you|it|the|we)\b)|used to",
    r"(?:years?|months?) (?:ago|back)|when (?:i|you) (?:was|were)|as an? (?:child|kid|baby|teenager)|growing up",
    r"last (?:year|month|time)|a while (?:ago|back)|long ago|at (?:that|the|one) (?:time|point)|back (?:then|in)",
    r"had (?:it )?before|ever (?:had|been)|in the beginning|at first|initially|to begin with|at the start",
    r"(?:was|were) (?:on|taking|using)|in my (?:teens|twenties|thirties|forties|fifties)|i had|i did have",
)
_RECENT = _any_of(
    r"last night|yesterday|today|this (?:morning|afternoon|evening)|earlier|overnight|the other day"
)
_LONG_PAST = _any_of(r"used to|years?|months?|child|kid|baby|childhood|history|last time|previous(?:ly)?")
_HEDGED = _any_of(r"think|guess|sort|kind|seems?|suppose|apparently|usually|normally|sometimes")
_IGNORANT = _any_of(
    r"not (?:\w+ )?(?:sure|certain)|don't know(?! (?:what|why|how|where|when))|can't be sure|couldn't tell",
    r"hard to say|can't (?:remember|say(?! i))|no idea (?:if|whether)",
)


@dataclass(frozen=True, slots=True)
class Stance:
    """When and how surely something was said.

    Attributes:
        certainty: 0..1; 1 is said outright, about 0.7 hedged, `DOUBTED` thought possible.
    """

    temporality: Temporality
    certainty: float


def stance_of(clause: Sequence[str]) -> Stance:
    """Reads the stance of a clause."""
    text = " ".join(clause)
    return Stance(_temporality(text), _certainty(text))


def _temporality(text: str) -> Temporality:
    if _CONDITIONAL.search(text):
        return "hypothetical"
    if _PLANNED.search(text):
        return "planned"
    if _ENDED.search(text) and not _NOT_ENDED.search(text):
        return "ended"
    if _PAST.search(text) or text.endswith(" before"):
        return "recent" if _RECENT.search(text) and not _LONG_PAST.search(text) else "past"
    return "recent" if "last night" in text else "current"


def _certainty(text: str) -> float:
    if _POSSIBLE.search(text) or _IGNORANT.search(text):
        return DOUBTED
    return _HEDGED_CERTAINTY if _HEDGED.search(text) else 1.0
