"""The broker's jars: resolved once by Maven, checked against pinned hashes, kept in the user's cache folder."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from filelock import FileLock

_HERE: Final = Path(__file__).parent
_POM: Final = _HERE / "pom.xml"
_PINNED: Final = _HERE / "jars.sha512"
DOWNLOAD_SECONDS: Final = 600


class KafkaUnavailable(Exception):
    """There is no Apache Kafka to be had here. Says what is missing."""


def kafka_jars() -> Path:
    """The folder of jars; downloads them if they are not there yet.

    Raises:
        KafkaUnavailable: Maven is absent or could not download, or a jar is not the pinned one.
    """
    folder = _cache() / hashlib.sha256(_POM.read_bytes()).hexdigest()[:16]
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{folder}.lock"):
        if not folder.is_dir():
            _download(folder)
    return folder


def java() -> str:
    """The Java that runs the broker.

    Raises:
        KafkaUnavailable: there is none.
    """
    found = shutil.which("java")
    if found is None:
        raise KafkaUnavailable("no Java on the path (Apache Kafka needs 17 or newer)")
    return found


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "auscult" / "apache-kafka"


def _download(folder: Path) -> None:
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    _resolve(partial)
    if _sums(partial) != _PINNED.read_text():
        raise KafkaUnavailable(f"what Maven downloaded into {partial} is not what {_PINNED.name} pins")
    partial.rename(folder)


def _resolve(folder: Path) -> None:
    maven = shutil.which("mvn")
    if maven is None:
        raise KafkaUnavailable("no Maven on the path, to download Apache Kafka with")
    command = [maven, "--batch-mode", "--quiet", "--strict-checksums", "--file", str(_POM)]
    command += ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=DOWNLOAD_SECONDS)  # noqa: S603
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise KafkaUnavailable(f"Maven could not download Apache Kafka ({type(error).__name__})") from None


def _sums(folder: Path) -> str:
    """Hash and name of each jar, a line each, in the form of `sha512sum`."""
    jars = sorted(folder.glob("*.jar"))
    return "".join(f"{hashlib.sha512(jar.read_bytes()).hexdigest()}  {jar.name}\n" for jar in jars)


def main() -> None:
    """Resolves the jars and prints their hashes."""
    folder = _cache() / "unpinned"
    _resolve(folder)
    sys.stdout.write(_sums(folder))
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
