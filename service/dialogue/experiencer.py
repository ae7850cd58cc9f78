"""Whose symptom or condition it is: the patient's, a relative's or another's."""

from collections.abc import Sequence
from typing import Literal

Experiencer = Literal["patient", "family", "other"]

FAMILY = frozenset(
    "mother mum mom mummy father dad daddy brother sister son daughter grandma grandmother gran nan grandad "
    "grandfather granddad granny uncle aunt auntie cousin wife husband parents family children kids child kid baby "
    "twin twins siblings grandparents nephew niece brothers sisters sons daughters grandads mums dads relatives "
    "grandson granddaughter mother-in-law".split()
)
_FAMILY_PAIRS = frozenset({("little", "one"), ("little", "boy"), ("little", "girl"), ("other", "half")})
_OTHERS = frozenset(
    "friend friends colleague colleagues neighbour neighbor partner boyfriend girlfriend flatmate flatmates roommate "
    "roommates housemate someone somebody people everyone patients boss class school ex".split()
)
_THIRD = frozenset("he he's she she's they they're they've him her his their".split())
_SPEAKER = frozenset("i i'm i've i'd i'll myself me my".split())
_ADDRESSEE = frozenset("you you're you've you'd your".split())
_YOUNG = frozenset("child kid baby kids children".split())
"""After "as a" they are the speaker when young."""
_FILLING_AFTER_YOU = frozenset({"know", "see"})
_HOLDING_OPINION = frozenset(
    "think thinks thought say says said reckon reckons believe believes suspect suspects guess feel told wonder hope "
    "assume doubt mean found find diagnosed checked tested prescribed".split()
)
_BETWEEN_OPINION = frozenset("don't didn't wouldn't would do also just keep keeps would've never".split())
_PREDICATING = frozenset({"not", "i'm", "am", "as", "you're"})
"""Before "someone" they speak of the patient: "I'm not someone who gets headaches"."""
_IN_THE_FAMILY = frozenset(("in", whose, "family") for whose in ("the", "my", "our", "your"))
_REACH = 14
_AFTER = 6
_RELATING = frozenset({"in", "from", "on", "with"})


def experiencer_of(words: Sequence[str], at: int, *, by_staff: bool) -> Experiencer:
    """Whose word `at` is: the nearest person named before it, else a relative named just after it.

    A patient's "you" is people in general; a clinician's "I" finds, thinks and plans, and has nothing. Who only holds
    the opinion ("my mum thinks it's asthma", "I don't think this is a stroke") does not have the condition.
    """
    following = words[at + 1 : at + 1 + _AFTER]
    if any(tuple(following[place : place + 3]) in _IN_THE_FAMILY for place in range(len(following) - 2)):
        return "family"
    own, others = (_ADDRESSEE, frozenset[str]()) if by_staff else (_SPEAKER, _ADDRESSEE)
    for place in range(at - 1, max(at - _REACH, 0) - 1, -1):
        word = words[place].removesuffix("'s")
        if _holds_opinion(words, place):
            continue
        if word in _YOUNG and not {"as", "was"}.isdisjoint(words[max(place - 2, 0) : place]):
            continue
        if word in FAMILY or tuple(words[place - 1 : place + 1]) in _FAMILY_PAIRS:
            return "family"
        if words[place] in own:
            return "patient"
        if word in _OTHERS and words[place - 1] in _PREDICATING:
            continue
        if word in _OTHERS or (word in others and words[place + 1] not in _FILLING_AFTER_YOU):
            return "other"
        if words[place] in _THIRD:
            return "family" if not FAMILY.isdisjoint(words[:place]) else "other"
    after = [word.removesuffix("'s") for word in words[at + 1 : at + 1 + _AFTER]]
    return "family" if not _RELATING.isdisjoint(after) and not FAMILY.isdisjoint(after) else "patient"


def _holds_opinion(words: Sequence[str], place: int) -> bool:
    after = place + 1
    if words[after : after + 1] and words[after] in _BETWEEN_OPINION:
        after += 1
    return after < len(words) and words[after] in _HOLDING_OPINION
