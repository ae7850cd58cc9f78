import bz2
import pickle
from pathlib import Path

import pytest

from models.errors import ModelUnavailable
from models.lexicon import Lexicon, load_lexicon
from models.lexicon.build import build_lexicon
from models.lexicon.drug_names import read_drug_names
from models.lexicon.lexicon import LEXICON_FILE
from models.progress import silent
from tests.models.lexicon.sources import write_sources


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lexicon")
    sources = tmp_path_factory.mktemp("sources")
    build_lexicon(write_sources(sources), folder, silent)
    return folder


@pytest.fixture(scope="module")
def lexicon(built: Path) -> Lexicon:
    return load_lexicon(built)


def test_the_same_sources_give_the_same_bytes(built: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    build_lexicon(write_sources(tmp_path), tmp_path / "out", silent)

    assert (tmp_path / "out" / LEXICON_FILE).read_bytes() == (built / LEXICON_FILE).read_bytes()


def test_it_names_its_sources_their_licences_and_the_newest_date(lexicon: Lexicon) -> None:
    assert lexicon.date == max(source["released"] for source in lexicon.sources)
    assert all(source["name"] and source["licence"] for source in lexicon.sources)


@pytest.mark.parametrize(
    ("term", "category"),
    [
        ("salbutamol", "drug"),
        ("ventolin hfa", "drug"),
        ("lead", None),
        ("obscurolate", None),
        ("rough breathing", "symptom"),
        ("rough head", "condition"),
        ("breathing pain", "condition"),
        ("other pain", None),
        ("rough plane", None),
        ("waterworks", "symptom"),
        ("twice a day", "form"),
    ],
)
def test_terms_are_those_that_people_say(lexicon: Lexicon, term: str, category: str | None) -> None:
    assert lexicon.category(term) == category


def test_only_unmistakable_spoken_terms_are_suggested(lexicon: Lexicon) -> None:
    suggested = set(lexicon.suggested)

    assert {"nausea", "ibuprofen", "headaches"} <= suggested
    assert suggested.isdisjoint({"cold", "back", "twice a day", "rough head", "ventolin hfa"})


def test_a_drug_dictionary_that_would_run_code_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "drugs"
    path.write_bytes(bz2.compress(pickle.dumps({"drug_canonical_to_data": print})))

    with pytest.raises(pickle.UnpicklingError, match="plain data"):
        read_drug_names(path)


def test_a_missing_or_foreign_lexicon_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="auscult models build"):
        load_lexicon(tmp_path)
    (tmp_path / LEXICON_FILE).write_text('{"format": 0, "terms": {}}')
    with pytest.raises(ModelUnavailable, match="another version"):
        load_lexicon(tmp_path)
    (tmp_path / LEXICON_FILE).write_text("{")
    with pytest.raises(ModelUnavailable, match="damaged"):
        load_lexicon(tmp_path)
