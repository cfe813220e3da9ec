"""Exit statuses; of several files and findings the greatest counts."""

FINE = 0
FAILED = 1
"""An expectation, check or assertion failed, or a run ended in an error not expected of it."""
WRONG = 2
"""The call or a file is wrong."""
INTERRUPTED = 130
