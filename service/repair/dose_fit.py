"""Whether a dose that is said fits the drug that was heard or the one that may have been meant."""

from collections.abc import Mapping, Sequence

from service.coherence.doses import implausible_doses
from service.coherence.facts import UsualDose
from service.dialogue.numbers import is_number_word


def doses_spoiled(
    words: Sequence[str], first: int, last: int, term: str, usual: Mapping[str, UsualDose]
) -> int:
    """How many doses of a line become implausible with the term in place of words `first` to `last`.

    Negative where doses that nobody takes of what was heard are usual of the term.

    Args:
        words: The line's words.
        first: The first word that is replaced.
        last: The last one (inclusive).
        term: The drug that is put in.
        usual: Usual doses by name of drug.
    """
    if not any(map(is_number_word, words)):
        return 0
    repaired = [*words[:first], *term.split(), *words[last + 1 :]]
    return len(implausible_doses(repaired, usual)) - len(implausible_doses(words, usual))
