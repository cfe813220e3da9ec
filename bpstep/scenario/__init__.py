"""Scenario files: from YAML to a graph and a program, with errors that say where and what."""
