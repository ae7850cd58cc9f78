"""`auscult evaluate`: how well risk, signals and flags find what is known to be wrong; a report with plots."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.commands.failures import plain_failures
from service.commands.label_options import CallsFolder, ImpactFile, InjectedFile, refuse_injected_alone

if TYPE_CHECKING:
    from service.calibration.calibrate import LabelSources
    from service.evaluation.labels import Labels
    from service.evaluation.measured import Measured
    from service.settings import Settings

ReportFolder = Annotated[Path, typer.Option("--output", "-o", help="Folder of the report.")]
MeasuredFile = Annotated[
    Path | None,
    typer.Option(
        "--measured", help="Keeps what was measured here, so that the next report need not measure."
    ),
]
RiskModelFile = Annotated[
    Path | None, typer.Option("--risk-model", help="Risk weights to evaluate instead of fitting them.")
]
Fit = Annotated[
    bool,
    typer.Option(
        "--fit/--no-fit",
        help="Fit the weights without each call in turn, or evaluate those in use as they are.",
    ),
]
Bare = Annotated[bool, typer.Option("--bare", help="Evaluate the text in lower case without punctuation.")]
Day = Annotated[
    datetime | None,
    typer.Option("--date", formats=["%Y-%m-%d"], help="Printed in the report; none if not given."),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]

_NEEDED = ("jiwer", "matplotlib")


def evaluate(
    output: ReportFolder,
    impact: ImpactFile = None,
    calls: CallsFolder = None,
    injected: InjectedFile = None,
    measured_file: MeasuredFile = None,
    risk_model: RiskModelFile = None,
    fit: Fit = True,
    bare: Bare = False,
    day: Day = None,
    config: ConfigFile = None,
) -> None:
    """Evaluates risk, signals and flags on labelled and recorded calls, and writes a report.

    Weights are fitted without each call in turn, and its figures are made with those. The same input gives the
    same report to the digit.
    """
    if impact is None and calls is None:
        raise typer.BadParameter("give --impact, --calls or both")
    refuse_injected_alone(injected, calls)
    missing = [name for name in _NEEDED if not _installed(name)]
    if missing:
        raise typer.BadParameter(f"the report needs {' and '.join(missing)}: pip install 'auscult[evaluate]'")
    from service.calibration.calibrate import LabelSources
    from service.evaluation.evaluate import evaluate as figures_of
    from service.evaluation.folds import leave_one_call_out, same_for_all
    from service.evaluation.labels import read_labels
    from service.evaluation.report import write_report
    from service.evaluation.study import Study
    from service.logs import configure_logs
    from service.risk import load_risk_model
    from service.settings import load_settings

    with plain_failures():
        output.mkdir(parents=True, exist_ok=True)
        settings = load_settings(config)
        configure_logs(settings.logs)
        sources = LabelSources(impact, calls, injected)
        labels = read_labels(sources)
        measured = _measured(labels, sources, settings, measured_file)
        fitted = fit and risk_model is None and bool(labels.impact or labels.injected)
        if fitted:
            folds = leave_one_call_out(labels, measured)
        else:
            folds = same_for_all(load_risk_model(risk_model or settings.monitor.risk_model))
        study = Study(labels, measured, "bare" if bare else "given", folds, settings.monitor)
        figures = figures_of(study)
        write_report(output, figures, None if day is None else day.date())


def _installed(module: str) -> bool:
    try:
        import_module(module)
    except ImportError:
        return False
    return True


def _measured(
    labels: "Labels", sources: "LabelSources", settings: "Settings", kept: Path | None
) -> "Measured":
    """What was measured before with the same labels, settings, models and code, or else is measured now."""
    from service.evaluation.fingerprint import fingerprint
    from service.evaluation.measured_file import read_measured, write_measured

    if kept is None:
        return _measure(labels, settings)
    identity = fingerprint(settings, sources)
    existed = kept.exists()
    measured = read_measured(kept, identity)
    if measured is None:
        if existed:
            typer.echo(
                f"{kept} was measured with other labels, settings, models or code: measuring anew", err=True
            )
        measured = _measure(labels, settings)
        write_measured(kept, measured, identity)
    return measured


def _measure(labels: "Labels", settings: "Settings") -> "Measured":
    from service.composition import build_monitor
    from service.evaluation.measured import measure_all, work
    from service.evaluation.signal_record import SignalRecord

    record = SignalRecord()
    monitor = build_monitor(settings, prepare=record.of)
    with _progress(work(labels)) as progress:
        return measure_all(labels, monitor, record, progress)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """Counts stretches and calls on standard error when that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("measure", total=total)
        yield lambda done: bar.advance(task, done)
