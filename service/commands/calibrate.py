"""`auscult calibrate`: fits the risk model to labelled segments."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from service.commands.failures import plain_failures
from service.commands.label_options import CallsFolder, ImpactFile, InjectedFile, refuse_injected_alone

if TYPE_CHECKING:
    from service.risk import RiskWeights

Weights = Annotated[Path | None, typer.Option("--output", "-o", help="Writes the weights here.")]
Folds = Annotated[
    Path | None,
    typer.Option(
        "--leave-one-call-out", help="Writes CALL.json to this folder for each call, fitted without it."
    ),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="Settings, a TOML file.")]


def calibrate(
    impact: ImpactFile = None,
    calls: CallsFolder = None,
    injected: InjectedFile = None,
    output: Weights = None,
    leave_one_call_out: Folds = None,
    config: ConfigFile = None,
) -> None:
    """Fits the risk model's weights to labelled segments and writes them as readable JSON."""
    from service.calibration.calibrate import LabelSources, fit, measure
    from service.composition import build_monitor
    from service.logs import configure_logs
    from service.settings import load_settings

    if output is None and leave_one_call_out is None:
        raise typer.BadParameter("give --output, --leave-one-call-out or both")
    if impact is None and injected is None:
        raise typer.BadParameter("give --impact, or --injected with --calls, or all three")
    refuse_injected_alone(injected, calls)
    with plain_failures():
        if leave_one_call_out is not None:
            leave_one_call_out.mkdir(parents=True, exist_ok=True)
        if output is not None:
            output.parent.mkdir(parents=True, exist_ok=True)
        settings = load_settings(config)
        configure_logs(settings.logs)
        examples = measure(LabelSources(impact, calls, injected), build_monitor(settings))
        today = datetime.now(UTC).date()
        if output is not None:
            _write(output, fit(examples, today))
        if leave_one_call_out is not None:
            for call in sorted({example.call_id for example in examples}):
                _write(leave_one_call_out / f"{call}.json", fit(examples, today, without_call=call))


def _write(path: Path, weights: "RiskWeights") -> None:
    path.write_text(weights.model_dump_json(indent=2) + "\n", encoding="utf-8")
