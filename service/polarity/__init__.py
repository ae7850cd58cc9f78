"""Whether the opposite of what a line says would fit its dialogue better."""
