"""Terms, and subjects with their place in the body."""

from service.dialogue.mentions import mentions_in
from service.dialogue.spoken_terms import spoken_terms
from service.dialogue.terms import FirstMatcher, PhraseMatcher

MATCHER = spoken_terms()


def subjects(text: str) -> list[str]:
    return [mention.subject for mention in mentions_in(tuple(text.split()), MATCHER)]


def test_the_longest_phrase_stands() -> None:
    matcher = PhraseMatcher({"hay": ("topic", "hay"), "hay fever": ("condition", "hay fever")})

    assert [term.canonical for term in matcher.match(("hay", "fever", "hay"))] == ["hay fever", "hay"]


def test_an_earlier_matcher_stands_where_terms_overlap() -> None:
    matcher = FirstMatcher(
        (
            PhraseMatcher({"fever": ("symptom", "fever")}),
            PhraseMatcher({"hay fever": ("condition", "hay fever")}),
        )
    )

    assert [term.canonical for term in matcher.match(("hay", "fever"))] == ["fever"]


def test_all_forms_have_one_name() -> None:
    assert subjects("i was throwing up and then i vomited") == ["vomiting", "vomiting"]
    assert subjects("short of breath with breathlessness") == ["breathlessness", "breathlessness"]


def test_a_place_is_part_of_the_subject_whichever_way_it_is_said() -> None:
    assert (
        subjects("chest pain")
        == subjects("a pain in my chest")
        == subjects("pain in your chest")
        == ["chest pain"]
    )
    assert subjects("swelling in both my ankles") == ["ankle swelling"]
    assert subjects("tummy ache") == subjects("pain in the lower abdomen") == ["abdomen pain"]


def test_a_symptom_without_a_place_is_wide_and_a_special_case_is_narrowed() -> None:
    (wide,) = mentions_in(("i", "have", "pain"), MATCHER)
    (placed,) = mentions_in(("chest", "pain"), MATCHER)
    (narrowed,) = mentions_in(("other", "allergies"), MATCHER)

    assert (wide.wide, placed.wide) == (True, False)
    assert narrowed.narrowed
    assert not placed.narrowed
