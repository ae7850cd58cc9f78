"""The demo: bundled consultations through a real broker and the real service, and what came of it."""
