"""What every error type promises, checked of every type that the package holds."""

import importlib
import inspect
import pkgutil
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import service.perturbation
from service.dialogue.tokens import tokenise
from service.dialogue.wording import wording
from service.perturbation.base import ErrorType, Original
from service.perturbation.registry import ERROR_NAMES
from tests.service.perturbation.consultations import LEXICON, TYPES, call, injector, original

TEXTS = (
    "No, I haven't had any fever.",
    "Yes, I have. I had a chest infection two years ago.",
    "I take amlodipine, 5 mg twice a day, and I have eczema.",
    "my rash is itchy and it's been about three days now",
    "I'm not on amlodipine, and the, the headache's gone.",
)
WORDS = st.sampled_from(
    "no yes not never don't haven't any I i'm it's have had a the amlodipine eczema itchy rash's headache 5 1,000 mg "
    "three days ago twice a day for about um , . ? ! - \u2019 \u0416 \U0001f600 \x00 two' at all anymore".split(
        " "
    )
)
ODD = st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=14).map(" ".join))

each_type = pytest.mark.parametrize("error", TYPES.values(), ids=lambda error: error.name)


def alterations(error: ErrorType, text: str, seeds: int = 20) -> set[str]:
    found = (error.alter(original(text), Random(seed)) for seed in range(seeds))
    return {altered for altered in found if altered is not None}


def test_every_error_type_in_the_package_is_in_use() -> None:
    found = {
        member
        for module in pkgutil.iter_modules(service.perturbation.__path__)
        for _, member in inspect.getmembers(
            importlib.import_module(f"service.perturbation.{module.name}"), inspect.isclass
        )
        if member.__module__ == f"service.perturbation.{module.name}"
        and hasattr(member, "alter")
        and member is not ErrorType
    }

    assert found == {type(error) for error in TYPES.values()}
    assert tuple(TYPES) == ERROR_NAMES


@each_type
def test_it_is_documented(error: ErrorType) -> None:
    assert inspect.getdoc(type(error))
    assert inspect.getdoc(type(error).alter)
    module = inspect.getmodule(type(error))
    assert module is not None
    assert module.__doc__
    assert error.name in module.__doc__


@each_type
def test_it_finds_something_to_falsify_and_the_text_is_then_another(error: ErrorType) -> None:
    assert any(alterations(error, text) for text in TEXTS)
    assert all(text not in alterations(error, text) for text in TEXTS)


@each_type
def test_the_same_chance_gives_the_same_error(error: ErrorType) -> None:
    for text in TEXTS:
        assert error.alter(original(text), Random(3)) == error.alter(original(text), Random(3))


@each_type
def test_it_leaves_what_is_no_error_of_its_kind(error: ErrorType) -> None:
    assert alterations(error, "Lovely weather we are having.") == set()


@each_type
@settings(max_examples=60, deadline=None)
@given(text=ODD, seed=st.integers(0, 9))
def test_no_text_is_too_odd(error: ErrorType, text: str, seed: int) -> None:
    tokens = tokenise(text)
    spoken = tuple(token for token in tokens if not token.filler)
    odd = Original(text=text, tokens=spoken, said=wording(tokens), answers=True)

    altered = error.alter(odd, Random(seed))

    assert altered is None or altered != text


@each_type
def test_it_works_on_text_without_punctuation_too(error: ErrorType) -> None:
    bare = [text.lower().translate(str.maketrans("", "", ",.")) for text in TEXTS]

    assert any(alterations(error, text) for text in bare)
    assert all(altered == altered.lower() for text in bare for altered in alterations(error, text))


@each_type
def test_transcript_words_are_not_shown_in_a_repr(error: ErrorType) -> None:
    found = injector(error.name).one_per_copy(call(), per_type=3)

    assert found
    shown = repr(found) + repr(original("an itchy rash")) + repr(call())
    assert not any(word in shown for word in ("itchy", "amlodipine", "fever", "kept"))


@each_type
def test_a_lexicon_without_a_term_is_no_failure(error: ErrorType) -> None:
    empty = type(LEXICON)(
        {
            "date": "",
            "sources": [],
            "suggested": [],
            "terms": {},
            "sounds": {},
            "commonness": {},
            "confusable": [],
        }
    )
    bare = service.perturbation.registry.error_types(empty)[error.name]

    for text in TEXTS:
        altered = bare.alter(original(text), Random(0))
        assert altered is None or altered != text
