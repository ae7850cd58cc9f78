"""Every link of every document leads somewhere: files exist, anchors are headings."""

from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.docs.markdown import ROOT, Link, anchors, documents, links, prose

RELATIVE = [link for link in links() if "://" not in link.target and not link.target.startswith("mailto:")]


def test_documents_are_found() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in documents()}
    assert {
        "README.md",
        "docs/signals.md",
        "docs/decisions/0000-record-decisions.md",
        "helm/README.md",
    } <= found
    assert len(RELATIVE) > 100


@pytest.mark.parametrize("link", RELATIVE, ids=str)
def test_a_link_leads_somewhere(link: Link) -> None:
    path, _, anchor = link.target.partition("#")
    target = (link.file.parent / unquote(path)).resolve() if path else link.file
    assert target.is_relative_to(ROOT.resolve()), "leads out of the repository"
    assert target.exists()
    if anchor:
        assert anchor in anchors(target)


def test_links_elsewhere_are_encrypted() -> None:
    assert [str(link) for link in links() if link.target.startswith("http://")] == []


def test_the_readme_leads_to_every_document() -> None:
    named = {
        (link.file.parent / link.target.partition("#")[0]).resolve()
        for link in links()
        if link.file == ROOT / "README.md"
    }
    assert {path.name for path in (ROOT / "docs").glob("*.md") if path.resolve() not in named} == set()


@pytest.mark.parametrize("path", documents(), ids=lambda path: Path(path).relative_to(ROOT).as_posix())
def test_a_document_begins_with_its_title(path: Path) -> None:
    assert prose(path).startswith("# ")
