"""Clauses of a spoken line, found without punctuation: what one negation, one "if" or one person reaches.

A clause begins at a connective ("but", "because"), at an interjection ("yeah", "okay"), and where a new subject
follows a word that does not itself take a clause ("I think | I have" stays one clause).
"""

from collections.abc import Sequence

SUBJECTS = frozenset(
    "i i'm i've i'd i'll it's it he he's she she's they they're they've we we're we've you you're you've you'd "
    "there's there that's my the".split()
)
_CONNECTIVES = frozenset(
    "but however although though because so then which whereas while except apart besides only until yet "
    "otherwise plus since if unless".split()
)
INTERJECTIONS = frozenset("okay yes yeah yep oh well sorry thanks alright right anyway".split())
_TAKES_CLAUSE = frozenset(
    "think thought know say said believe guess feel feeling felt like that if when as noticed notice suppose sure "
    "mean reckon whether where how what why who whenever unless until while since because mentioned mention told "
    "scared worried afraid glad says thinks reckons should may might must tell find found hope wonder was is are "
    "were do does did have has had can could would will don't doesn't haven't hadn't isn't of for to with in on "
    "at about than except from before after once which just not nor everything anything something nothing all "
    "thing case way time call calling called".split()
)
_VERBS = frozenset(
    "is are was were has had feels feel keeps hurts hurt gets started goes went does hasn't isn't wasn't doesn't "
    "didn't just comes came might seems burns stings itches 's won't".split()
)
_AFTER_OBJECT = frozenset("on to in for with some a an the at off from up back about of any".split())
"""After "you" they show that it is an object: "start you on"."""
_BEFORE_OBJECT = frozenset("give gives giving get gets make makes send start put see call help cause".split())
_VERB_REACH = 4
_PURPOSES = frozenset(
    {("make", "sure"), ("rule", "out"), ("check", "for"), ("see", "if"), ("see", "whether")}
)
_TAKES_INFINITIVE = frozenset(
    "need needs want wants like going have had got try trying ought able just".split()
)
_CONDITIONS = frozenset({"if", "unless"})
_EXTENDERS = frozenset("anything something everything stuff whatever that".split())
"""With "and" or "or" before them they end a list, and take no clause: "or anything | I just"."""


def clauses(words: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """First and last word (inclusive) of each clause, in order, covering all words."""
    starts = [0, *(at for at in range(1, len(words)) if _begins_clause(words, at))]
    ends = [*(start - 1 for start in starts[1:]), len(words) - 1]
    return tuple(zip(starts, ends, strict=True)) if words else ()


def _begins_clause(words: Sequence[str], at: int) -> bool:
    word, before = words[at], words[at - 1]
    if word in _CONNECTIVES:
        return not (word == "so" and _of_degree(words, at)) and not (word == "only" and before == "not")
    if word == "to":
        return before not in _TAKES_INFINITIVE and tuple(words[at + 1 : at + 3]) in _PURPOSES
    if word in INTERJECTIONS:
        return word not in {"right", "well", "alright"} or before not in {
            "the",
            "my",
            "your",
            "as",
            "very",
            "feel",
            "could",
            "may",
            "might",
            "quite",
            "pretty",
            "not",
        }
    if word in {"and", "or"}:
        return at + 1 < len(words) and (words[at + 1] in _CONDITIONS or _new_subject(words, at + 1))
    if before in {"and", "or"} or before in _CONNECTIVES:
        return False
    return _new_subject(words, at)


def _of_degree(words: Sequence[str], at: int) -> bool:
    """Whether a "so" is no connective: "not so bad", "I think so", "wasn't so much"."""
    return words[at - 1] in {"not", "think"} or (
        words[at + 1 : at + 2] == ("much",) and words[at - 1].endswith("n't")
    )


def _new_subject(words: Sequence[str], at: int) -> bool:
    if words[at] not in SUBJECTS or (at and words[at - 1] in _TAKES_CLAUSE and not _extends(words, at - 1)):
        return False
    if words[at] == "you" and _is_object(words, at):
        return False
    if words[at] in {"my", "the", "it"}:
        return _has_verb(words, at)
    return True


def _has_verb(words: Sequence[str], at: int) -> bool:
    """Whether a verb follows soon, and before another subject: "the pain is", not "the tablets they were"."""
    for word in words[at + 1 : at + _VERB_REACH]:
        if word in _VERBS:
            return True
        if word in SUBJECTS:
            return False
    return False


def _is_object(words: Sequence[str], at: int) -> bool:
    """Whether a "you" is no subject: "start you on", "give you heartburn"."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return not after or after in _AFTER_OBJECT or words[at - 1] in _BEFORE_OBJECT


def _extends(words: Sequence[str], at: int) -> bool:
    """Whether a list trails off at a word: "or anything", "and stuff"."""
    return words[at] in _EXTENDERS and at > 0 and words[at - 1] in {"and", "or"}
