"""The catalogue of models tells the truth about the one that is embedded."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import moonshine_voice

from voice_host.resources import folder


def test_the_embedded_english_model_is_the_one_in_the_catalogue() -> None:
    catalog = tomllib.loads((folder("models") / "catalog.toml").read_text(encoding="utf-8"))
    (model,) = (model for model in catalog["model"] if model["name"] == "moonshine-tiny-en")
    files = {path.name: path for path in Path(moonshine_voice.get_model_path("tiny-en")).iterdir()}
    assert {name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in files.items()} == model["sha256"]
    assert sum(path.stat().st_size for path in files.values()) == model["size"]
