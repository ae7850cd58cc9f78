"""Weights in float32: the reference for the quantised graph, and the safe choice where int8 products saturate."""

from models.causal.graph_builder import GraphBuilder
from models.causal.weights import FloatArray


class FloatArithmetic:
    """Multiplies by the dequantised weights as they are."""

    def embed(self, graph: GraphBuilder, token_ids: str, table: FloatArray) -> str:
        """See `Arithmetic`."""
        return graph.node("Gather", graph.constant("embedding", table), token_ids, axis=0)

    def project_normalised(
        self, graph: GraphBuilder, name: str, rows: str, *matrices: FloatArray
    ) -> list[str]:
        """See `Arithmetic`."""
        return [self.project(graph, name, rows, matrix) for matrix in matrices]

    def project(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """See `Arithmetic`."""
        return graph.node("MatMul", rows, graph.constant(name, matrix.T))

    def project_gated(self, graph: GraphBuilder, name: str, rows: str, matrix: FloatArray) -> str:
        """See `Arithmetic`."""
        return self.project(graph, name, rows, matrix)
