"""One fault a file. Each case plays on a stage of its own and says what came of it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from benchmarks.faults.cases.broker_away import broker_killed, broker_stopped
from benchmarks.faults.cases.disorder import duplicates_and_disorder
from benchmarks.faults.cases.failing_model import failing_model
from benchmarks.faults.cases.frozen import frozen
from benchmarks.faults.cases.killed import killed_mid_batch
from benchmarks.faults.cases.mutated import mutated_payloads
from benchmarks.faults.cases.real_models import real_models
from benchmarks.faults.cases.scaling import scaled
from benchmarks.faults.cases.slow_inference import rebalanced_while_slow
from benchmarks.faults.cases.state_lost import state_lost
from benchmarks.faults.outcome import Outcome
from benchmarks.faults.stage import Stage

CASES: Final[Mapping[str, Callable[[Stage], Awaitable[Outcome]]]] = {
    "killed-mid-batch": killed_mid_batch,
    "scaled": scaled,
    "frozen": frozen,
    "broker-stopped": broker_stopped,
    "broker-killed": broker_killed,
    "rebalanced-while-slow": rebalanced_while_slow,
    "duplicates-and-disorder": duplicates_and_disorder,
    "mutated-payloads": mutated_payloads,
    "failing-model": failing_model,
    "state-lost": state_lost,
    "real-models": real_models,
}
