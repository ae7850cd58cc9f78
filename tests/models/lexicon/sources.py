"""Tiny sources of a lexicon, as their packages lay them out, for tests."""

import bz2
import pickle
from pathlib import Path

PRONUNCIATIONS = """\
'bout B AW1 T
chest CH EH1 S T
eggs EH1 G Z
head HH EH1 D
headaches HH EH1 D EY2 K S # place, spoken
nausea N AO1 Z IY0 AH0
nausea(2) N AO1 ZH AH0
pain P EY1 N
plane P L EY1 N
test T EH1 S T
"""
FREQUENCIES = (
    "\ufeffhead 113000000\nlead 90000000\npain 42000000\nplane 30000000\nrough 9000000\nbreathing 5000000\n"
)
PHENOTYPES = """\
format-version: 1.2
name: not a term

[Term]
id: HP:1
name: Pain
synonym: "Rough breathing" EXACT layperson []
synonym: "Dyspnea of catalogues" EXACT []

[Typedef]
name: breathing
"""
CONDITIONS = """\
<ICD10CM.tabular><chapter><section>
<diag><name>J45</name><desc>Rough head</desc><inclusionTerm><note>Breathing pain (acute)</note></inclusionTerm>
<diag><name>J45.0</name><desc>Other pain</desc></diag></diag>
<diag><name>W19</name><desc>Rough plane</desc></diag>
</section></chapter></ICD10CM.tabular>
"""
DRUGS = {
    "drug_variant_to_canonical": {
        "salbutamol": ["salbutamol"],
        "ventolin hfa": ["salbutamol"],
        "lead": ["lead"],
        "obscurolate": ["obscurolate"],
        "2-aminobutane": ["salbutamol"],
    },
    "drug_canonical_to_data": {
        "salbutamol": {"nhs_url": "https://example.org"},
        "lead": {"drugbank_id": "DB"},
        "obscurolate": {"mesh_id": "D"},
    },
}


def write_sources(folder: Path) -> dict[str, Path]:
    """Writes the sources into a folder; their paths by role."""
    texts = {
        "pronunciations": PRONUNCIATIONS,
        "word_frequencies": FREQUENCIES,
        "phenotypes": PHENOTYPES,
        "conditions": CONDITIONS,
    }
    paths = {role: folder / role for role in (*texts, "drug_names")}
    for role, text in texts.items():
        paths[role].write_text(text, encoding="utf-8")
    paths["drug_names"].write_bytes(bz2.compress(pickle.dumps(DRUGS)))
    return paths
