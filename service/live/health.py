"""Whether the service is alive and whether it is ready, as probes ask."""

from dataclasses import dataclass
from typing import Any

from aiokafka import AIOKafkaConsumer

from service.live.ownership import Ownership


@dataclass(slots=True)
class Health:
    """What the probes look at.

    Attributes:
        ownership: Which partitions are read.
        stalled_seconds: Without a poll for this long the service is not alive.
        consumer: Once it is connected.
        stopping: Whether the service is going down.
    """

    ownership: Ownership
    stalled_seconds: float
    consumer: AIOKafkaConsumer | None = None
    stopping: bool = False

    @property
    def idle_seconds(self) -> float:
        """How long ago the consumer was last asked for records; 0 while it is being asked or before it is there."""
        if self.consumer is None:
            return 0.0
        # What the client's own max_poll_interval looks at; it has no public name.
        return float(self.consumer._subscription.fetcher_idle_time)

    def live(self) -> tuple[bool, dict[str, Any]]:
        """Whether polls go on, and by what that is judged."""
        idle = self.idle_seconds
        return idle < self.stalled_seconds, {"seconds_since_poll": round(idle, 3)}

    def ready(self) -> tuple[bool, dict[str, Any]]:
        """Whether segments are assessed here, and by what that is judged. Models were warm before this existed."""
        live, reasons = self.live()
        assigned = len(self.ownership.partitions)
        ready = live and assigned > 0 and not self.stopping
        return ready, {**reasons, "assigned_partitions": assigned, "stopping": self.stopping}
