from service.repair.validity import entities_in
from tests.service.repair.small_lexicon import LEXICON


def test_validity_is_the_share_of_known_terms() -> None:
    entities = entities_in("hydroxyzine and zorbicillin for the pain".split(), LEXICON)

    assert [mention.term for mention in entities.known] == ["hydroxyzine", "pain"]
    assert entities.unknown == (2,)
    assert entities.validity == 2 / 3


def test_without_entities_there_is_no_validity() -> None:
    assert entities_in(["the", "test"], LEXICON).validity is None
    assert entities_in([], LEXICON).validity is None
