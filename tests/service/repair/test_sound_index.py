import os
from pathlib import Path

import pytest

from models.lexicon import Lexicon, load_lexicon
from models.store import open_store
from service.repair.consultation_words import shipped_consultation_words
from service.repair.settings import RepairSettings
from service.repair.sound_index import Likeness, SoundIndex


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """The shipped lexicon, in the user's own store: built on first use, then kept."""
    root = os.environ.get("AUSCULT_MODELS__STORE")
    store = open_store(Path(root) if root else None)
    store.build("clinical-lexicon")
    return load_lexicon(store.path("clinical-lexicon"))


@pytest.fixture(scope="module")
def index(lexicon: Lexicon) -> SoundIndex:
    return SoundIndex(lexicon, shipped_consultation_words(lexicon), RepairSettings())


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("scrubbing", "throbbing"),
        ("met for men", "metformin"),
        ("are my prill", "ramipril"),
        ("omni prazole", "omeprazole"),
        ("sal beauty mall", "salbutamol"),
        ("penny sailing", "penicillin"),
        ("new monia", "pneumonia"),
        ("sore eye a sis", "psoriasis"),
        ("pal pit stations", "palpitations"),
        ("dire rear", "diarrhea"),
        ("breeding", "bleeding"),
        ("fee verse", "fevers"),
    ],
)
def test_a_misheard_term_is_among_the_likeliest(index: SoundIndex, heard: str, meant: str) -> None:
    (likenesses,) = index.similar([tuple(heard.split())])

    assert meant in [likeness.term for likeness in likenesses[: RepairSettings().terms_per_span]]


def test_terms_sound_like_themselves(lexicon: Lexicon, index: SoundIndex) -> None:
    short = [term for term in lexicon.suggested[::40] if len(lexicon.sounds(term.split())) <= 18]
    found = index.similar([tuple(term.split()) for term in short])

    assert all(any(one.distance == 0 for one in likenesses) for likenesses in found)


def test_words_that_sound_like_no_term_have_no_likeness(index: SoundIndex) -> None:
    assert index.similar([("gobbledygook",), ("a",), ()]) == [(), (), ()]


def test_a_later_lookup_gives_what_the_first_gave(lexicon: Lexicon) -> None:
    spans = [("head", "eggs"), ("plane",), ("head", "eggs")]
    consultations = shipped_consultation_words(lexicon)
    together = SoundIndex(lexicon, consultations, RepairSettings()).similar(spans)
    alone = SoundIndex(lexicon, consultations, RepairSettings())

    assert [alone.similar([span])[0] for span in spans] == together


def test_no_stretch_is_compared_beyond_its_length(index: SoundIndex) -> None:
    assert index.similar([("otorhinolaryngological", "hospitalisation")]) == [()]


def test_a_likeness_does_not_show_its_term() -> None:
    assert "asthma" not in repr(Likeness("asthma", 0.5, 0.1, 0.0))
