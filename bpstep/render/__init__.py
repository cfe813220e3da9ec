"""From sessions, scenarios and results to text: pure functions, no files, no screens."""
