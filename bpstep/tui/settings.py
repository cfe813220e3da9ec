"""What is remembered between runs of the app: ``settings.json`` in the user's config folder."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from platformdirs import user_config_dir

from bpstep.tui import store
from bpstep.tui.store import Content, StoreError

PROGRAM = "bpstep"


@dataclass(frozen=True)
class Settings:
    """What the user chose. ``theme`` is a theme's name, None where none was chosen."""

    theme: str | None = None


def settings_file() -> Path:
    """Where they are kept: under ``XDG_CONFIG_HOME`` where that is set."""
    return Path(user_config_dir(PROGRAM), "settings.json")


def load_settings() -> tuple[Settings, str | None]:
    """The settings, and what is to be said where their file is broken; they are then the usual."""
    try:
        return _settings(store.read(settings_file())), None
    except StoreError as error:
        return Settings(), str(error)


def save_settings(settings: Settings) -> str | None:
    """Write them, and give what is to be said where that is impossible.

    What else the file holds stays; a broken file is kept beside.
    """
    try:
        store.change(settings_file(), lambda content: {**content, **asdict(settings)})
    except StoreError as error:
        return str(error)
    return None


def _settings(content: Content) -> Settings:
    """What is of the right kind; the rest is as if it were not there."""
    settings = Settings()
    for field in fields(Settings):
        if isinstance(value := content.get(field.name), str):
            settings = replace(settings, **{field.name: value})
    return settings
