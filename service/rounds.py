"""Runs many measurements side by side: each round, one batch per model for all that they ask.

A measurement is a generator that asks models questions (`signals/base.py`). All measurements of a poll are
advanced to their next question; equal questions are asked once; each model answers one batch; and so on until
every measurement has its finding. So a signal reads top to bottom as if it were alone, and a poll of many
calls costs each model one batch a round.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from models.interfaces import ModelFailure
from service.signals.base import Ask, Finding, Measuring, ModelName

Answerer = Callable[[Sequence[Any]], Iterable[Any]]
"""Takes a model's inputs, gives one answer each. Raises ModelFailure."""

Outcome = Finding | Exception


def run_rounds(measurings: Sequence[Measuring], answerers: Mapping[ModelName, Answerer]) -> list[Outcome]:
    """Runs every measurement to its end.

    Returns:
        One outcome each, in order: its finding, or the exception that ended it.
    """
    outcomes: list[Outcome | None] = [None] * len(measurings)
    waiting: dict[int, Ask] = {}
    for index, measuring in enumerate(measurings):
        _advance(index, measuring, None, waiting, outcomes)
    while waiting:
        asked, waiting = waiting, {}
        for index, answer in _answers(asked, answerers).items():
            _advance(index, measurings[index], answer, waiting, outcomes)
    return [outcome for outcome in outcomes if outcome is not None]


def _advance(
    index: int, measuring: Measuring, answer: Any, waiting: dict[int, Ask], outcomes: list[Outcome | None]
) -> None:
    try:
        failed = isinstance(answer, ModelFailure)
        waiting[index] = measuring.throw(answer) if failed else measuring.send(answer)
    except StopIteration as stop:
        outcomes[index] = stop.value
    except Exception as error:  # noqa: BLE001 - a signal that fails is absent; the segment is not lost
        outcomes[index] = error


def _answers(asked: Mapping[int, Ask], answerers: Mapping[ModelName, Answerer]) -> dict[int, Any]:
    answers: dict[int, Any] = {}
    for model in dict.fromkeys(ask.model for ask in asked.values()):
        indices = [index for index, ask in asked.items() if ask.model == model]
        distinct = list(dict.fromkeys(item for index in indices for item in asked[index].items))
        try:
            answerer = answerers.get(model)
            if answerer is None:
                raise ModelFailure(f"no {model} model is configured")  # noqa: TRY301 - answered like a failure
            found = dict(zip(distinct, answerer(distinct) if distinct else (), strict=True))
        except Exception as error:  # noqa: BLE001 - whatever befalls a model, the poll is not lost
            failure = error if isinstance(error, ModelFailure) else ModelFailure(type(error).__name__)
            answers.update((index, failure) for index in indices)
        else:
            answers.update((index, [found[item] for item in asked[index].items]) for index in indices)
    return dict(sorted(answers.items()))
