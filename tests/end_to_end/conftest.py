"""The program is started as its users start it, and leaves what they remember alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Programs find their modules compiled, as installed ones do, whatever the environment says."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if config.cache is not None:
        os.environ["PYTHONPYCACHEPREFIX"] = str(config.cache.mkdir("bytecode"))


@pytest.fixture(autouse=True)
def no_memory(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test begins with nothing remembered; programs that it starts inherit that."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    return folder
