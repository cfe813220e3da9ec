"""A computation drawn with boxes and lines: layered, forward flow from top to bottom."""
