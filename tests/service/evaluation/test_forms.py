from dataclasses import replace

import pytest

from service.evaluation.forms import bare_text, item_in, segments_in
from streams.messages import Word
from tests.service.evaluation.studies import StudyBuilder, measured, said


@pytest.mark.parametrize(
    ("given", "bare"),
    [
        ("No, I don't. Not since 2019!", "no i don't not since 2019"),
        ("  Um ...  50 mg, twice-daily ", "um 50 mg twice daily"),
        ("A snake_case word", "a snake case word"),
        ("Señora Peña's tea", "señora peña's tea"),
        ("...", ""),
    ],
)
def test_bare_text_is_lower_case_without_punctuation(given: str, bare: str) -> None:
    assert bare_text(given) == bare
    assert bare_text(bare) == bare


def test_recognised_words_are_bare_as_well() -> None:
    segment = replace(said("visit", 0, "Well, no."), words=(Word("Well,", 0.0, 0.4), Word("—"), Word("no.")))

    (bare,) = segments_in("bare", [segment])

    assert (bare.text, [word.text for word in bare.words]) == ("well no", ["well", "no"])
    assert segments_in("given", [segment]) == (segment,)


def test_a_stretch_is_bare_with_what_follows_it() -> None:
    builder = StudyBuilder()
    builder.label("visit", 2, measured(1, 0.0), hypothesis="No, sir.")
    item = replace(builder.impact[0], after=(said("visit", 2, "Right."),))

    bare = item_in("bare", item)

    assert [one.text for one in (*bare.segments, *bare.after)] == ["i sleep well", "no sir", "right"]
