from prometheus_client import CollectorRegistry, generate_latest

from models.causal.language_model import CacheUse
from service.cache_metrics import CacheCollector


def test_the_cache_is_exported_as_it_is_when_it_is_asked_for() -> None:
    use = CacheUse()
    registry = CollectorRegistry()
    registry.register(CacheCollector("small", lambda: use))
    use.reused_tokens, use.computed_tokens, use.padding_tokens = 30, 20, 10
    use.remembered_texts, use.evicted_streams, use.cached_tokens = 4, 3, 2

    exported = generate_latest(registry).decode()

    for line in (
        'auscult_model_cache_tokens_total{model="small",use="reused"} 30.0',
        'auscult_model_cache_tokens_total{model="small",use="computed"} 20.0',
        'auscult_model_cache_tokens_total{model="small",use="padding"} 10.0',
        'auscult_model_cache_remembered_texts_total{model="small"} 4.0',
        'auscult_model_cache_evictions_total{model="small"} 3.0',
        'auscult_model_cached_tokens{model="small"} 2.0',
    ):
        assert line in exported
