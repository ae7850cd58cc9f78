"""How well the language model's cache serves the calls, read from the model whenever metrics are asked for."""

from collections.abc import Callable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from models.causal.language_model import CacheUse


class CacheCollector(Collector):
    """Exports one model's `CacheUse`.

    Args:
        model: The model's id.
        use: Gives the counts as they are now. Called from the thread that serves metrics.
    """

    def __init__(self, model: str, use: Callable[[], CacheUse]) -> None:
        self._model = model
        self._use = use

    def collect(self) -> Iterator[Metric]:
        """The metrics as they are now."""
        use = self._use()
        tokens = CounterMetricFamily(
            "auscult_model_cache_tokens",
            "Tokens that were asked of the model: reused from its cache, computed, or computed as padding.",
            labels=("model", "use"),
        )
        tokens.add_metric((self._model, "reused"), use.reused_tokens)
        tokens.add_metric((self._model, "computed"), use.computed_tokens)
        tokens.add_metric((self._model, "padding"), use.padding_tokens)
        yield tokens
        yield self._counter(
            "remembered_texts", "Texts answered from memory, without a run.", use.remembered_texts
        )
        yield self._counter(
            "evictions",
            "Live calls whose cached context made room for another's: more are live than fit.",
            use.evicted_streams,
        )
        cached = GaugeMetricFamily(
            "auscult_model_cached_tokens", "Tokens of live calls in the cache.", labels=("model",)
        )
        cached.add_metric((self._model,), use.cached_tokens)
        yield cached

    def _counter(self, name: str, meaning: str, value: int) -> CounterMetricFamily:
        family = CounterMetricFamily(f"auscult_model_cache_{name}", meaning, labels=("model",))
        family.add_metric((self._model,), value)
        return family
