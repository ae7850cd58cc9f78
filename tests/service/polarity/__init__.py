"""Tests of lines held against their opposite."""
