"""`auscult perturb`: puts recognition errors of known kinds into clean transcripts."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from service.perturbation.plan import Injection, Injector
    from service.perturbation.registry import ErrorName
    from service.perturbation.transcripts import RecordedCall
    from service.scoring import UnreadableLine
    from service.settings import Settings
    from streams.decoding import Limits
    from streams.messages import Speaker

InputPath = Annotated[
    Path | None,
    typer.Option(
        "--input", "-i", help="Segments, JSON Lines; or a folder of such files. Default: standard input."
    ),
]
ManifestFile = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="What was changed, JSON Lines. Default: standard output."),
]
CopiesFolder = Annotated[
    Path | None,
    typer.Option("--calls", help="Writes the altered calls to this folder, which must be empty or new."),
]
Types = Annotated[
    str | None,
    typer.Option("--types", help="Error types, comma-separated. Default: all six."),
]
PerType = Annotated[int, typer.Option("--per-type", min=1, help="Errors of each type in each call.")]
Rate = Annotated[
    float | None,
    typer.Option(
        "--rate",
        min=0.0,
        max=1.0,
        help="Share of the segments that get an error, all in one copy of the call, instead of --per-type.",
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same errors on every machine.")]
Whose = Annotated[
    Literal["patient", "clinician", "agent", "unknown", "any"],
    typer.Option("--speaker", help="Whose segments get errors."),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]


def perturb(
    input_path: InputPath = None,
    output_file: ManifestFile = None,
    calls_folder: CopiesFolder = None,
    types: Types = None,
    per_type: PerType = 3,
    rate: Rate = None,
    seed: Seed = 0,
    speaker: Whose = "patient",
    config: ConfigFile = None,
) -> None:
    """Reads transcripts and writes a list of realistic errors in them, and with --calls the altered calls.

    Each error stands in a copy of its call alone, or with --rate beside others in one copy. A line that is no
    segment is reported on standard error by its number, and the exit status is 1.
    """
    from service.commands.failures import plain_failures
    from service.logs import configure_logs
    from service.perturbation.copies import open_folder, write_copy
    from service.perturbation.manifest import encode_injection
    from service.settings import load_settings

    names = _names(types)
    with plain_failures(), ExitStack() as files:
        settings = load_settings(config)
        configure_logs(settings.logs)
        injector = _injector(settings, names, seed, None if speaker == "any" else speaker)
        calls, unreadable = _read(input_path, settings.limits.decoding())
        folder = None if calls_folder is None else open_folder(calls_folder)
        # Opened last: what cannot begin leaves an earlier manifest as it is.
        manifest = files.enter_context(output_file.open("wb")) if output_file else sys.stdout.buffer
        counts: Counter[str] = Counter()
        for call in calls:
            for copy, errors in _copies(injector, call, per_type, rate):
                manifest.writelines(encode_injection(error) + b"\n" for error in errors)
                if folder is not None:
                    write_copy(folder, call, errors, copy)
                counts.update(error.type for error in errors)
        manifest.flush()
        for name in names:
            typer.echo(f"{name}: {counts[name]} in {len(calls)} calls", err=True)
    if unreadable:
        raise typer.Exit(1)


def _names(types: str | None) -> "tuple[ErrorName, ...]":
    from service.perturbation.registry import ERROR_NAMES

    if types is None:
        return ERROR_NAMES
    asked = [name.strip() for name in types.split(",")]
    chosen = tuple(name for name in ERROR_NAMES if name in asked)
    if len(chosen) < len(asked):
        raise typer.BadParameter(f"--types: of {', '.join(ERROR_NAMES)}, each once")
    return chosen


def _injector(
    settings: "Settings", names: "Sequence[ErrorName]", seed: int, speaker: "Speaker | None"
) -> "Injector":
    from models.lexicon import load_lexicon
    from service.composition import clinical_terms, model_store
    from service.perturbation.plan import Injector
    from service.perturbation.registry import error_types

    lexicon = load_lexicon(model_store(settings.models).path(settings.models.lexicon))
    every = error_types(lexicon)
    return Injector([every[name] for name in names], clinical_terms(lexicon), seed=seed, speaker=speaker)


def _read(path: Path | None, limits: "Limits") -> "tuple[list[RecordedCall], int]":
    """The calls of a file, of all files of a folder or of standard input, and how many lines are no segment."""
    from service.errors import AuscultError
    from service.perturbation.transcripts import read_calls

    lines: list[bytes] = []
    places: list[str] = []
    for name, source in _sources(path):
        lines += source
        places += (f"{name}line {number}" for number in range(1, len(source) + 1))
    unreadable = 0

    def report(line: "UnreadableLine") -> None:
        nonlocal unreadable
        unreadable += 1
        typer.echo(
            f"{places[line.number - 1]}: {line.kind}{f' at {line.place}' if line.place else ''}", err=True
        )

    calls = read_calls(lines, limits, report)
    if path is not None and path.is_dir() and not lines:
        raise AuscultError(f"{path}: no recorded calls (*.jsonl)")
    return calls, unreadable


def _sources(path: Path | None) -> Iterator[tuple[str, list[bytes]]]:
    """Each file's name, as it stands before a line's number, and its lines."""
    if path is None:
        yield "", sys.stdin.buffer.readlines()
    elif path.is_dir():
        for file in sorted(path.glob("*.jsonl")):
            yield f"{file}, ", file.read_bytes().splitlines()
    else:
        yield "", path.read_bytes().splitlines()


def _copies(
    injector: "Injector", call: "RecordedCall", per_type: int, rate: float | None
) -> "Iterator[tuple[str, list[Injection]]]":
    """Each copy's call id and its errors."""
    if rate is not None:
        yield call.call_id, injector.at_rate(call, rate)
    else:
        yield from ((error.id, [error]) for error in injector.one_per_copy(call, per_type))
