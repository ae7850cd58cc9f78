"""The look at what would be in the image: it finds what should not be there, and says what is large."""

from pathlib import Path

import pytest

from deploy.image_check import ImageWrong, Sizes, check, report


def site_packages(folder: Path) -> Path:
    packages = folder / "opt/venv/lib/python3.11/site-packages"
    packages.mkdir(parents=True)
    return packages


@pytest.mark.parametrize("unwanted", ["torch", "pip", "pip-25.1.dist-info", "onnx", "pytest-8.3.0.dist-info"])
def test_what_builds_or_tests_is_refused(tmp_path: Path, unwanted: str) -> None:
    (site_packages(tmp_path) / unwanted).mkdir()
    with pytest.raises(ImageWrong, match=r"in site-packages: \w+"):
        check(tmp_path, "cpu")


def test_a_service_that_does_not_run_is_noticed(tmp_path: Path) -> None:
    (site_packages(tmp_path) / "onnxruntime").mkdir()
    auscult = tmp_path / "opt/venv/bin/auscult"
    auscult.parent.mkdir()
    auscult.write_text("#!/bin/sh\necho no model >&2\nexit 2\n")
    auscult.chmod(0o755)
    with pytest.raises(ImageWrong, match="models verify: no model"):
        check(tmp_path, "cpu")


def test_sizes_are_told_in_all_and_one_by_one() -> None:
    lines = list(report(Sizes({"numpy": 40_000_000, "rich": 2_000_000}, {"lexicon": 3_400_000})))
    assert lines == [
        "site-packages: 42 MB",
        "     40.0 MB  numpy",
        "      2.0 MB  rich",
        "models: 3 MB",
        "      3.4 MB  lexicon",
    ]
