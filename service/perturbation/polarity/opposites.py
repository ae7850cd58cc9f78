"""Words of English that carry yes and no, each with its opposite."""

AFFIRMING = frozenset({"yes", "yeah", "yep", "yup", "yea"})
DENYING = frozenset({"no", "nope", "nah"})

_AUXILIARIES = "do does did have has had is are was were can could will would should".split()
_IRREGULAR = {"can": "can't", "will": "won't"}

NEGATIVE_OF = {word: _IRREGULAR.get(word, f"{word}n't") for word in _AUXILIARIES}
"""Auxiliary to its negative: "have" to "haven't"."""

POSITIVE_OF = {negative: word for word, negative in NEGATIVE_OF.items()} | {"cannot": "can"}
POSITIVE_OF |= {negative.replace("'", ""): word for negative, word in POSITIVE_OF.items()}
"""The reverse, also as recognisers spell it that write no apostrophe."""

OPPOSITES = {"nothing": "something", "nobody": "somebody", "without": "with", "noone": "someone"}
"""Words that deny by themselves, and what they become."""

NOT_IDIOMS = frozenset(
    "sure only just necessarily certain because so too that to until even much exactly quite long yet if".split()
)
"""After "not" they make no plain denial: "not only", "not that I know of"."""

BEFORE_NOT_IDIOMS = frozenset("or if why whether maybe hopefully".split())
"""Before "not" likewise: "or not", "why not"."""

NO_IDIOMS = frozenset("problem problems worries idea doubt wonder longer matter better need thanks".split())
"""After "no" likewise: "no problem"."""

DO_IDIOMS = frozenset("know mind worry remember understand forget care".split())
"""After "don't" likewise: "I don't know"."""

WITH_DO = frozenset(
    "have get feel take smoke drink need want think eat sleep suffer notice cough bleed itch".split()
)
"""Verbs in the form that follows "I" and "I don't" alike."""

PARTICIPLES = frozenset(
    "had been got noticed taken tried felt seen lost started stopped changed used vomited fainted coughed "
    "fallen eaten gained".split()
)
"""What follows a perfect "have": "I've had", "I haven't noticed"."""
