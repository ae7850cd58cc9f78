"""Builds the lexicon from pinned files and our own lists. The same sources give the same bytes."""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import orjson

from models.lexicon.categories import Category
from models.lexicon.conditions import read_conditions
from models.lexicon.drug_names import read_drug_names
from models.lexicon.lexicon import FORMAT, LEXICON_FILE
from models.lexicon.phenotypes import read_phenotypes
from models.lexicon.pronouncing_dictionary import read_pronunciations
from models.lexicon.pronunciation import pronounce
from models.lexicon.term_lists import confusable_pairs, everyday_words, own_terms
from models.lexicon.word_frequencies import read_word_frequencies
from models.progress import Report

SOURCES = (
    {"name": "Auscult term lists", "version": "1", "released": "2026-11-01", "licence": "Apache-2.0"},
    {
        "name": "drug-named-entity-recognition",
        "version": "2.0.9",
        "released": "2025-07-15",
        "licence": "MIT; names from DrugBank open data (CC0), MeSH and MedlinePlus",
    },
    {
        "name": "Human Phenotype Ontology",
        "version": "2026-02-16",
        "released": "2026-02-16",
        "licence": "CC-BY-4.0 (https://hpo.jax.org)",
    },
    {
        "name": "ICD-10-CM",
        "version": "April 2026",
        "released": "2026-04-01",
        "licence": "public domain (US CDC); packaged under MIT",
    },
    {
        "name": "SymSpell English word frequencies",
        "version": "6.10.1",
        "released": "2026-10-27",
        "licence": "MIT; counts from Google Books Ngrams (CC-BY-3.0) and SCOWL",
    },
    {
        "name": "CMU Pronouncing Dictionary",
        "version": "1.1.3",
        "released": "2026-01-01",
        "licence": "BSD-2-Clause (the data file's own; only that file is taken)",
    },
)
"""What the lexicon is made of; its own date is that of the newest."""

_ORDINARY_COUNT = 1_000_000
"""A drug name of a catalogue that English uses this often is an ordinary word ("lead", "patch")."""


def build_lexicon(sources: Mapping[str, Path], output_folder: Path, report: Report) -> None:
    """Writes `lexicon.json` into the output folder.

    Args:
        sources: Files by role: `drug_names`, `phenotypes`, `conditions`, `word_frequencies`, `pronunciations`.
        output_folder: An existing folder.
        report: Told how far the work has come.
    """
    report("build lexicon", 0.0)
    frequencies = read_word_frequencies(sources["word_frequencies"])
    dictionary = read_pronunciations(sources["pronunciations"])
    report("build lexicon", 0.3)
    terms = _terms(sources, frequencies)
    report("build lexicon", 0.8)
    content = _content(terms, frequencies, dictionary)
    (output_folder / LEXICON_FILE).write_bytes(orjson.dumps(content, option=orjson.OPT_SORT_KEYS))
    report("build lexicon", 1.0)


def _terms(sources: Mapping[str, Path], frequencies: Mapping[str, int]) -> dict[str, Category]:
    listed = own_terms()
    drugs = {
        name
        for name in read_drug_names(sources["drug_names"])
        if all(frequencies.get(word, 0) < _ORDINARY_COUNT for word in name.split())
    }
    phenotypes = _in_plain_english(read_phenotypes(sources["phenotypes"]), frequencies)
    conditions = _in_plain_english(read_conditions(sources["conditions"]), frequencies)
    found: dict[str, Category] = dict.fromkeys(phenotypes, "symptom")
    found |= dict.fromkeys(conditions, "condition")
    found |= dict.fromkeys(drugs, "drug")
    return found | listed


def _in_plain_english(names: Iterable[str], frequencies: Mapping[str, int]) -> set[str]:
    """Names whose words all are English words, and which are not one everyday word ("many", "growth")."""
    return {
        name
        for name in names
        if all(word in frequencies for word in name.split())
        and (" " in name or frequencies[name] < _ORDINARY_COUNT)
    }


def _content(
    terms: Mapping[str, Category], frequencies: Mapping[str, int], dictionary: Mapping[str, str]
) -> dict[str, Any]:
    own, everyday = own_terms(), everyday_words()
    pairs = confusable_pairs()
    spoken = {word for term in (*own, *(term for pair in pairs for term in pair)) for word in term.split()}
    words = {word for word in dictionary if word in frequencies or "'" in word} | spoken
    return {
        "format": FORMAT,
        "date": max(source["released"] for source in SOURCES),
        "sources": SOURCES,
        "terms": terms,
        "suggested": sorted(
            term for term, category in own.items() if category != "form" and term not in everyday
        ),
        "confusable": pairs,
        "sounds": {word: pronounce(word, dictionary) for word in words},
        "commonness": {word: round(10 * math.log10(count)) for word, count in frequencies.items()},
    }
