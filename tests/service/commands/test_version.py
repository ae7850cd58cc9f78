from importlib.metadata import version

from typer.testing import CliRunner

from service.commands import app


def test_the_version_is_that_of_the_distribution() -> None:
    result = CliRunner().invoke(app, ["--version"])

    assert (result.exit_code, result.stdout.strip()) == (0, version("auscult"))
