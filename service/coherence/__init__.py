"""Medical coherence: whether doses, frequencies, drugs and conditions that are said together make sense."""
